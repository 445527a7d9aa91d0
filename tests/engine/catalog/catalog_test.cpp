#include "engine/catalog/catalog.hpp"

#include "engine/transaction/catalog_editor.hpp"
#include "tests/support/graph_builder.hpp"

#include <boost/test/unit_test.hpp>

using namespace cairn;
using codec::CatalogKind;
using codec::EntityKind;
using engine::Catalog;
using engine::CatalogEditor;
using test::must;

BOOST_AUTO_TEST_SUITE(catalog)

BOOST_AUTO_TEST_CASE(names_get_numbers_once_a_kind) {
  Catalog catalog;
  BOOST_TEST(catalog.intern(CatalogKind::label, "A") == 1u);
  BOOST_TEST(catalog.intern(CatalogKind::label, "B") == 2u);
  BOOST_TEST(catalog.intern(CatalogKind::label, "A") == 1u);
  BOOST_TEST(catalog.intern(CatalogKind::property, "A") == 1u);
  BOOST_TEST(catalog.name(CatalogKind::label, 2) == "B");
  BOOST_TEST(catalog.name(CatalogKind::label, 3).empty());
  BOOST_TEST(!catalog.find_type("A").has_value());
  BOOST_TEST(*catalog.find_name_space("") == 0u);
}

BOOST_AUTO_TEST_CASE(paths_are_numbered_from_64_up_to_their_limit) {
  Catalog catalog;
  BOOST_TEST(*catalog.intern_path(EntityKind::node, "a", 2) == codec::first_user_path);
  BOOST_TEST(*catalog.intern_path(EntityKind::relationship, "a", 2) == codec::first_user_path + 1);
  BOOST_TEST(!catalog.intern_path(EntityKind::node, "b", 2).has_value());
  BOOST_TEST(*catalog.find_path(EntityKind::relationship, "a") == codec::first_user_path + 1);
}

BOOST_AUTO_TEST_CASE(an_entry_comes_back_from_its_bytes) {
  Catalog catalog;
  must(catalog.load({CatalogKind::label, 7}, codec::encode(codec::NameEntry{"A"})));
  must(catalog.load({CatalogKind::path, 80},
                    codec::encode(codec::PathEntry{EntityKind::node, "a.b"})));
  codec::IndexEntry index;
  index.name = "i";
  must(catalog.load({CatalogKind::index, 3}, codec::encode(index)));
  BOOST_TEST(catalog.name(CatalogKind::label, 7) == "A");
  BOOST_TEST(catalog.intern(CatalogKind::label, "B") == 8u);
  BOOST_TEST(catalog.path(80)->text == "a.b");
  BOOST_TEST(*catalog.find_index("i") == 3u);
  BOOST_TEST(!catalog.load({CatalogKind::label, 1}, "rubbish").has_value());
}

BOOST_AUTO_TEST_CASE(a_path_of_keys_with_dots_comes_apart_again) {
  for (const std::vector<std::string>& keys : std::vector<std::vector<std::string>>{
           {"a"}, {"a", "b"}, {"a.b", "c\\"}, {"a", ""}, {"\\.", "."}}) {
    const std::string path = engine::join_path(keys);
    BOOST_TEST(engine::split_path(path) == keys, boost::test_tools::per_element());
    BOOST_TEST(engine::is_nested_path(path) == (keys.size() > 1));
  }
}

BOOST_AUTO_TEST_CASE(an_editor_leaves_its_base_alone) {
  const auto base = std::make_shared<const Catalog>();
  CatalogEditor editor(base, 10);
  BOOST_TEST(!editor.is_changed());
  BOOST_TEST((editor.published() == base));
  BOOST_TEST(editor.intern(CatalogKind::label, "A") == 1u);
  BOOST_TEST(*editor.current().find_label("A") == 1u);
  BOOST_TEST(!base->find_label("A").has_value());
  BOOST_TEST((editor.published() != base));
}

