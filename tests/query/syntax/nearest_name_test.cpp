#include "query/syntax/nearest_name.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace cairn::query {
namespace {

std::string_view nearest(std::string_view name) {
  static const std::vector<std::string_view> known = {"person", "personal", "age", "Company", "x"};
  return nearest_name(name, known);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(nearest_name_suite)

BOOST_AUTO_TEST_CASE(one_slip_of_each_kind_is_understood) {
  BOOST_TEST(nearest("persn") == "person");
  BOOST_TEST(nearest("perrson") == "person");
  BOOST_TEST(nearest("parson") == "person");
  BOOST_TEST(nearest("pesron") == "person");
}

BOOST_AUTO_TEST_CASE(case_makes_no_difference) { BOOST_TEST(nearest("COMPANI") == "Company"); }

BOOST_AUTO_TEST_CASE(the_nearest_of_several_is_taken) {
  BOOST_TEST(nearest("persona") == "person");
}

BOOST_AUTO_TEST_CASE(what_is_too_different_has_no_nearest) {
  BOOST_TEST(nearest("document") == "");
  BOOST_TEST(nearest("y") == "");
  BOOST_TEST(nearest("") == "");
  BOOST_TEST(nearest_name("a", {}) == "");
}

BOOST_AUTO_TEST_CASE(endless_names_cost_nothing) {
  BOOST_TEST(nearest(std::string(1'000'000, 'a')) == "");
  const std::string longest(1'000'000, 'b');
  const std::vector<std::string_view> known = {longest};
  BOOST_TEST(nearest_name("bbb", known) == "");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::query
