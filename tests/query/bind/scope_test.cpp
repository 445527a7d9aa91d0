#include "query/bind/scope.hpp"

#include <boost/test/unit_test.hpp>

namespace cairn::query {
namespace {

std::vector<std::string> visible_names(const Scope& scope) {
  std::vector<std::string> names;
  for (const auto& [name, variable] : scope.visible()) names.push_back(name);
  return names;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(scope)

BOOST_AUTO_TEST_CASE(slots_are_given_out_in_order) {
  Scope scope;
  BOOST_TEST(scope.declare("a", TypeKind::node).slot == 0U);
  BOOST_TEST(scope.allocate() == 1U);
  BOOST_TEST(scope.declare("b", {}).slot == 2U);
  BOOST_TEST(scope.width() == 3U);
  BOOST_TEST(scope.find("b")->slot == 2U);
  BOOST_CHECK(scope.find("a")->type.is(TypeKind::node));
  BOOST_CHECK(!scope.find("c"));
}

BOOST_AUTO_TEST_CASE(a_star_lists_names_in_their_first_order) {
  Scope scope;
  scope.declare("b", {});
  scope.declare("a", {});
  scope.declare("b", {});
  scope.declare_at("outer", {9, {}, true});
  const std::vector<std::string> expected = {"b", "a"};
  BOOST_TEST(visible_names(scope) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_frame_takes_its_names_back_and_keeps_their_slots) {
  Scope scope;
  scope.declare("x", TypeKind::integer);
  {
    const Scope::Frame frame(scope);
    scope.declare("x", TypeKind::node);
    scope.declare("y", {});
    BOOST_TEST(scope.find("x")->slot == 1U);
  }
  BOOST_TEST(scope.find("x")->slot == 0U);
  BOOST_CHECK(scope.find("x")->type.is(TypeKind::integer));
  BOOST_CHECK(!scope.find("y"));
  BOOST_TEST(scope.width() == 3U);
}

BOOST_AUTO_TEST_CASE(frames_within_frames_end_in_their_order) {
  Scope scope;
  {
    const Scope::Frame outer(scope);
    scope.declare("x", {});
    {
      const Scope::Frame inner(scope);
      scope.declare("x", {});
    }
    BOOST_TEST(scope.find("x")->slot == 0U);
  }
  BOOST_CHECK(!scope.find("x"));
}

BOOST_AUTO_TEST_CASE(what_stands_behind_is_seen_further_along_the_row) {
  Scope input;
  input.declare("a", {});
  input.declare("b", {});
  Scope output;
  output.declare("a", {});
  output.put_before(input, 1);
  BOOST_TEST(output.find("a")->slot == 0U);
  BOOST_TEST(output.find("b")->slot == 2U);
  BOOST_TEST(output.width() == 3U);
  BOOST_TEST(output.has_own("a"));
  BOOST_TEST(!output.has_own("b"));
}

BOOST_AUTO_TEST_CASE(shifts_add_up) {
  Scope outer;
  outer.declare("o", {});
  Scope middle(&outer, 10, 20);
  const Scope inner(&middle, 100, 200);
  BOOST_TEST(middle.find("o")->slot == 10U);
  BOOST_TEST(inner.find("o")->slot == 110U);
}

BOOST_AUTO_TEST_CASE(reserving_never_makes_a_row_shorter) {
  Scope scope;
  scope.reserve(5);
  scope.reserve(2);
  BOOST_TEST(scope.width() == 5U);
}

BOOST_AUTO_TEST_CASE(advice_knows_all_names) {
  Scope outer;
  outer.declare("o", {});
  Scope inner(&outer, 0, 1);
  inner.declare("i", {});
  BOOST_TEST(inner.names().size() == 2U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::query