BOOST_AUTO_TEST_CASE(once_a_path_was_refused_no_new_one_is_indexed_but_a_pinned_one) {
  CatalogEditor editor(std::make_shared<const Catalog>(), 1);
  BOOST_TEST(editor.path_id(EntityKind::node, "a").has_value());
  BOOST_TEST(editor.current().has_all_paths());
  BOOST_TEST(!editor.path_id(EntityKind::node, "b").has_value());
  BOOST_TEST(!editor.current().has_all_paths());
  CatalogEditor later(editor.published(), 100);
  BOOST_TEST(!later.path_id(EntityKind::node, "c").has_value());
  BOOST_TEST(later.path_id(EntityKind::node, "a").has_value());
  const std::uint32_t pinned = later.pin_path(EntityKind::node, "b");
  BOOST_TEST(*later.path_id(EntityKind::node, "b") == pinned);
  BOOST_TEST(later.current().path(pinned)->pinned);
}

BOOST_AUTO_TEST_SUITE_END()

using engine::Counter;
using engine::Counters;
using engine::RocksStore;
using engine::StoreBatch;
using engine::WriteMode;

namespace {

struct Fixture {
  test::TemporaryDirectory directory;
  std::unique_ptr<RocksStore> store = must(RocksStore::open(directory.path() / "store", {}));

  void put(const Counters& before, const Counters& after) {
    StoreBatch batch(*store);
    after.put_changes(before, batch);
    must(store->write(batch, WriteMode::async));
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(counters, Fixture)

BOOST_AUTO_TEST_CASE(a_new_store_counts_nothing) {
  BOOST_TEST((must(engine::load_counters(*store)) == Counters()));
}

BOOST_AUTO_TEST_CASE(every_count_of_every_kind_comes_back) {
  Counters all;
  std::int64_t value = 1;
  for (const Counter counter : engine::all_counters) {
    all.of(counter, EntityKind::node) = value++;
    all.of(counter, EntityKind::relationship) = value++ << 33;
  }
  put({}, all);
  BOOST_TEST((must(engine::load_counters(*store)) == all));
}

BOOST_AUTO_TEST_CASE(changes_add_up_and_may_take_away) {
  Counters sum, change;
  sum.of(Counter::live, EntityKind::node) = 5;
  change.of(Counter::live, EntityKind::node) = -2;
  change.of(Counter::deleted, EntityKind::node) = 2;
  sum.add(change);
  BOOST_TEST(sum.of(Counter::live, EntityKind::node) == 3);
  BOOST_TEST(sum.of(Counter::deleted, EntityKind::node) == 2);
  BOOST_TEST(sum.of(Counter::live, EntityKind::relationship) == 0);
}

BOOST_AUTO_TEST_CASE(only_what_changed_is_written) {
  Counters stored, base, next;
  stored.of(Counter::live, EntityKind::node) = 9;
  stored.of(Counter::live, EntityKind::relationship) = 4;
  put({}, stored);
  base.of(Counter::live, EntityKind::node) = 1;
  next.of(Counter::live, EntityKind::node) = 2;
  put(base, next);  // of relationships both say nothing
  const Counters loaded = must(engine::load_counters(*store));
  BOOST_TEST(loaded.of(Counter::live, EntityKind::node) == 2);
  BOOST_TEST(loaded.of(Counter::live, EntityKind::relationship) == 4);
}

BOOST_AUTO_TEST_CASE(a_damaged_count_is_corruption) {
  StoreBatch batch(*store);
  batch.put(engine::Family::stats, codec::stats_key({Counter::live, EntityKind::node, 0}), "abc");
  must(store->write(batch, WriteMode::async));
  const auto loaded = engine::load_counters(*store);
  BOOST_REQUIRE(!loaded);
  BOOST_TEST((loaded.error().code == ErrorCode::corruption));
}

BOOST_AUTO_TEST_SUITE_END()
