#include "engine/write/id_allocator.hpp"

#include "tests/support/graph_builder.hpp"

#include <boost/test/unit_test.hpp>

#include <set>

using namespace cairn;
using codec::EntityKind;
using engine::IdAllocator;
using engine::RocksStore;
using engine::StoreBatch;
using engine::WriteMode;
using test::must;

namespace {

struct Fixture {
  test::TemporaryDirectory directory;
  std::unique_ptr<RocksStore> store = must(RocksStore::open(directory.path() / "store", {}));

  void commit(IdAllocator& ids) {
    StoreBatch batch(*store);
    ids.put_changes(batch);
    must(store->write(batch, WriteMode::async));
    ids.settle();
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(id_allocator, Fixture)

BOOST_AUTO_TEST_CASE(zero_is_never_given_out) {
  IdAllocator ids(*store);
  BOOST_TEST(must(ids.next(EntityKind::node, 0)) == 1u);
  BOOST_TEST(must(ids.next(EntityKind::relationship, 0)) == 1u);
}

BOOST_AUTO_TEST_CASE(no_id_is_given_twice_over_blocks_and_namespaces) {
  IdAllocator ids(*store);
  std::set<std::uint64_t> seen;
  for (std::uint32_t i = 0; i < 3 * codec::ids_per_block; ++i) {
    BOOST_TEST_REQUIRE(seen.insert(must(ids.next(EntityKind::node, i % 3))).second);
  }
}

BOOST_AUTO_TEST_CASE(what_a_refused_commit_took_is_put_again) {
  IdAllocator ids(*store);
  const std::uint64_t given = must(ids.next(EntityKind::node, 0));
  StoreBatch refused(*store);
  ids.put_changes(refused);
  commit(ids);
  IdAllocator reopened(*store);
  BOOST_TEST(must(reopened.next(EntityKind::node, 0)) > given);
}

BOOST_AUTO_TEST_CASE(a_namespace_has_its_blocks_for_itself) {
  IdAllocator ids(*store);
  const auto block_of = [&](std::uint32_t name_space) {
    return (must(ids.next(EntityKind::node, name_space))) / codec::ids_per_block;
  };
  const auto first = block_of(1);
  const auto second = block_of(2);
  BOOST_TEST(first != second);
  for (int i = 0; i < 100; ++i) {
    BOOST_TEST(block_of(1) == first);
    BOOST_TEST(block_of(2) == second);
  }
}

BOOST_AUTO_TEST_CASE(what_was_committed_goes_on_where_it_ended) {
  IdAllocator before(*store);
  for (int i = 0; i < 10; ++i) must(before.next(EntityKind::node, 7));
  commit(before);
  IdAllocator after(*store);
  BOOST_TEST(must(after.next(EntityKind::node, 7)) == 11u);
}

// The next commit must put the ids of the transaction that was rolled back, too.
BOOST_AUTO_TEST_CASE(what_a_rolled_back_transaction_had_is_lost) {
  IdAllocator ids(*store);
  const auto lost = must(ids.next(EntityKind::node, 0));
  const auto kept = must(ids.next(EntityKind::node, 0));
  commit(ids);
  BOOST_TEST(kept == lost + 1);
  BOOST_TEST(must(IdAllocator(*store).next(EntityKind::node, 0)) == kept + 1);
}

BOOST_AUTO_TEST_SUITE_END()
