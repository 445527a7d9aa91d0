// Values in both directions. Bytes are those of the specification, written out by hand.
#include "codec/packstream_values.hpp"

#include "codec/instant.hpp"
#include "codec/value_extent.hpp"
#include "tests/support/rounds.hpp"
#include "tests/support/value_generator.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>

using namespace cairn;
using namespace cairn::codec;
using namespace std::string_literals;

namespace {

constexpr auto lists = PackStreamVectors::as_lists;
constexpr auto structures = PackStreamVectors::as_structures;

/// Knows one zone, an hour east of UTC until 1,000,000 seconds and two from then on.
Result<std::int32_t> offset_in_berlin(std::string_view zone, std::int64_t instant) {
  if (zone == "Europe/Berlin") return instant < 1'000'000 ? 3'600 : 7'200;
  return Error{ErrorCode::invalid_argument, "unknown zone", std::nullopt};
}

std::string written(const Value& value, PackStreamVectors vectors = structures) {
  std::string bytes;
  PackStreamWriter writer(bytes);
  write_value(writer, value, vectors);
  return bytes;
}

Result<Value> read(const std::string& bytes, const PackStreamLimits& limits = {}) {
  // A copy of exactly this size, so that a sanitizer detects a read after its end.
  const std::vector<char> exact(bytes.begin(), bytes.end());
  PackStreamReader reader(std::string_view(exact.data(), exact.size()));
  auto value = read_value(reader, limits, offset_in_berlin);
  if (value.has_value()) BOOST_TEST(reader.is_at_end());
  return value;
}

/// The code and the message, without its place.
std::string refusal_of(const std::string& bytes, const PackStreamLimits& limits = {}) {
  const auto value = read(bytes, limits);
  if (value.has_value()) return "none: " + value->to_text();
  const std::string& message = value.error().message;
  return std::string(to_string(value.error().code)) + ": " +
         message.substr(0, message.find(" (at"));
}

std::string integer(std::int64_t value) { return written(Value(value)); }

std::string structure(char tag, const std::vector<std::string>& fields) {
  std::string bytes;
  PackStreamWriter(bytes).begin_structure(static_cast<std::uint8_t>(tag), fields.size());
  for (const std::string& field : fields) bytes += field;
  return bytes;
}

std::string byte_string(std::string_view content) {
  std::string bytes;
  PackStreamWriter(bytes).add_bytes(content);
  return bytes;
}

Node person(std::uint64_t id) {
  Node::Content content;
  content.labels = {"Person"};
  content.properties.emplace("a", 1);
  return Node(NodeId{id}, std::make_shared<const Node::Content>(std::move(content)));
}

Relationship knows(std::uint64_t id, std::uint64_t source, std::uint64_t target) {
  return Relationship(RelationshipId{id},
                      std::make_shared<const Relationship::Content>(Relationship::Content{
                          "KNOWS", NodeId{source}, NodeId{target}, {{"b", 2}}}));
}

/// What a value is once a client has sent it back: each zoned date and time has the offset of its zone.
Value with_offsets(const Value& value) {
  if (const auto* time = value.get_if<DateTime>(); time != nullptr && !time->zone.empty()) {
    DateTime same = *time;
    same.offset_seconds = *offset_in_berlin(same.zone, same.seconds);
    return same;
  }
  if (const List* list = value.list()) {
    List items;
    for (const Value& item : *list) items.push_back(with_offsets(item));
    return items;
  }
  if (value.map() == nullptr) return value;
  Map entries;
  for (const auto& [key, item] : *value.map()) entries.emplace(key, with_offsets(item));
  return entries;
}

/// Whether each text and key in it is UTF-8.
bool is_utf8_throughout(const Value& value) {
  const std::string bytes = written(value);
  return bytes.find("\xef\xbf\xbd") == std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(packstream_values)

BOOST_AUTO_TEST_CASE(plain_values_are_the_items_of_their_types) {
  BOOST_TEST(written(Value()) == "\xc0");
  BOOST_TEST(written(true) == "\xc3");
  BOOST_TEST(written(7) == "\x07");
  BOOST_TEST(written(1.5) == "\xc1\x3f\xf8\0\0\0\0\0\0"s);
  BOOST_TEST(written("abc") ==
             "\x83"
             "abc");
  BOOST_TEST(written(list_of({1, nullptr, list_of({})})) == "\x93\x01\xc0\x90");
  BOOST_TEST(written(map_of({{"b", 2}, {"a", map_of({})}})) ==
             "\xa2\x81"
             "a\xa0\x81"
             "b\x02");
}

BOOST_AUTO_TEST_CASE(entities_have_their_id_as_number_and_as_text) {
  BOOST_TEST(written(person(5)) ==
             "\xb4N\x05\x91\x86Person\xa1\x81"
             "a\x01\x82n5");
  BOOST_TEST(written(Node(NodeId{6})) == "\xb4N\x06\x90\xa0\x82n6");
  BOOST_TEST(written(knows(3, 5, 200)) ==
             "\xb8R\x03\x05\xc9\0\xc8\x85KNOWS\xa1\x81"
             "b\x02\x82r3\x82n5\x84n200"s);
}

// (5)-[3]->(7)<-[4]-(9)-[8]->(9)-[4]->(7): a path that comes back to a node and to a relationship.
BOOST_AUTO_TEST_CASE(a_path_has_each_element_once_and_the_steps_beside_them) {
  const Path path{{person(5), person(7), person(9), person(9), person(7)},
                  {knows(3, 5, 7), knows(4, 9, 7), knows(8, 9, 9), knows(4, 9, 7)}};
  const auto unbound = [](const std::string& id) {
    return "\xb4r" + integer(std::stoi(id)) +
           "\x85KNOWS\xa1\x81"
           "b\x02" +
           written("r" + id);
  };
  const std::string expected = "\xb3P\x93" + written(person(5)) + written(person(7)) +
                               written(person(9)) + "\x93" + unbound("3") + unbound("4") +
                               unbound("8") +
                               "\x98"
                               "\x01\x01"
                               "\xfe\x02"
                               "\x03\x02"
                               "\x02\x01";
  BOOST_TEST(written(path) == expected);
}

BOOST_AUTO_TEST_CASE(a_path_of_one_node_has_no_steps) {
  BOOST_TEST(written(Path{{person(5)}, {}}) == "\xb3P\x91" + written(person(5)) + "\x90\x90");
}

BOOST_AUTO_TEST_CASE(temporal_values_are_structures) {
  BOOST_TEST(written(Date{-1}) ==
             "\xb1"
             "D\xff");
  BOOST_TEST(written(Time{1, 3'600}) == "\xb2T\x01\xc9\x0e\x10");
  BOOST_TEST(written(LocalTime{2}) == "\xb1t\x02");
  BOOST_TEST(written(DateTime{1, 2, -60, {}}) == "\xb3I\x01\x02\xc8\xc4");
  BOOST_TEST(written(DateTime{1, 2, 3'600, "Europe/Berlin"}) ==
             "\xb3i\x01\x02\x8d"
             "Europe/Berlin");
  BOOST_TEST(written(LocalDateTime{-1, 5}) ==
             "\xb2"
             "d\xff\x05");
  BOOST_TEST(written(Duration{1, 2, 3, 4}) ==
             "\xb4"
             "E\x01\x02\x03\x04");
}

BOOST_AUTO_TEST_CASE(a_vector_is_a_structure_or_a_list) {
  const Vector vector({1.5F, -2.0F});
  BOOST_TEST(written(vector) == "\xb2V\xcc\x01\xc6\xcc\x08\x3f\xc0\0\0\xc0\0\0\0"s);
  BOOST_TEST(written(vector, lists) == written(list_of({1.5, -2.0})));
  BOOST_TEST(written(list_of({vector}), lists) == written(list_of({list_of({1.5, -2.0})})));
}

BOOST_AUTO_TEST_CASE(what_is_written_is_read) {
  test::ValueGenerator random(test::test_seed());
  std::size_t checked = 0;
  for (std::size_t i = test::rounds(5'000, 200'000); i > 0; --i) {
    const Value value = random.storable(4);
    const auto again = read(written(value));
    if (!is_utf8_throughout(value)) continue;  // two keys may become one
    BOOST_TEST_REQUIRE(again.has_value());
    BOOST_TEST_REQUIRE((*again == with_offsets(value)), value.to_text());
    BOOST_TEST_REQUIRE(written(*again) == written(value));
    ++checked;
  }
  BOOST_TEST(checked > 500U);
}

BOOST_AUTO_TEST_CASE(vectors_are_read_back) {
  test::ValueGenerator random(test::test_seed());
  for (int i = 0; i < 200; ++i) {
    const Value vector = random.vector();
    BOOST_TEST((read(written(vector)).value() == vector));
  }
}

BOOST_AUTO_TEST_CASE(vectors_of_other_components_become_floats) {
  const auto components = [](char type, const std::string& bytes) {
    return read(structure('V', {byte_string({&type, 1}), byte_string(bytes)}));
  };
  const auto is = [](const Result<Value>& value, std::vector<float> expected) {
    return value.has_value() && *value == Value(Vector(std::move(expected)));
  };
  BOOST_TEST(is(components('\xc1', "\x3f\xf8\0\0\0\0\0\0"s), {1.5F}));
  BOOST_TEST(is(components('\xc6', "\x3f\xc0\0\0\x40\0\0\0"s), {1.5F, 2.0F}));
  BOOST_TEST(is(components('\xc8', "\x01\xff"s), {1.0F, -1.0F}));
  BOOST_TEST(is(components('\xc9', "\x01\x00\xff\xfe"s), {256.0F, -2.0F}));
  BOOST_TEST(is(components('\xca', "\xff\xff\xff\xfd"s), {-3.0F}));
  BOOST_TEST(is(components('\xcb', "\0\0\0\1\0\0\0\0"s), {4'294'967'296.0F}));
  BOOST_TEST(is(components('\xc6', ""), {}));
}

BOOST_AUTO_TEST_CASE(vectors_that_are_none_are_refused) {
  const auto refusal = [](const std::string& type, const std::string& bytes) {
    return refusal_of(structure('V', {type, bytes}));
  };
  const std::string bytes = byte_string("\0\0\0\0"s);
  const std::string unknown = "invalid_argument: a vector has components of an unknown type";
  BOOST_TEST(refusal(byte_string("\xc2"), bytes) == unknown);
  BOOST_TEST(refusal(byte_string(""), bytes) == unknown);
  BOOST_TEST(refusal(byte_string("\xc6\xc6"), bytes) == unknown);
  BOOST_TEST(refusal(byte_string("\xcb"), bytes) ==
             "invalid_argument: a vector ends within a component: it has 4 bytes of components of "
             "8 bytes");
  const std::string no_bytes = "invalid_argument: a field of a vector must be a byte array";
  BOOST_TEST(refusal(integer(1), bytes) == no_bytes);
  BOOST_TEST(refusal(byte_string("\xc6"), written("text")) == no_bytes);
}

BOOST_AUTO_TEST_CASE(the_zone_tells_the_offset_of_a_date_and_time) {
  const auto at = [](std::int64_t seconds) {
    return read(structure('i', {integer(seconds), integer(5), written("Europe/Berlin")})).value();
  };
  BOOST_TEST((at(999'999) == Value(DateTime{999'999, 5, 3'600, "Europe/Berlin"})));
  BOOST_TEST((at(1'000'000) == Value(DateTime{1'000'000, 5, 7'200, "Europe/Berlin"})));
  BOOST_TEST(refusal_of(structure('i', {integer(0), integer(0), written("Nowhere")})) ==
             "invalid_argument: unknown zone");
  BOOST_TEST(refusal_of(structure('i', {integer(0), integer(0), integer(0)})) ==
             "invalid_argument: a field of a datetime with a zone must be a text");
}

BOOST_AUTO_TEST_CASE(temporal_values_out_of_range_are_refused) {
  constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t second = nanoseconds_per_second;
  const auto refusal = [](char tag, const std::vector<std::int64_t>& numbers,
                          const std::vector<std::string>& more = {}) {
    std::vector<std::string> fields;
    for (const std::int64_t number : numbers) fields.push_back(integer(number));
    fields.insert(fields.end(), more.begin(), more.end());
    return refusal_of(structure(tag, fields));
  };
  const std::string start = "invalid_argument: a ";
  BOOST_TEST(refusal('D', {max_days}).starts_with("none"));
  BOOST_TEST(refusal('D', {max_days + 1}) == start + "date is out of range");
  BOOST_TEST(refusal('D', {min_days - 1}) == start + "date is out of range");
  BOOST_TEST(refusal('t', {nanoseconds_per_day}) == start + "local time is out of range");
  BOOST_TEST(refusal('T', {-1, 0}) == start + "time is out of range");
  BOOST_TEST(refusal('T', {0, max_offset_seconds + 1}) == start + "time is out of range");
  BOOST_TEST(refusal('T', {0, std::int64_t{1} << 32}) == start + "time is out of range");
  BOOST_TEST(refusal('I', {0, 0, -max_offset_seconds}).starts_with("none"));
  BOOST_TEST(refusal('I', {0, 0, -huge}) == start + "datetime is out of range");
  BOOST_TEST(refusal('I', {huge, 0, 0}) == start + "datetime is out of range");
  BOOST_TEST(refusal('I', {0, second, 0}) == start + "datetime is out of range");
  BOOST_TEST(refusal('I', {0, std::int64_t{1} << 32, 0}) == start + "datetime is out of range");
  BOOST_TEST(refusal('i', {huge, 0}, {written("Europe/Berlin")}) ==
             start + "datetime with a zone is out of range");
  BOOST_TEST(refusal('d', {-huge, 0}) == start + "local datetime is out of range");
  BOOST_TEST(refusal('d', {0, -1}) == start + "local datetime is out of range");
  BOOST_TEST(refusal('E', {0, 0, huge, second}) == start + "duration is out of range");
}

BOOST_AUTO_TEST_CASE(nanoseconds_of_a_duration_may_be_negative_and_more_than_a_second) {
  const auto duration = [](std::int64_t seconds, std::int64_t nanoseconds) {
    return read(structure('E', {integer(0), integer(0), integer(seconds), integer(nanoseconds)}))
        .value();
  };
  BOOST_TEST((duration(0, -500'000'000) == Value(Duration{0, 0, -1, 500'000'000})));
  BOOST_TEST((duration(1, 2'000'000'001) == Value(Duration{0, 0, 3, 1})));
}

BOOST_AUTO_TEST_CASE(what_the_language_has_not_is_refused_by_name) {
  BOOST_TEST(refusal_of(byte_string("abc")) ==
             "type_error: bytes cannot be a value: send a list of integers or a text");
  BOOST_TEST(refusal_of(written(person(5))) == "type_error: a node cannot be sent as a value");
  BOOST_TEST(refusal_of(written(knows(1, 2, 3))) ==
             "type_error: a relationship cannot be sent as a value");
  BOOST_TEST(refusal_of(written(Path{{person(5)}, {}})) ==
             "type_error: a path cannot be sent as a value");
  BOOST_TEST(refusal_of(structure('X', {integer(1), written(1.0), written(2.0)})) ==
             "type_error: a point cannot be sent as a value");
  BOOST_TEST(refusal_of(structure('F', {integer(1), integer(1), integer(1)})) ==
             "type_error: a datetime of a Bolt before 5.0 cannot be sent as a value");
  BOOST_TEST(refusal_of(structure('Z', {})) == "type_error: Bolt has no structure with the tag 90");
}

BOOST_AUTO_TEST_CASE(structures_of_other_fields_are_refused) {
  BOOST_TEST(refusal_of(structure('D', {})) == "invalid_argument: a date has 1 fields, got 0");
  BOOST_TEST(refusal_of(structure('D', {integer(1), integer(2)})) ==
             "invalid_argument: a date has 1 fields, got 2");
  BOOST_TEST(refusal_of(structure('I', {integer(1), integer(2)})) ==
             "invalid_argument: a datetime has 3 fields, got 2");
  BOOST_TEST(refusal_of(structure('D', {written("x")})) ==
             "invalid_argument: a field of a date is not an integer");
}

BOOST_AUTO_TEST_CASE(maps_need_texts_as_keys_and_each_once) {
  BOOST_TEST(refusal_of("\xa2\x81"
                        "a\x01\x81"
                        "a\x02") == "invalid_argument: the key \"a\" occurs twice in a map");
  BOOST_TEST(refusal_of("\xa1\x01\x02") == "invalid_argument: the key of a map is not a text");
}

BOOST_AUTO_TEST_CASE(the_place_of_what_is_refused_is_told) {
  BOOST_TEST(
      read("\x92\x01" + byte_string("a")).error().message.ends_with("(at byte 2 of the message)"));
}

BOOST_AUTO_TEST_CASE(every_prefix_of_a_value_is_refused) {
  test::ValueGenerator random(test::test_seed());
  const Value value = map_of({{"list", list_of({1, 2.5, "text", nullptr, 70'000, list_of({true})})},
                              {"when", DateTime{1'000'000, 5, 3'600, "Europe/Berlin"}},
                              {"long", Duration{1, 2, 3, 4}},
                              {"vector", Vector({1.0F, 2.0F})},
                              {"random", random.string()}});
  const std::string bytes = written(value);
  BOOST_TEST(read(bytes).has_value());
  for (std::size_t size = 0; size < bytes.size(); ++size)
    BOOST_TEST(refusal_of(bytes.substr(0, size)).starts_with("invalid_argument: "));
}

BOOST_AUTO_TEST_CASE(levels_are_counted_with_structures) {
  PackStreamLimits limits;
  limits.max_nesting_levels = 3;
  BOOST_TEST(refusal_of("\x91\x91\x91\x01", limits).starts_with("none"));
  BOOST_TEST(refusal_of("\x91\xa1\x81"
                        "a\xb1"
                        "D\x01",
                        limits)
                 .starts_with("none"));
  const std::string too_deep =
      "resource_limit: a value has more than 3 levels of lists, maps and structures: "
      "send a flatter value";
  BOOST_TEST(refusal_of("\x91\x91\x91\x90", limits) == too_deep);
  BOOST_TEST(refusal_of("\x91\x91\x91\xb1"
                        "D\x01",
                        limits) == too_deep);
  BOOST_TEST(refusal_of(std::string(10'000, '\x91') + "\x01").starts_with("resource_limit: "));
}

// What a value takes in memory is exactly what lets it through.
BOOST_AUTO_TEST_CASE(memory_is_counted_as_the_extent_of_the_value) {
  const Value values[] = {Value(1),
                          Value("a text"),
                          list_of({1, list_of({}), "text"}),
                          map_of({{"key", map_of({{"inner", 1}})}, {"other", "text"}}),
                          Vector({1.0F, 2.0F, 3.0F}),
                          Date{1}};
  for (const Value& value : values) {
    const std::string bytes = written(value);
    PackStreamLimits limits;
    limits.memory_bytes = extent_of(value).bytes;
    BOOST_TEST((read(bytes, limits).value() == value));
    --limits.memory_bytes;
    BOOST_TEST(refusal_of(bytes, limits).starts_with("resource_limit: the values of a message"));
  }
}

BOOST_AUTO_TEST_CASE(damaged_messages_are_read_or_refused) {
  test::ValueGenerator random(test::test_seed());
  PackStreamLimits limits;
  limits.memory_bytes = 100'000;
  std::size_t refused = 0;
  for (std::size_t i = test::rounds(5'000, 200'000); i > 0; --i) {
    const std::string bytes = random.damaged(written(random.any(3)));
    PackStreamReader reader(bytes);
    const auto value = read_value(reader, limits, offset_in_berlin);
    if (value.has_value()) BOOST_TEST_REQUIRE(extent_of(*value).bytes <= limits.memory_bytes);
    refused += value.has_value() ? 0 : 1;
  }
  BOOST_TEST(refused > 500U);
}

BOOST_AUTO_TEST_SUITE_END()
