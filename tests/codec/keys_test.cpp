#include "codec/keys.hpp"

#include "codec/ordered_key.hpp"
#include "tests/support/value_generator.hpp"

#include <boost/test/unit_test.hpp>

using namespace cairn;
using namespace cairn::codec;
using namespace std::string_view_literals;

namespace {

struct RandomKeys {
  test::ValueGenerator random{test::test_seed()};

  std::uint64_t id() { return random.number() >> random.below(64); }
  std::uint32_t small() { return static_cast<std::uint32_t>(id()); }
  EntityKind kind() { return random.boolean() ? EntityKind::node : EntityKind::relationship; }
  IndexKey index() {
    IndexKey key{kind(), small(), static_cast<EntryKind>(1 + random.below(6)), {}, 0};
    append_index_value(key.value, random.scalar());
    key.chunk = id() >> 16;
    return key;
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(keys)

BOOST_AUTO_TEST_CASE(every_key_reads_back) {
  RandomKeys random;
  for (int i = 0; i < 1'000; ++i) {
    const AdjacencyKey adjacency{random.id(), random.small(), random.id(), random.id()};
    BOOST_TEST((*decode_adjacency_key(adjacency_key(adjacency)) == adjacency));
    const IndexKey index = random.index();
    BOOST_TEST((*decode_index_key(index_key(index)) == index));
    BOOST_TEST(chunk_of_index_key(index_key(index)) == index.chunk);
    const VectorKey vector{random.small(), random.kind(), random.id()};
    BOOST_TEST(
        (*decode_vector_key(vector_key(vector.space, vector.kind, vector.entity)) == vector));
    const VectorLogKey log{random.small(), random.id()};
    BOOST_TEST((*decode_vector_log_key(vector_log_key(log.space, log.sequence)) == log));
    const CatalogKey catalog{static_cast<CatalogKind>(1 + random.random.below(8)), random.small()};
    BOOST_TEST((*decode_catalog_key(catalog_key(catalog.kind, catalog.id)) == catalog));
    const StatsKey stats{static_cast<Counter>(1 + random.random.below(5)), random.kind(),
                         random.small()};
    BOOST_TEST((*decode_stats_key(stats_key(stats)) == stats));
    const ExternalIdKey external{random.small(), random.random.string()};
    BOOST_TEST(
        (*decode_external_id_key(external_id_key(external.name_space, external.text)) == external));
  }
}

BOOST_AUTO_TEST_CASE(a_record_key_tells_its_part) {
  BOOST_TEST(*decode_record_key(record_key(42)) == 42U);
  BOOST_TEST(*decode_record_key(large_text_key(42, 7)) == 42U);
  BOOST_TEST(is_hot_record_key(record_key(42)));
  BOOST_TEST(!is_hot_record_key(large_text_key(42, 7)));
  BOOST_TEST(large_text_property(large_text_key(42, 7)).value() == 7U);
  BOOST_TEST(!large_text_property(record_key(42)).has_value());
}

BOOST_AUTO_TEST_CASE(a_large_text_follows_its_record) {
  BOOST_TEST((record_key(42) < large_text_key(42, 0)));
  BOOST_TEST((large_text_key(42, ~0U) < record_key(43)));
}

BOOST_AUTO_TEST_CASE(keys_sort_by_their_numbers) {
  RandomKeys random;
  for (int i = 0; i < 1'000; ++i) {
    const AdjacencyKey a{random.id(), 1, random.id(), random.id()};
    const AdjacencyKey b{random.id(), 1, random.id(), random.id()};
    BOOST_TEST(
        (adjacency_key(a) < adjacency_key(b)) ==
        (std::tie(a.node, a.other, a.relationship) < std::tie(b.node, b.other, b.relationship)));
  }
}

BOOST_AUTO_TEST_CASE(adjacency_prefixes_begin_their_keys) {
  const std::string key = adjacency_key({1, 2, 3, 4});
  BOOST_TEST(key.starts_with(adjacency_prefix(1)));
  BOOST_TEST(key.starts_with(adjacency_prefix(1, 2)));
  BOOST_TEST(key.starts_with(adjacency_prefix(1, 2, 3)));
}

BOOST_AUTO_TEST_CASE(a_wrong_length_or_enumerator_is_corruption) {
  const auto is_corruption = [](const auto& result) {
    return !result.has_value() && result.error().code == ErrorCode::corruption;
  };
  BOOST_TEST(is_corruption(decode_record_key("")));
  BOOST_TEST(is_corruption(decode_record_key(record_key(1) + "x")));
  BOOST_TEST(is_corruption(decode_record_key("\0\0\0\0\0\0\0\0\2"sv)));
  BOOST_TEST(is_corruption(decode_adjacency_key(adjacency_prefix(1, 2, 3))));
  BOOST_TEST(is_corruption(decode_external_id_key("abc")));
  BOOST_TEST(is_corruption(decode_index_key("\1\0\0\0\1\2\0\0\0\0\0"sv)));      // 11 bytes
  BOOST_TEST(is_corruption(decode_index_key("\3\0\0\0\1\2\0\0\0\0\0\0"sv)));    // no such kind
  BOOST_TEST(is_corruption(decode_index_key("\1\0\0\0\1\x7f\0\0\0\0\0\0"sv)));  // no such entry
  BOOST_TEST(is_corruption(decode_vector_key(vector_key(1, EntityKind::node, 1) + "x")));
  BOOST_TEST(is_corruption(decode_vector_log_key("")));
  BOOST_TEST(is_corruption(decode_catalog_key("\x09\0\0\0\1"sv)));
  BOOST_TEST(is_corruption(decode_stats_key("\1\0\0\0\0\1"sv)));
}

BOOST_AUTO_TEST_CASE(random_bytes_give_an_error_or_a_key) {
  test::ValueGenerator random(test::test_seed());
  for (int i = 0; i < 20'000; ++i) {
    const std::string bytes = random.bytes(30);
    if (const auto key = decode_index_key(bytes)) BOOST_TEST(index_key(*key) == bytes);
    if (const auto key = decode_adjacency_key(bytes)) BOOST_TEST(adjacency_key(*key) == bytes);
    if (const auto key = decode_stats_key(bytes)) BOOST_TEST(stats_key(*key) == bytes);
  }
}

BOOST_AUTO_TEST_CASE(the_end_of_a_prefix_is_just_above_all_it_begins) {
  BOOST_TEST(prefix_end("ab") == "ac");
  BOOST_TEST(prefix_end("a\xff\xff") == "b");
  BOOST_TEST(prefix_end("a\x7f") == "a\x80");
  BOOST_TEST(prefix_end("\xff").empty());
  BOOST_TEST(prefix_end("").empty());
}

BOOST_AUTO_TEST_SUITE_END()
