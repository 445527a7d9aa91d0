// How much stack hostile statements take, and which of them are refused.

#include "query/bind/parser.hpp"
#include "tests/query/syntax/measured_stack.hpp"
#include "tests/query/syntax/nested_texts.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

namespace cairn::test {
namespace {

std::string outcome(const std::string& text) {
  const auto bound = query::parse_statement(text);
  return bound.has_value() ? "" : std::string(to_string(bound.error().code));
}

constexpr std::size_t stack_budget = std::size_t{256} << 10;
constexpr std::size_t thread_stack = std::size_t{512} << 10;

/// A sanitizer's frames have no budget of ours, but must fit into the stack that every thread has.
void check_stack(const Family& family, std::size_t levels) {
  const std::string text = family.text(levels);
  if (!has_ordinary_frames()) return (void)outcome(text);
  const std::size_t used = measured_stack(thread_stack, [&] { (void)outcome(text); });
  BOOST_TEST(used <= stack_budget, family.name << " take " << used << " bytes");
}

/// Far more than is allowed. A sanitizer finds nothing more in ten times as many, which take minutes there.
std::size_t very_many_levels(const Family& family) {
  return levels_of_a_megabyte(family) / (has_ordinary_frames() ? 1 : 10);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(nesting)

BOOST_AUTO_TEST_CASE(what_nests_little_is_taken) {
  for (const Family& family : nests()) {
    const std::string result = outcome(family.text(2));
    BOOST_TEST((result.empty() || family.name == "properties of patterns" ||
                family.name == "pattern conditions"),
               family.name << ": " << result);
  }
}

BOOST_AUTO_TEST_CASE(the_deepest_nests_allowed_stay_in_their_stack) {
  for (const Family& family : nests()) {
    for (const std::size_t levels : {25U, 31U, 42U, 63U, 127U, 128U, 250U}) {
      check_stack(family, levels);
    }
  }
}

BOOST_AUTO_TEST_CASE(deeper_nests_are_refused_within_their_stack) {
  for (const Family& family : nests()) {
    const std::size_t levels = very_many_levels(family);
    BOOST_TEST(outcome(family.text(levels)) != "", family.name);
    check_stack(family, levels);
  }
}

BOOST_AUTO_TEST_CASE(long_chains_stay_in_their_stack) {
  for (const Family& family : chains()) {
    check_stack(family, std::min<std::size_t>(100'000, very_many_levels(family)));
  }
}

BOOST_AUTO_TEST_CASE(chains_of_ands_and_ors_have_no_end) {
  BOOST_TEST(outcome(chains()[0].text(100'000)) == "");
  BOOST_TEST(outcome(chains()[1].text(50'000)) == "");
}

BOOST_AUTO_TEST_CASE(sums_end_where_their_evaluation_would_be_too_deep) {
  BOOST_TEST(outcome(chains()[2].text(500)) == "");
  BOOST_TEST(outcome(chains()[2].text(600)) == "resource_limit");
}

BOOST_AUTO_TEST_CASE(stars_that_multiply_are_refused) {
  BOOST_TEST(outcome(multiplying_stars()) == "resource_limit");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
