// Sets of ids within a statement, compared with a plain set, and the memory that they charge.
#include "query/execute/read/id_sets.hpp"

#include "tests/query/execute/small_budget.hpp"
#include "tests/support/value_generator.hpp"

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

namespace cairn::query {
namespace {

struct Fixture : SmallBudget {
  test::ValueGenerator random{test::test_seed()};
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(id_sets, Fixture)

BOOST_AUTO_TEST_CASE(seen_ids_are_those_that_were_added) {
  SeenIds seen(budget);
  std::set<std::uint64_t> model;
  for (int i = 0; i < 3'000; ++i) {
    const std::uint64_t near = random.below(5) * 65'536 + 65'500 + random.below(80);
    const std::uint64_t id = random.below(20) == 0 ? ~std::uint64_t{0} - random.below(3) : near;
    BOOST_TEST_REQUIRE(seen.contains(id) == model.contains(id));
    if (random.below(2) == 0) continue;
    BOOST_TEST_REQUIRE(seen.add(id).has_value());
    model.insert(id);
  }
  for (const std::uint64_t id : model) BOOST_TEST_REQUIRE(seen.contains(id));
  seen.clear();
  for (const std::uint64_t id : model) BOOST_TEST_REQUIRE(!seen.contains(id));
}

BOOST_AUTO_TEST_CASE(seen_ids_charge_each_chunk_once) {
  SeenIds seen(budget);
  for (std::uint64_t id = 0; id < 65'536; id += 7) BOOST_TEST_REQUIRE(seen.add(id).has_value());
  const std::size_t one = used();
  BOOST_TEST(one >= 8'192U);
  BOOST_TEST(one < 16'384U);
  std::uint64_t chunk = 1;
  while (seen.add(chunk << 16)) ++chunk;
  BOOST_TEST(chunk > 100U);
  BOOST_TEST(chunk <= 128U);
  seen.clear();
  BOOST_TEST(used() < one);
}

BOOST_AUTO_TEST_CASE(a_list_has_its_ids_and_no_others) {
  IdHashSet set(budget);
  for (int round = 0; round < 200; ++round) {
    // Ids that differ only in a few bits collide in the table.
    const std::uint64_t stride = std::uint64_t{1} << random.below(20);
    std::vector<std::uint32_t> ids;
    for (std::uint64_t count = random.below(60); count > 0; --count)
      ids.push_back(static_cast<std::uint32_t>(stride * random.below(100)));
    BOOST_TEST_REQUIRE(set.assign(ids.size()).has_value());
    set.add(ids);
    const std::set<std::uint64_t> model(ids.begin(), ids.end());
    for (std::uint64_t i = 0; i < 110; ++i)
      BOOST_TEST_REQUIRE(set.contains(stride * i) == model.contains(stride * i));
    BOOST_TEST_REQUIRE(!set.contains(std::uint64_t{1} << 40));
  }
}

BOOST_AUTO_TEST_CASE(a_list_takes_the_smallest_and_the_largest_id) {
  IdHashSet set(budget);
  BOOST_TEST_REQUIRE(set.assign(2).has_value());
  set.add(std::vector<std::uint32_t>{0, ~std::uint32_t{0}});
  BOOST_TEST(set.contains(0));
  BOOST_TEST(set.contains(~std::uint32_t{0}));
  BOOST_TEST(!set.contains(1));
  BOOST_TEST_REQUIRE(set.assign(0).has_value());
  BOOST_TEST(!set.contains(0));
}

BOOST_AUTO_TEST_CASE(a_list_that_exceeds_the_memory_is_refused) {
  IdHashSet set(budget);
  const Status refused = set.assign(limit);
  BOOST_TEST_REQUIRE(!refused.has_value());
  BOOST_TEST((refused.error().code == ErrorCode::resource_limit));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::query
