#include "engine/vector/coded_scan.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <limits>

using namespace cairn;
using namespace cairn::engine;

namespace {

constexpr std::uint32_t vector_count = 8;

/// Codes that score 100, 90, 80, ... and vectors that score so much more.
struct Sample {
  explicit Sample(std::array<int, vector_count> errors) : slots({1, 2, 3, 4, 5, 6, 7, 8}, {}) {
    for (std::uint32_t i = 0; i < vector_count; ++i) {
      items.push_back({100 - 10 * static_cast<std::int32_t>(i), i});
      compared.push_back({i, -static_cast<float>(items.back().score + errors[i])});
    }
  }
  [[nodiscard]] CodeErrorInput input() const {
    return {measure, query, coded, slots, items, compared};
  }

  DistanceMetric measure = make_metric(codec::Metric::dot_product, 1);
  std::array<float, 1> query = {1};
  CodedQuery coded;
  InternalIds slots;
  std::vector<QuantizedTopK::Item> items;
  std::vector<SlotDistance> compared;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(code_errors)

BOOST_AUTO_TEST_CASE(codes_without_an_error_leave_out_all_behind_the_last_hit) {
  const Sample exact({});
  BOOST_TEST(least_hit_score(exact.input(), 3) == 80);
  BOOST_TEST(least_hit_score_of_best(exact.input(), 3) == 80);
}

BOOST_AUTO_TEST_CASE(of_too_few_nothing_is_known) {
  const Sample exact({});
  constexpr double nothing = -std::numeric_limits<double>::infinity();
  for (const std::size_t k : {std::size_t{0}, std::size_t{vector_count} + 1}) {
    BOOST_TEST(least_hit_score(exact.input(), k) == nothing);
    BOOST_TEST(least_hit_score_of_best(exact.input(), k) == nothing);
  }
}

// An error that all have in common is nothing to go by where only the best were compared.
BOOST_AUTO_TEST_CASE(luck_that_put_them_in_front_is_allowed_for_on_the_other_side) {
  const Sample lucky({-5, -5, -5, -5, -5, -5, -5, -5});
  BOOST_TEST(least_hit_score(lucky.input(), 3) == 80);
  BOOST_TEST(least_hit_score_of_best(lucky.input(), 3) == 75 - 4 * 5);
  const Sample mixed({-5, 5, -5, 5, -5, 5, -5, 5});
  BOOST_TEST(least_hit_score_of_best(mixed.input(), 1) == 95 - 4 * 5);
}

// Those that are compared may leave out some of the items.
BOOST_AUTO_TEST_CASE(errors_are_those_of_the_ones_compared) {
  Sample some({});
  some.compared = {some.compared[1], some.compared[4], some.compared[6]};
  BOOST_TEST(least_hit_score(some.input(), 2) == 60);
}

BOOST_AUTO_TEST_SUITE_END()
