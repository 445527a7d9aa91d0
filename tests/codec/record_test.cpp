#include "codec/record.hpp"

#include "codec/limits.hpp"
#include "codec/record_view.hpp"
#include "tests/support/value_generator.hpp"

#include <boost/test/unit_test.hpp>

using namespace cairn;
using namespace cairn::codec;

namespace {

struct RandomRecords {
  test::ValueGenerator random;
  explicit RandomRecords(std::uint64_t seed) : random(seed) {}

  RecordHeader header() {
    RecordHeader header{small(), small(), random.integer(), random.integer(), {}, {}, {}, {}};
    if (random.boolean()) header.deleted_at = random.integer();
    if (random.boolean()) header.expires_at = random.integer();
    if (random.boolean()) header.valid_from = random.integer();
    if (random.boolean()) header.valid_to = random.integer();
    return header;
  }
  StoredProperties properties() {
    StoredProperties properties;
    std::uint32_t key = small() % 100;
    for (std::uint64_t i = random.below(10); i > 0; --i) {
      properties.push_back({key, value()});
      key += 1 + small() % 5;
    }
    return properties;
  }
  NodeRecord node() {
    NodeRecord record{header(), {}, random.boolean() ? random.string() : "", properties()};
    for (std::uint32_t label = 1; label < 6; ++label)
      if (random.boolean()) record.labels.push_back(label);
    if (random.boolean()) record.author = random.string();
    return record;
  }
  RelationshipRecord relationship() {
    RelationshipRecord record{header(), small(), random.number(), random.number(), properties()};
    if (random.boolean()) record.author = random.string();
    return record;
  }

