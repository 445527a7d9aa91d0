// What a first program writes without thinking, and what must compile.
#include <cairn/cairn.hpp>

#include <boost/test/unit_test.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace {

using namespace cairn;
using enum cairn::FilterOperator;

Result<int> one() { return 1; }
Result<std::vector<int>> three() { return std::vector<int>{1, 2, 3}; }

// clang-format off
Result<int> sum_of_a_line() {
  CAIRN_ASSIGN(const int a, one()); CAIRN_ASSIGN(const int b, one());
  return a + b;
}
// clang-format on

template <class T>
void check_integer(T least, T most) {
  BOOST_TEST(Value(least).as_integer() == static_cast<std::int64_t>(least));
  BOOST_TEST(Value(most).as_integer() == static_cast<std::int64_t>(most));
}

template <class T>
void check_integer() {
  check_integer(std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(conveniences)

BOOST_AUTO_TEST_CASE(two_assignments_stand_on_one_line) {
  BOOST_TEST(sum_of_a_line().value() == 2);
}

// Before C++23, range-for extends the lifetime of its range, but not of the temporary Result that
// held it.
BOOST_AUTO_TEST_CASE(a_loop_may_walk_over_the_value_of_a_call) {
  static_assert(!std::is_reference_v<decltype(three().value())>);
  static_assert(!std::is_reference_v<decltype(*three())>);
  int sum = 0;
  for (const int number : three().value()) sum += number;
  BOOST_TEST(sum == 6);
}

BOOST_AUTO_TEST_CASE(every_integer_type_makes_a_value) {
  check_integer<signed char>();
  check_integer<unsigned char>();
  check_integer<short>();
  check_integer<unsigned short>();
  check_integer<int>();
  check_integer<unsigned>();
  check_integer<long>();
  check_integer<long long>();
  check_integer<unsigned long>(0, std::numeric_limits<long>::max());
  check_integer<unsigned long long>(0, std::numeric_limits<long long>::max());
  const std::size_t size = 3;
  const Properties properties = {{"size", size}, {"flag", true}, {"share", 0.5F}};
  BOOST_TEST((properties.find("size")->second == Value(3)));
  BOOST_TEST((properties.find("flag")->second == Value(true)));
  BOOST_TEST((properties.find("share")->second == Value(0.5)));
}

BOOST_AUTO_TEST_CASE(a_character_is_no_integer) {
  BOOST_TEST((!std::constructible_from<Value, char>));
  BOOST_TEST((!std::constructible_from<Value, char32_t>));
}

BOOST_AUTO_TEST_CASE(filters_are_built_under_using) {
  const Filter filter = Filter::all_of(
      {Filter::where("user", equals, "ada"), Filter::none_of({Filter::where("age", exists)}),
       Filter::any_of({Filter::where("size", greater_than, std::size_t{3})})});
  BOOST_TEST((filter.op == all));
  BOOST_TEST((filter.filters.at(1).op == none));
  BOOST_TEST((filter.filters.at(2).op == any));
}

BOOST_AUTO_TEST_CASE(a_value_may_name_an_instant) {
  BOOST_TEST((to_instant("1970-01-01T00:00:01.5Z") == 1'500'000));
  BOOST_TEST((to_instant("1970-01-02") == 86'400'000'000));
  BOOST_TEST((to_instant(Date{1}) == 86'400'000'000));
  BOOST_TEST(!to_instant("yesterday").has_value());
  BOOST_TEST(!to_instant(1).has_value());
  constexpr std::int64_t day = 86'400'000'000;
  BOOST_TEST((to_instant("7d", 10 * day) == 3 * day));
  BOOST_TEST((to_instant("1970-01-02", 10 * day) == day));
  BOOST_TEST(!to_instant("", day).has_value());
  BOOST_TEST(!to_instant("yesterday", day).has_value());
}

BOOST_AUTO_TEST_CASE(values_of_all_types_are_in_one_order) {
  BOOST_TEST(sort_order(1, 2.5) < 0);
  BOOST_TEST(sort_order(2, 2.0) == 0);
  BOOST_TEST(sort_order("b", "a") > 0);
  BOOST_TEST(sort_order("z", 1) < 0);
  BOOST_TEST(sort_order(1, Value()) < 0);
}

BOOST_AUTO_TEST_SUITE_END()
