#include "engine/transaction/write_set.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

using namespace cairn;
using engine::OperandCounter;

BOOST_AUTO_TEST_SUITE(operand_counter)

BOOST_AUTO_TEST_CASE(a_hot_key_is_folded_every_64_changes) {
  OperandCounter counter;
  int folds = 0, since = 0;
  for (int i = 0; i < 1'000; ++i) {
    ++since;
    if (!counter.add("hot")) continue;
    BOOST_TEST(since == OperandCounter::max_operands);
    since = 0;
    ++folds;
  }
  BOOST_TEST(folds == 1'000 / 64);
}

BOOST_AUTO_TEST_CASE(a_hot_key_is_folded_among_many_cold_ones) {
  OperandCounter counter;
  int cold_folds = 0, hot_folds = 0;
  for (int i = 0; i < 600'000; ++i) {
    cold_folds += counter.add(std::to_string(i)) ? 1 : 0;
    if (i % 100 == 0) hot_folds += counter.add("hot") ? 1 : 0;
  }
  BOOST_TEST(cold_folds == 0);
  BOOST_TEST(hot_folds >= 6'000 / 64 - 2);
}

BOOST_AUTO_TEST_SUITE_END()
