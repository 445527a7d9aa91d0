#include "query/execute/path_index.hpp"

#include <boost/test/unit_test.hpp>

#include <set>

namespace cairn::query {
namespace {

constexpr std::uint64_t universe = 8;

Selection selection(std::vector<std::uint64_t> ids, bool all_but = false, bool exact = true) {
  return {codec::Bitmap::from_unsorted(std::move(ids)), all_but, exact};
}

// The ids below `universe` in a selection.
std::set<std::uint64_t> members(const Selection& selection) {
  std::set<std::uint64_t> result;
  for (std::uint64_t id = 0; id < universe; ++id)
    if (selection.ids.contains(id) != selection.all_but) result.insert(id);
  return result;
}

std::vector<Selection> samples() {
  std::vector<Selection> all;
  for (const bool all_but : {false, true})
    for (const auto& ids : std::vector<std::vector<std::uint64_t>>{{}, {1}, {1, 2, 3}, {3, 5, 7}})
      all.push_back(selection(ids, all_but));
  return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(id_selection)

BOOST_AUTO_TEST_CASE(an_intersection_holds_what_both_hold) {
  for (const Selection& a : samples())
    for (const Selection& b : samples()) {
      std::set<std::uint64_t> wanted;
      for (std::uint64_t id : members(a))
        if (members(b).contains(id)) wanted.insert(id);
      BOOST_TEST(members(intersect(a, b)) == wanted, boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_CASE(a_union_holds_what_either_holds) {
  for (const Selection& a : samples())
    for (const Selection& b : samples()) {
      std::set<std::uint64_t> wanted = members(a);
      wanted.merge(members(b));
      BOOST_TEST(members(unite(a, b)) == wanted, boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_CASE(a_difference_holds_what_only_the_first_holds) {
  for (const Selection& a : samples())
    for (const Selection& b : samples()) {
      std::set<std::uint64_t> wanted = members(a);
      for (std::uint64_t id : members(b)) wanted.erase(id);
      BOOST_TEST(members(subtract(a, b)) == wanted, boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_CASE(too_much_is_never_taken_away) {
  const Selection rest = subtract(selection({1, 2, 3}), selection({2, 3}, false, false));
  BOOST_TEST(!rest.exact);
  BOOST_TEST(members(rest) == (std::set<std::uint64_t>{1, 2, 3}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_is_made_of_an_inexact_part_is_inexact) {
  const Selection inexact = selection({1}, false, false);
  BOOST_TEST(!intersect(selection({1}), inexact).exact);
  BOOST_TEST(!unite(selection({1}), inexact).exact);
  BOOST_TEST(intersect(selection({1}), selection({1})).exact);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::query
