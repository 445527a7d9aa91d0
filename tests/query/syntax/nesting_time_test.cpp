// How long hostile statements take. Times are CPU time and not wall-clock time, because a test machine is
// shared.

#include "query/bind/parser.hpp"
#include "tests/query/syntax/nested_texts.hpp"
#include "tests/query/syntax/support.hpp"

#include <boost/test/unit_test.hpp>
#include <malloc.h>

#include <algorithm>
#include <climits>
#include <ctime>

namespace cairn::test {
namespace {

/// The allocator maps a large block for each parse and unmaps it afterwards. The kernel's work for these pages takes
/// longer than the parser, and grows with the load of the machine. So this object makes the program retain freed
/// memory.
struct KeptMemory {
  KeptMemory() {
    BOOST_REQUIRE(mallopt(M_MMAP_MAX, 0) == 1);
    BOOST_REQUIRE(mallopt(M_TRIM_THRESHOLD, INT_MAX) == 1);
  }
};

BOOST_TEST_GLOBAL_FIXTURE(KeptMemory);

double processor_seconds(const std::string& text) {
  const std::clock_t start = std::clock();
  (void)query::parse_statement(text);
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

void check_short_nests(const Family& family) {
  for (const std::size_t levels : {20U, 60U, 100U}) {
    const double seconds = processor_seconds(family.text(levels));
    BOOST_TEST(seconds < 0.5, family.name << ", " << levels << " levels: " << seconds << " s");
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(nesting_time)

BOOST_AUTO_TEST_CASE(deep_nests_cost_no_more_than_their_length) {
  for (const Family& family : nests()) {
    check_short_nests(family);
    const double seconds = processor_seconds(family.text(levels_of_a_megabyte(family)));
    BOOST_TEST(seconds < 2, family.name << ": " << seconds << " s");
  }
}

BOOST_AUTO_TEST_CASE(nests_without_their_ends_cost_no_more) {
  for (Family family : nests()) {
    family.inside.clear();
    family.close.clear();
    check_short_nests(family);
  }
}

BOOST_AUTO_TEST_CASE(long_chains_take_seconds_at_most) {
  for (const Family& family : chains()) {
    const std::size_t terms = std::min<std::size_t>(100'000, levels_of_a_megabyte(family));
    const double seconds = processor_seconds(family.text(terms));
    BOOST_TEST(seconds < 5, family.name << ": " << seconds << " s");
  }
}

// The text is four times as long: linear work takes four times as long, quadratic work sixteen times. The bound is
// between the two, because caches are slower for larger texts.
BOOST_AUTO_TEST_CASE(time_grows_with_the_length_and_no_faster) {
  for (const Family& family : chains()) {
    const std::size_t terms = std::min<std::size_t>(20'000, 200'000 / family.open.size());
    const std::string text = family.text(terms);
    const std::string longer = family.text(4 * terms);
    double least = 10;
    double least_longer = 10;
    // A time of a few milliseconds is too short to compare.
    const auto is_in_proportion = [&] { return least_longer < 0.02 || least_longer < 8 * least; };
    // A busy machine disturbs one measurement or another; the least of many are undisturbed.
    for (int i = 0; i < 3 || (i < 12 && !is_in_proportion()); ++i) {
      least = std::min(least, processor_seconds(text));
      least_longer = std::min(least_longer, processor_seconds(longer));
    }
    BOOST_TEST(is_in_proportion(),
               family.name << ": " << least << " s, then " << least_longer << " s");
  }
}

BOOST_AUTO_TEST_CASE(stars_that_multiply_take_seconds_at_most) {
  BOOST_TEST(processor_seconds(multiplying_stars()) < 10);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