 private:
  std::uint32_t small() { return static_cast<std::uint32_t>(random.number()); }
  StoredValue value() {
    switch (random.below(8)) {
      case 0:
        return VectorReference{small(), small()};
      case 1:
        return TextReference{random.number(), random.number()};
      default:
        return random.storable();
    }
  }
};

template <class T>
bool is_corruption(const Result<T>& result) {
  return !result.has_value() && result.error().code == ErrorCode::corruption;
}

/// Everything that a view gives; the first error of any of it.
Result<NodeRecord> record_seen_by_view(const std::string& bytes) {
  CAIRN_ASSIGN(const NodeView view, NodeView::of(bytes));
  NodeRecord record;
  record.labels.assign(view.labels().begin(), view.labels().end());
  record.external_id = view.external_id();
  for (std::size_t i = 0; i < view.keys().size(); ++i) {
    CAIRN_ASSIGN(StoredValue value, view.value(i));
    record.properties.push_back({view.keys()[i], std::move(value)});
  }
  return record;
}

/// A view leaves the system fields to decode_header() and decode_author().
NodeRecord without_system_fields(NodeRecord record) {
  record.header = {};
  record.author = {};
  return record;
}

Value nested_list(std::uint32_t levels) {
  Value value;
  for (std::uint32_t i = 0; i < levels; ++i) value = list_of({value});
  return value;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(record)

BOOST_AUTO_TEST_CASE(every_node_record_reads_back) {
  const std::uint64_t seed = test::test_seed();
  RandomRecords random(seed);
  for (int i = 0; i < 5'000; ++i) {
    const NodeRecord record = random.node();
    BOOST_TEST_REQUIRE(check_storable(record).has_value());
    const auto decoded = decode_node_record(encode_record(record));
    BOOST_TEST_REQUIRE((decoded.has_value() && *decoded == record),
                       "seed " << seed << " step " << i);
  }
}

BOOST_AUTO_TEST_CASE(the_author_alone_is_read_from_either_kind) {
  NodeRecord node;
  BOOST_TEST(*decode_author(encode_record(node)) == "");
  node.author = "ada";
  BOOST_TEST(*decode_author(encode_record(node)) == "ada");
  RelationshipRecord relationship;
  const std::size_t without = encode_record(relationship).size();
  relationship.author = "bob";
  BOOST_TEST(*decode_author(encode_record(relationship)) == "bob");
  BOOST_TEST(encode_record(relationship).size() > without);
  BOOST_TEST(is_corruption(decode_author("short")));
  node.author = std::string(max_name_bytes + 1, 'x');
  BOOST_TEST(!check_storable(node));
}

BOOST_AUTO_TEST_CASE(a_view_says_of_every_node_what_its_record_holds) {
  const std::uint64_t seed = test::test_seed() + 3;
  RandomRecords random(seed);
  for (int i = 0; i < 2'000; ++i) {
    const NodeRecord record = random.node();
    const std::string bytes = encode_record(record);
    const auto seen = record_seen_by_view(bytes);
    BOOST_TEST_REQUIRE(seen.has_value(), "seed " << seed << " step " << i);
    BOOST_TEST_REQUIRE((*seen == without_system_fields(record)), "seed " << seed << " step " << i);
    for (std::uint32_t key = 0; key < 160; key += 3) {
      const auto place = NodeView::of(bytes)->find(key);
      BOOST_TEST_REQUIRE(place.has_value() == (find_stored(record.properties, key) != nullptr));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_view_of_damaged_bytes_takes_what_decoding_takes) {
  const std::uint64_t seed = test::test_seed() + 4;
  RandomRecords random(seed);
  for (int i = 0; i < 5'000; ++i) {
    const std::string bytes = random.random.damaged(encode_record(random.node()));
    const auto decoded = decode_node_record(bytes);
    const auto seen = record_seen_by_view(bytes);
    // A view pays for each value apart, so that it may read parts that overlap.
    if (!decoded) continue;
    BOOST_TEST_REQUIRE(seen.has_value(), "seed " << seed << " step " << i);
    // By bytes, because not a number is unlike itself.
    BOOST_TEST_REQUIRE((encode_record(*seen) == encode_record(without_system_fields(*decoded))),
                       "seed " << seed << " step " << i);
  }
  BOOST_TEST(is_corruption(NodeView::of(encode_record(RelationshipRecord{}))));
}

BOOST_AUTO_TEST_CASE(every_relationship_record_reads_back) {
  const std::uint64_t seed = test::test_seed() + 1;
  RandomRecords random(seed);
  for (int i = 0; i < 5'000; ++i) {
    const RelationshipRecord record = random.relationship();
    const auto decoded = decode_relationship_record(encode_record(record));
    BOOST_TEST_REQUIRE((decoded.has_value() && *decoded == record),
                       "seed " << seed << " step " << i);
  }
}

BOOST_AUTO_TEST_CASE(one_property_is_found_as_the_whole_record_has_it) {
  RandomRecords random(test::test_seed() + 2);
  for (int i = 0; i < 2'000; ++i) {
    const NodeRecord record = random.node();
    const std::string bytes = "x" + encode_record(record);  // at an odd address
    const std::string_view unaligned = std::string_view(bytes).substr(1);
    for (std::uint32_t key = 0; key < 160; key += 3) {
      const StoredProperty* expected = find_stored(record.properties, key);
      const auto found = find_property(unaligned, key);
      BOOST_TEST_REQUIRE(found.has_value());
      BOOST_TEST_REQUIRE((*found == (expected ? expected->value : StoredValue())));
    }
  }
}

BOOST_AUTO_TEST_CASE(equal_records_have_equal_bytes) {
  RandomRecords random(test::test_seed() + 3);
  for (int i = 0; i < 500; ++i) {
    const std::string bytes = encode_record(random.node());
    BOOST_TEST_REQUIRE(encode_record(*decode_node_record(bytes)) == bytes);
  }
}

BOOST_AUTO_TEST_CASE(damaged_bytes_give_an_error_or_a_record) {
  RandomRecords random(test::test_seed() + 4);
  for (int i = 0; i < 20'000; ++i) {
    const bool is_node = random.random.boolean();
    const std::string bytes = random.random.damaged(is_node ? encode_record(random.node())
                                                            : encode_record(random.relationship()));
    if (const auto node = decode_node_record(bytes)) BOOST_TEST(check_storable(*node).has_value());
    (void)decode_relationship_record(bytes);
    (void)find_property(bytes, 3);
  }
}

BOOST_AUTO_TEST_CASE(a_cut_is_an_error_or_loses_only_padding) {
  const NodeRecord record = RandomRecords(test::test_seed()).node();
  const std::string bytes = encode_record(record);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto decoded = decode_node_record(std::string_view(bytes).substr(0, size));
    BOOST_TEST((is_corruption(decoded) || (size + 8 > bytes.size() && *decoded == record)));
  }
}

// The verifier of FlatBuffers lets through vectors whose items lie at a multiple of four only.
BOOST_AUTO_TEST_CASE(misaligned_words_are_refused) {
  RelationshipRecord record;
  record.properties = {{6, Value(0.5)}};
  std::string bytes = encode_record(record) + std::string(8, '\0');
  constexpr std::size_t words = 120;         // where this record has the offset of its words
  constexpr std::size_t types = words + 16;  // another vector of one item, four bytes off
  BOOST_TEST_REQUIRE(bytes[words] == 4);
  BOOST_TEST_REQUIRE(bytes[types] == 1);
  bytes[words] = types - words;
  const auto decoded = decode_relationship_record(bytes);
  BOOST_TEST(is_corruption(decoded));
  BOOST_TEST(decoded.error().message == "a record is damaged: its values are misaligned");
  BOOST_TEST(is_corruption(find_property(bytes, 6)));
}

BOOST_AUTO_TEST_CASE(a_record_of_the_other_kind_is_refused) {
  BOOST_TEST(is_corruption(decode_node_record(encode_record(RelationshipRecord{}))));
  BOOST_TEST(is_corruption(decode_relationship_record(encode_record(NodeRecord{}))));
}

BOOST_AUTO_TEST_CASE(nesting_is_limited_on_both_sides_of_the_edge) {
  NodeRecord record;
  record.properties = {{1, nested_list(max_nesting_levels)}};
  BOOST_TEST(check_storable(record).has_value());
  BOOST_TEST((*decode_node_record(encode_record(record)) == record));
  record.properties = {{1, nested_list(max_nesting_levels + 1)}};
  BOOST_TEST(!check_storable(record).has_value());
  BOOST_TEST(is_corruption(decode_node_record(encode_record(record))));
}

BOOST_AUTO_TEST_CASE(the_widest_record_reads_back) {
  List items;
  for (std::size_t i = 0; i < max_container_items; ++i) items.push_back(list_of({}));
  NodeRecord record;
  record.properties = {{1, Value(std::move(items))}};
  BOOST_TEST(check_storable(record).has_value());
  BOOST_TEST((*decode_node_record(encode_record(record)) == record));
}

BOOST_AUTO_TEST_CASE(what_goes_beyond_a_limit_is_refused_before_it_is_written) {
  NodeRecord record;
  record.labels.resize(max_labels + 1);
  BOOST_TEST(!check_storable(record).has_value());
  record.labels.clear();
  record.external_id.assign(max_name_bytes + 1, 'x');
  BOOST_TEST(!check_storable(record).has_value());
  record.external_id.clear();
  record.properties.resize(max_properties + 1);
  BOOST_TEST(!check_storable(record).has_value());
  record.properties = {{1, Value(Vector({1.0F}))}};
  BOOST_TEST((check_storable(record).error().code == ErrorCode::type_error));
}

BOOST_AUTO_TEST_CASE(a_property_is_found_by_binary_search) {
  const StoredProperties properties = {{2, Value(1)}, {5, Value(2)}, {9, Value(3)}};
  BOOST_TEST(find_stored(properties, 5) == &properties[1]);
  BOOST_TEST(find_stored(properties, 4) == nullptr);
  BOOST_TEST(find_stored(properties, 10) == nullptr);
}

BOOST_AUTO_TEST_SUITE_END()

namespace {

const RecordHeader sample{7, 3, 1'000, 2'000, std::nullopt, -5, 0, std::nullopt};

std::string bytes_of(const RecordHeader& header) {
  std::string bytes;
  append_record_header(bytes, EntityKind::node, header);
  return bytes;
}

bool is_refused_with(std::size_t position, char byte) {
  std::string bytes = bytes_of(sample);
  bytes[position] = byte;
  return !decode_header(bytes).has_value();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(record_header)

BOOST_AUTO_TEST_CASE(a_header_reads_back_and_has_its_fixed_size) {
  BOOST_TEST(bytes_of(sample).size() == record_header_bytes);
  BOOST_TEST((*decode_header(bytes_of(sample)) == sample));
  BOOST_TEST((*decode_record_kind(bytes_of(sample)) == EntityKind::node));
}

BOOST_AUTO_TEST_CASE(an_absent_time_differs_from_time_zero) {
  const auto header = decode_header(bytes_of(sample));
  BOOST_TEST(header->valid_from.has_value());
  BOOST_TEST(!header->valid_to.has_value());
}

BOOST_AUTO_TEST_CASE(unknown_layouts_kinds_and_bits_are_refused) {
  BOOST_TEST(is_refused_with(0, 2));     // layout
  BOOST_TEST(is_refused_with(1, 3));     // kind
  BOOST_TEST(is_refused_with(2, 0x16));  // a fifth optional time
  BOOST_TEST(is_refused_with(3, 1));     // gaps
  BOOST_TEST(is_refused_with(12, 1));
  BOOST_TEST(is_refused_with(32, 1));  // an absent time that is not zero
}

BOOST_AUTO_TEST_CASE(the_message_names_what_is_wrong) {
  BOOST_TEST(decode_header("abc").error().message ==
             "the header of a record is damaged: it ends after 3 bytes");
  BOOST_TEST(decode_header_of(EntityKind::relationship, bytes_of(sample)).error().message ==
             "the header of a record is damaged: a node is in a relationship's place");
}

BOOST_AUTO_TEST_CASE(a_check_says_what_decoding_says) {
  for (const RecordHeader& header : {sample, RecordHeader{7, 3, 1'000, 2'000, {}, {}, {}, {}}}) {
    const std::string whole = bytes_of(header);
    BOOST_TEST(check_header_of(EntityKind::node, whole).has_value());
    BOOST_TEST(!check_header_of(EntityKind::relationship, whole).has_value());
    BOOST_TEST(read_name_space(whole) == 7u);
    for (std::size_t i = 0; i < whole.size(); ++i) {
      std::string bytes = whole;
      for (const char byte : {'\0', '\1', '\2', '\x0f', '\x80'}) {
        bytes[i] = byte;
        const auto decoded = decode_header_of(EntityKind::node, bytes);
        const Status checked = check_header_of(EntityKind::node, bytes);
        BOOST_TEST(checked.has_value() == decoded.has_value());
        if (!decoded) BOOST_TEST(checked.error().message == decoded.error().message);
      }
      BOOST_TEST(!check_header_of(EntityKind::node, whole.substr(0, i)).has_value());
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
