#include "engine/index/posting_overlay.hpp"

#include "tests/support/graph_builder.hpp"

#include <boost/test/unit_test.hpp>

using namespace cairn;
using codec::IdSet;
using engine::PostingOverlay;
using test::must;

namespace {

IdSet merged(PostingOverlay& overlay, std::string_view name, std::vector<std::uint64_t> below) {
  return must(overlay.merged(name, [&]() -> Result<IdSet> { return IdSet::from_sorted(below); }));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(posting_overlay)

BOOST_AUTO_TEST_CASE(changes_lie_over_what_is_committed_in_their_order) {
  PostingOverlay overlay;
  overlay.change("a", {3, true});
  overlay.change("a", {1, false});
  BOOST_TEST((merged(overlay, "a", {1, 2}).to_vector() == std::vector<std::uint64_t>{2, 3}));
  overlay.change("a", {3, false});
  overlay.change("a", {1, true});
  BOOST_TEST((merged(overlay, "a", {1, 2}).to_vector() == std::vector<std::uint64_t>{1, 2}));
  BOOST_TEST((merged(overlay, "b", {7}).to_vector() == std::vector<std::uint64_t>{7}));
}

BOOST_AUTO_TEST_CASE(changed_names_come_in_order_also_when_asked_between_changes) {
  PostingOverlay overlay;
  for (const char* name : {"m", "c", "x"}) overlay.change(name, {1, true});
  BOOST_TEST(overlay.changed_in({"a", "n"}) == (std::vector<std::string_view>{"c", "m"}),
             boost::test_tools::per_element());
  for (const char* name : {"d", "b"}) overlay.change(name, {1, true});
  BOOST_TEST(overlay.changed_in({"b", "m"}) == (std::vector<std::string_view>{"b", "c", "d"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(its_size_grows_with_its_changes) {
  PostingOverlay overlay;
  const auto empty = overlay.memory_bytes();
  overlay.change("a", {1, true});
  const auto one = overlay.memory_bytes();
  overlay.change("a", {1, false});
  BOOST_TEST(one > empty);
  BOOST_TEST(overlay.memory_bytes() == one);  // the same id once more
}

BOOST_AUTO_TEST_SUITE_END()
