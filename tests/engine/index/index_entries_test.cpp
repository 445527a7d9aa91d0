#include "engine/index/index_entries.hpp"

#include "codec/byte_io.hpp"
#include "engine/index/posting_name.hpp"
#include "tests/support/value_generator.hpp"

#include <boost/test/unit_test.hpp>

#include <map>
#include <set>

using namespace cairn;
using codec::EntityKind;
using codec::EntryKind;
using codec::OrderedTag;

namespace {

struct Paths : engine::PathSource {
  std::map<std::string, std::uint32_t, std::less<>> ids;
  std::optional<std::uint32_t> path_id(EntityKind, std::string_view text) override {
    return ids.emplace(text, codec::first_user_path + ids.size()).first->second;
  }
};

struct Fixture {
  Paths paths;

  std::set<std::string> names(const Value& value) {
    engine::PostingNames out;
    engine::append_property_postings(EntityKind::node, "p", value, paths, out);
    return {out.begin(), out.end()};
  }
  std::string presence(std::string_view path, OrderedTag tag,
                       EntryKind entry = EntryKind::presence) {
    return engine::presence_posting(EntityKind::node, *paths.path_id(EntityKind::node, path), entry,
                                    tag);
  }
  std::string entry(std::string_view path, EntryKind entry, const Value& value) {
    std::string bytes;
    codec::append_index_value(bytes, value);
    return codec::index_prefix(EntityKind::node, *paths.path_id(EntityKind::node, path), entry,
                               bytes);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(index_entries, Fixture)

BOOST_AUTO_TEST_CASE(a_scalar_has_its_type_and_its_value) {
  BOOST_TEST(
      (names(7) == std::set{presence("p", OrderedTag::number), entry("p", EntryKind::scalar, 7)}));
  BOOST_TEST((names(7) == names(7.0)));
  BOOST_TEST((names(7) != names("7")));
}

BOOST_AUTO_TEST_CASE(a_list_has_its_elements_and_its_hash) {
  const auto found = names(list_of({1, "a", 1}));
  BOOST_TEST(found.contains(presence("p", OrderedTag::list)));
  BOOST_TEST(found.contains(presence("p", OrderedTag::number, EntryKind::element_presence)));
  BOOST_TEST(found.contains(entry("p", EntryKind::element, 1)));
  BOOST_TEST(found.contains(entry("p", EntryKind::element, "a")));
  BOOST_TEST(!found.contains(entry("p", EntryKind::scalar, 1)));
  BOOST_TEST(found.size() == 6u);
}

BOOST_AUTO_TEST_CASE(a_map_is_entered_at_the_paths_of_its_keys) {
  const auto found = names(map_of({{"a", map_of({{"b.c", 1}})}}));
  BOOST_TEST(found.contains(presence("p", OrderedTag::map)));
  BOOST_TEST(found.contains(presence("p.a", OrderedTag::map)));
  BOOST_TEST(found.contains(entry("p.a.b\\.c", EntryKind::scalar, 1)));
}

BOOST_AUTO_TEST_CASE(maps_in_a_list_are_entered_at_the_paths_of_their_keys_too) {
  const auto found = names(list_of({map_of({{"a", 1}}), map_of({{"a", 2}})}));
  BOOST_TEST(found.contains(presence("p", OrderedTag::map, EntryKind::element_presence)));
  BOOST_TEST(found.contains(entry("p.a", EntryKind::scalar, 1)));
  BOOST_TEST(found.contains(entry("p.a", EntryKind::scalar, 2)));
}

BOOST_AUTO_TEST_CASE(vectors_and_long_lists_of_numbers_are_only_present) {
  BOOST_TEST((names(Vector({1, 2})) == std::set{presence("p", engine::vector_tag)}));
  const List numbers(17, Value(1));
  BOOST_TEST((names(numbers) == std::set{presence("p", engine::unindexed_list_tag)}));
  BOOST_TEST(names(List(16, Value(1))).size() > 2u);
}

BOOST_AUTO_TEST_CASE(a_date_in_a_string_has_its_instant) {
  BOOST_TEST(names("2026-02-14").size() == 3u);
  BOOST_TEST(names("tomorrow").size() == 2u);
}

BOOST_AUTO_TEST_CASE(every_storable_value_is_present_and_equal_ones_have_equal_entries) {
  test::ValueGenerator random(test::test_seed());
  for (int i = 0; i < 2'000; ++i) {
    const Value value = random.storable();
    const auto found = names(value);
    BOOST_TEST(found.contains(presence("p", engine::presence_tag(value))), value.to_text());
    for (const std::string& name : found) BOOST_TEST(name.size() >= 7u);
  }
}

BOOST_AUTO_TEST_CASE(a_posting_says_what_it_is) {
  engine::Catalog catalog;
  catalog.put(70, codec::PathEntry{EntityKind::node, "a.b"});
  const std::string name = codec::index_prefix(EntityKind::node, 70, EntryKind::scalar, "\x01z");
  BOOST_TEST(engine::posting_text(name, catalog) == "a.b scalar 017a");
  BOOST_TEST(engine::posting_text(
                 engine::system_posting(EntityKind::node, codec::SystemPath::label, 2), catalog) ==
             "(label) scalar 00000002");
}

BOOST_AUTO_TEST_SUITE_END()
