#include "engine/write/operand_counter.hpp"

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

BOOST_AUTO_TEST_CASE(many_cold_keys_do_not_grow_it_for_ever) {
  OperandCounter counter;
  for (int i = 0; i < 600'000; ++i) static_cast<void>(counter.add(std::to_string(i)));
  BOOST_TEST(counter.size() <= std::size_t{1} << 18);
}

BOOST_AUTO_TEST_SUITE_END()
