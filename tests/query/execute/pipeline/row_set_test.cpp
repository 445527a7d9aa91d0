// Distinct rows by the equivalence of DISTINCT.
#include "query/execute/pipeline/row_set.hpp"

#include "tests/query/execute/small_budget.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace cairn::query {
namespace {

struct Fixture : SmallBudget {
  [[nodiscard]] bool is_new(const std::vector<Value>& row) { return rows.add(row).value(); }

  RowSet rows{budget};
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(row_set, Fixture)

BOOST_AUTO_TEST_CASE(each_row_is_new_once) {
  BOOST_TEST(is_new({1, "a"}));
  BOOST_TEST(is_new({"a", 1}));
  BOOST_TEST(is_new({1, "b"}));
  BOOST_TEST(!is_new({1, "a"}));
  BOOST_TEST(is_new({}));
  BOOST_TEST(!is_new({}));
}

BOOST_AUTO_TEST_CASE(equivalent_values_of_two_types_are_one) {
  BOOST_TEST(is_new({1}));
  BOOST_TEST(!is_new({1.0}));
  BOOST_TEST(is_new({Value()}));
  BOOST_TEST(!is_new({Value()}));
  BOOST_TEST(is_new({std::nan("")}));
  BOOST_TEST(!is_new({std::nan("")}));
  BOOST_TEST(is_new({0.0}));
  BOOST_TEST(!is_new({-0.0}));
  BOOST_TEST(is_new({List{1, Value()}}));
  BOOST_TEST(!is_new({List{1.0, Value()}}));
  BOOST_TEST(is_new({"1"}));
  BOOST_TEST(is_new({true}));
}

BOOST_AUTO_TEST_CASE(rows_are_charged_until_they_are_cleared) {
  const std::string text(1'000, 'x');
  for (int i = 0; i < 100; ++i) BOOST_TEST_REQUIRE(is_new({i, text}));
  BOOST_TEST(used() > 100'000U);
  BOOST_TEST(used() < 200'000U);
  rows.clear();
  BOOST_TEST(used() < 10'000U);
  BOOST_TEST(is_new({1, text}));
}

BOOST_AUTO_TEST_CASE(rows_that_exceed_the_memory_are_refused) {
  int count = 0;
  while (rows.add(std::vector<Value>{count, std::string(1'000, 'x')})) ++count;
  BOOST_TEST(count > 500);
  BOOST_TEST(count < 1'100);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::query
