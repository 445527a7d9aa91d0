#include "engine/catalog/catalog.hpp"
#include "tests/support/graph_builder.hpp"

#include <boost/test/unit_test.hpp>

using namespace cairn;
using codec::EntityKind;
using engine::Counter;
using engine::Counters;
using engine::RocksStore;
using engine::StoreBatch;
using engine::WriteMode;
using test::must;

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
