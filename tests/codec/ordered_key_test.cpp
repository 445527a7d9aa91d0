#include "codec/ordered_key.hpp"

#include "codec/keys.hpp"
#include "codec/limits.hpp"
#include "tests/support/value_generator.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>
#include <vector>

using namespace cairn;
using namespace cairn::codec;
using namespace std::string_view_literals;

namespace {

std::string ordered(const Value& value) {
  std::string bytes;
  append_ordered(bytes, value);
  return bytes;
}

std::string index_value(const Value& value) {
  std::string bytes;
  append_index_value(bytes, value);
  return bytes;
}

std::string string_prefix(OrderedTag tag, std::string_view text) {
  std::string bytes;
  append_string_prefix(bytes, tag, text);
  return bytes;
}

bool is_corruption(std::string_view bytes) {
  const auto result = read_ordered(bytes);
  return !result.has_value() && result.error().code == ErrorCode::corruption;
}

Value nested_list(std::uint32_t levels) {
  Value value;
  for (std::uint32_t i = 0; i < levels; ++i) value = list_of({value});
  return value;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(ordered_key)

BOOST_AUTO_TEST_CASE(bytes_compare_as_the_values_do) {
  const std::uint64_t seed = test::test_seed();
  test::ValueGenerator random(seed);
  for (int i = 0; i < 30'000; ++i) {
    const Value a = random.any();
    const Value b = random.any();
    const int bytes = ordered(a).compare(ordered(b));
    const int values = compare_ordered(a, b);
    BOOST_TEST_REQUIRE(((bytes < 0) == (values < 0) && (bytes > 0) == (values > 0)),
                       "seed " << seed << ": " << a.to_text() << " and " << b.to_text());
  }
}

BOOST_AUTO_TEST_CASE(a_value_reads_back_as_its_equal) {
  const std::uint64_t seed = test::test_seed() + 1;
  test::ValueGenerator random(seed);
  for (int i = 0; i < 20'000; ++i) {
    const Value value = random.any();
    const std::string bytes = ordered(value);
    std::string_view rest = bytes;
    const auto read = read_ordered(rest);
    BOOST_TEST_REQUIRE(read.has_value(), "seed " << seed << ": " << value.to_text());
    BOOST_TEST_REQUIRE(compare_ordered(*read, value) == 0);
    BOOST_TEST_REQUIRE(rest.empty());
    BOOST_TEST_REQUIRE(ordered(*read) == bytes);
  }
}

BOOST_AUTO_TEST_CASE(an_encoding_ends_itself) {
  test::ValueGenerator random(test::test_seed() + 2);
  for (int i = 0; i < 5'000; ++i) {
    const std::string bytes = ordered(random.any());
    const std::string more = random.bytes(12);
    const std::string both = bytes + more;
    std::string_view rest = both;
    BOOST_TEST_REQUIRE(read_ordered(rest).has_value());
    BOOST_TEST_REQUIRE(rest == more);
    for (std::size_t cut = 0; cut < bytes.size(); ++cut)
      BOOST_TEST_REQUIRE(is_corruption(std::string_view(bytes).substr(0, cut)));
  }
}

BOOST_AUTO_TEST_CASE(damaged_bytes_give_an_error_or_the_one_value_they_encode) {
  test::ValueGenerator random(test::test_seed() + 3);
  for (int i = 0; i < 30'000; ++i) {
    const std::string bytes = random.damaged(ordered(random.any()));
    std::string_view rest = bytes;
    const auto read = read_ordered(rest);
    if (read) BOOST_TEST_REQUIRE(ordered(*read) + std::string(rest) == bytes);
  }
}

BOOST_AUTO_TEST_CASE(whole_floats_and_integers_share_one_encoding) {
  BOOST_TEST(ordered(1) == ordered(1.0));
  BOOST_TEST(ordered(0) == ordered(-0.0));
  BOOST_TEST(ordered(std::int64_t{1} << 53) == ordered(9007199254740992.0));
  BOOST_TEST(ordered((std::int64_t{1} << 53) + 1) != ordered(9007199254740992.0));
}

BOOST_AUTO_TEST_CASE(zero_bytes_in_strings_neither_end_nor_reorder_them) {
  BOOST_TEST(ordered("a\0b"sv) ==
             "\x50"
             "a\0\xff"
             "b\0\0"sv);
  BOOST_TEST((ordered("a"sv) < ordered("a\0"sv)));
  BOOST_TEST((ordered("a\0\0"sv) < ordered("a\1"sv)));
}

BOOST_AUTO_TEST_CASE(nesting_is_limited_on_both_sides_of_the_edge) {
  const std::string deepest = ordered(nested_list(max_nesting_levels));
  std::string_view rest = deepest;
  BOOST_TEST(read_ordered(rest).has_value());
  BOOST_TEST(is_corruption(ordered(nested_list(max_nesting_levels + 1))));
  BOOST_TEST(is_corruption(std::string(1'000'000, '\x28')));
}

BOOST_AUTO_TEST_CASE(impossible_bytes_are_corruption) {
  BOOST_TEST(is_corruption(""));
  BOOST_TEST(is_corruption("\x7e"sv));    // no such tag
  BOOST_TEST(is_corruption("\x58\2"sv));  // boolean
  BOOST_TEST(
      is_corruption("\x50"
                    "a\0\1"sv));  // escape
  BOOST_TEST(
      is_corruption("\x10\x50"
                    "b\0\0\x50"
                    "a\0\0\0\x70\x70"sv));  // keys descend
  BOOST_TEST(is_corruption("\x30\2"sv));    // path
  BOOST_TEST(
      is_corruption("\x48\xff\xff\xff\xff"
                    "aaaa"sv));                                             // dimension
  BOOST_TEST(is_corruption(std::string("\x3a") + std::string(8, '\xff')));  // date
}

BOOST_AUTO_TEST_CASE(a_long_string_is_indexed_by_prefix_and_hash) {
  const std::string edge(max_indexed_string_bytes, 'x');
  const std::string longer = edge + "y";
  BOOST_TEST(index_value(edge) == ordered(edge));
  BOOST_TEST(!index_value_needs_recheck(edge));
  BOOST_TEST(index_value(longer).size() == 1 + long_string_prefix_bytes + 2 + 16);
  BOOST_TEST(index_value_needs_recheck(longer));
  BOOST_TEST(index_value(longer) != index_value(edge + "z"));
  BOOST_TEST(index_value(longer).substr(0, 66) == index_value(edge + "z").substr(0, 66));
}

BOOST_AUTO_TEST_CASE(a_string_prefix_begins_all_strings_that_start_with_it) {
  const std::string zeros("a\0"sv);
  BOOST_TEST(ordered(zeros + "b").starts_with(string_prefix(OrderedTag::string, zeros)));
  BOOST_TEST(ordered(zeros).starts_with(string_prefix(OrderedTag::string, zeros)));
  BOOST_TEST(!ordered("ab").starts_with(string_prefix(OrderedTag::string, zeros)));
  const std::string text(300, 'q');
  BOOST_TEST(index_value(text).starts_with(string_prefix(OrderedTag::long_string, "qqq")));
  BOOST_TEST(
      index_value(text).starts_with(string_prefix(OrderedTag::long_string, text.substr(0, 100))));
}

BOOST_AUTO_TEST_CASE(equal_containers_have_equal_hashes) {
  BOOST_TEST(container_hash(list_of({1, "a"})) == container_hash(list_of({1.0, "a"})));
  BOOST_TEST(container_hash(list_of({1, 2})) != container_hash(list_of({2, 1})));
  BOOST_TEST(container_hash(list_of({})) != container_hash(map_of({})));
  BOOST_TEST(container_hash(list_of({})).size() == 16U);
  BOOST_TEST(index_value_needs_recheck(list_of({})));
  BOOST_TEST(index_value_needs_recheck(map_of({})));
}

BOOST_AUTO_TEST_CASE(the_tag_says_the_type) {
  BOOST_TEST((ordered_tag(1) == OrderedTag::number));
  BOOST_TEST((ordered_tag(1.5) == OrderedTag::number));
  BOOST_TEST((ordered_tag(std::numeric_limits<double>::quiet_NaN()) == OrderedTag::not_a_number));
  BOOST_TEST((ordered_tag(std::string(500, 'x')) == OrderedTag::string));
}

BOOST_AUTO_TEST_SUITE_END()

// compare_ordered; that it agrees with the encodings is shown above.

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

Path path(std::vector<std::uint64_t> ids) {
  Path out;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (i % 2 == 0)
      out.nodes.emplace_back(NodeId{ids[i]});
    else
      out.relationships.emplace_back(RelationshipId{ids[i]});
  }
  return out;
}

void check_ascending(const std::vector<Value>& values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t j = 0; j < values.size(); ++j) {
      const int order = compare_ordered(values[i], values[j]);
      BOOST_TEST((order < 0) == (i < j), values[i].to_text() << " before " << values[j].to_text());
      BOOST_TEST((order == 0) == (i == j));
    }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(ordered_compare)

BOOST_AUTO_TEST_CASE(types_have_the_order_of_the_language) {
  check_ascending({map_of({}), Node(NodeId{9}), Relationship(RelationshipId{1}), list_of({}),
                   path({1}), DateTime{}, LocalDateTime{}, Date{}, Time{}, LocalTime{}, Duration{},
                   Vector(), "", false, -infinity, not_a_number, Value()});
}

BOOST_AUTO_TEST_CASE(numbers_stand_in_one_line) {
  check_ascending({-infinity, -1.5, -1, 0, std::numeric_limits<double>::denorm_min(), 0.5, 1,
                   9007199254740992.0, (std::int64_t{1} << 53) + 1, 9007199254740994.0,
                   std::numeric_limits<std::int64_t>::max(), std::ldexp(1, 63), infinity,
                   not_a_number});
}

BOOST_AUTO_TEST_CASE(strings_stand_in_code_point_order) {
  using namespace std::string_view_literals;
  check_ascending({"", "A", "a", "a\0"sv, "aa", "b", "\xc3\xa9", "\xf0\x9f\x98\x80"});
}

BOOST_AUTO_TEST_CASE(lists_compare_element_by_element_and_shorter_first) {
  check_ascending({list_of({}), list_of({"a"}), list_of({"a", 1}), list_of({"b"}), list_of({1}),
                   list_of({1, 2}), list_of({1, Value()}), list_of({2}), list_of({Value()})});
}

BOOST_AUTO_TEST_CASE(maps_compare_by_all_keys_and_then_by_values) {
  check_ascending({map_of({}), map_of({{"a", 1}}), map_of({{"a", 2}}), map_of({{"a", 0}, {"b", 0}}),
                   map_of({{"a", 0}, {"b", 1}}), map_of({{"b", 0}})});
}

BOOST_AUTO_TEST_CASE(paths_compare_step_by_step) {
  check_ascending({path({1}), path({1, 1, 2}), path({1, 1, 3}), path({1, 2, 1}), path({2})});
}

BOOST_AUTO_TEST_CASE(times_compare_as_instants_and_then_by_offset) {
  constexpr std::int64_t hour = 3'600'000'000'000;
  check_ascending({Time{1 * hour, 7'200}, Time{0, 0}, Time{1 * hour, 3'600}, Time{1 * hour, 0}});
  check_ascending({DateTime{-1, 999'999'999, 0, ""}, DateTime{0, 0, -3'600, ""},
                   DateTime{0, 0, 0, ""}, DateTime{0, 0, 0, "UTC"}, DateTime{0, 1, 0, ""}});
}

BOOST_AUTO_TEST_CASE(durations_compare_by_length) {
  check_ascending({Duration{0, -1, 0, 0}, Duration{}, Duration{0, 0, 0, 1},
                   Duration{0, 0, 86'400, 0}, Duration{0, 1, 0, 0}, Duration{0, 30, 0, 0},
                   Duration{1, 0, 0, 0}, Duration{0, 31, 0, 0}});
}

BOOST_AUTO_TEST_CASE(vectors_compare_by_dimension_and_then_by_components) {
  check_ascending({Vector(), Vector({2.0F}), Vector({std::nanf("")}), Vector({-1.0F, 5.0F}),
                   Vector({0.0F, 1.0F})});
  BOOST_TEST(compare_ordered(Vector({0.0F}), Vector({-0.0F})) == 0);
}

BOOST_AUTO_TEST_CASE(the_order_is_transitive) {
  const std::uint64_t seed = test::test_seed();
  test::ValueGenerator random(seed);
  for (int i = 0; i < 20'000; ++i) {
    const Value a = random.any(2);
    const Value b = random.any(2);
    const Value c = random.any(2);
    if (compare_ordered(a, b) > 0 || compare_ordered(b, c) > 0) continue;
    BOOST_TEST_REQUIRE(compare_ordered(a, c) <= 0, "seed " << seed);
  }
}

BOOST_AUTO_TEST_SUITE_END()
