#include "codec/sorted_ids.hpp"
#include "tests/codec/bitmap_samples.hpp"

#include <boost/test/unit_test.hpp>

using namespace cairn::codec::samples;

BOOST_AUTO_TEST_SUITE(sort_ids)

BOOST_AUTO_TEST_CASE(ids_come_out_ascending_and_each_one_once) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      Random random(seed);
      const std::uint64_t bound = ~std::uint64_t{0} >> below(random, 60);
      std::vector<std::uint64_t> ids(below(random, 2'000));
      for (std::uint64_t& id : ids) id = bound - below(random, bound);
      const std::set<std::uint64_t> expected(ids.begin(), ids.end());

      cairn::codec::sort_ids(ids);

      BOOST_TEST((ids == Ids(expected.begin(), expected.end())));
    }
  }
}

BOOST_AUTO_TEST_CASE(ids_that_are_sorted_already_lose_their_repetitions) {
  std::vector<std::uint64_t> ids;
  for (std::uint64_t i = 0; i < 1'000; ++i) ids.insert(ids.end(), 2, i);
  cairn::codec::sort_ids(ids);
  BOOST_TEST(ids.size() == 1'000U);
}

BOOST_AUTO_TEST_SUITE_END()
