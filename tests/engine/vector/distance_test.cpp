#include "engine/vector/distance.hpp"

#include "engine/vector/vector_index.hpp"
#include "tests/engine/vector/vector_fixture.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>
#include <random>

using namespace cairn;
using cairn::engine::check_vector;
using cairn::test::Floats;
using codec::Metric;

namespace {

constexpr float infinite = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

double score(const Floats& a, const Floats& b, Metric metric) {
  const Floats query = test::stored(a, metric);
  return engine::Scorer(query, metric).score(test::stored(b, metric).data());
}

Floats drawn(std::mt19937& random) {
  Floats vector(33);
  for (float& component : vector) component = std::normal_distribution<float>()(random);
  return vector;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(vector_distance)

BOOST_AUTO_TEST_CASE(a_vector_of_another_dimension_is_refused_with_both_numbers) {
  const auto status = check_vector(Floats{1, 2}, 3, Metric::cosine, "property \"e\" of node 7");
  BOOST_TEST_REQUIRE(!status.has_value());
  BOOST_TEST((status.error().code == ErrorCode::invalid_argument));
  BOOST_TEST(status.error().message ==
             "property \"e\" of node 7 has 2 components, the index takes 3");
}

BOOST_AUTO_TEST_CASE(a_component_that_is_not_finite_is_named) {
  for (const float bad : {infinite, -infinite, not_a_number}) {
    const auto status = check_vector(Floats{1, bad, 2}, 3, Metric::euclidean, "v");
    BOOST_TEST_REQUIRE(!status.has_value());
    BOOST_TEST(status.error().message == "v: component 1 is not a finite number");
  }
}

// The distance in single precision, with its margin, bounds the distance in double precision, for the
// cosine and Euclidean metrics.
BOOST_AUTO_TEST_CASE(no_vector_lies_farther_than_its_float_distance_allows) {
  std::mt19937 random(11);
  for (const Metric metric : {Metric::cosine, Metric::euclidean})
    for (int i = 0; i < 2'000; ++i) {
      const auto measure = engine::make_metric(metric, 33);
      const Floats query = test::stored(drawn(random), metric);
      const Floats row = i % 3 == 0 ? query : test::stored(drawn(random), metric);
      const float distance = measure.kernels.pair(query.data(), row.data(), 33);
      const double precise = engine::Scorer(query, metric).compare(row.data()).distance;
      BOOST_TEST_REQUIRE(precise <= engine::farthest_distance(measure, distance));
      BOOST_TEST_REQUIRE(engine::farthest_float(
                             measure, engine::farthest_distance(measure, distance)) >= distance);
    }
  BOOST_TEST(
      std::isinf(engine::farthest_distance(engine::make_metric(Metric::dot_product, 33), -1.0F)));
}

BOOST_AUTO_TEST_CASE(zero_is_refused_under_cosine_alone) {
  BOOST_TEST(!check_vector(Floats{0, 0}, 2, Metric::cosine, "v").has_value());
  BOOST_TEST(check_vector(Floats{0, 0}, 2, Metric::dot_product, "v").has_value());
  BOOST_TEST(check_vector(Floats{0, 0}, 2, Metric::euclidean, "v").has_value());
}

BOOST_AUTO_TEST_CASE(a_vector_whose_distances_would_be_infinite_is_refused) {
  const Floats longest{3e18f, 0}, too_long{4e18f, 0}, largest(2, std::numeric_limits<float>::max());
  BOOST_TEST(check_vector(longest, 2, Metric::euclidean, "v").has_value());
  BOOST_TEST(!check_vector(too_long, 2, Metric::euclidean, "v").has_value());
  BOOST_TEST(!check_vector(too_long, 2, Metric::dot_product, "v").has_value());
  BOOST_TEST(check_vector(largest, 2, Metric::cosine, "v").has_value());
  const auto kernels = engine::make_metric(Metric::euclidean, 2).kernels;
  const Floats opposite{-3e18f, 0};
  BOOST_TEST(std::isfinite(kernels.pair(longest.data(), opposite.data(), 2)));
}

BOOST_AUTO_TEST_CASE(cosine_stores_unit_vectors_whatever_the_length) {
  for (const float length : {1e-40f, 1e-20f, 1.0f, 1e20f, 3e38f}) {
    const Floats unit = test::stored({length, length}, Metric::cosine);
    BOOST_TEST(unit[0] == static_cast<float>(std::sqrt(0.5)), boost::test_tools::tolerance(1e-5f));
    BOOST_TEST(unit[0] == unit[1]);
    BOOST_TEST(engine::is_storable(unit, Metric::cosine));
  }
}

BOOST_AUTO_TEST_CASE(the_other_metrics_store_what_is_given) {
  const Floats given{3, -4};
  BOOST_TEST(test::stored(given, Metric::dot_product) == given);
  BOOST_TEST(test::stored(given, Metric::euclidean) == given);
}

BOOST_AUTO_TEST_CASE(what_was_never_stored_is_not_storable) {
  BOOST_TEST(!engine::is_storable(Floats{3, 4}, Metric::cosine));
  BOOST_TEST(!engine::is_storable(Floats{not_a_number, 1}, Metric::cosine));
  BOOST_TEST(!engine::is_storable(Floats{infinite, 1}, Metric::euclidean));
  BOOST_TEST(!engine::is_storable(Floats{1e30f, 1}, Metric::dot_product));
  BOOST_TEST(engine::is_storable(Floats{3, 4}, Metric::euclidean));
}

BOOST_AUTO_TEST_CASE(scores_are_those_of_neo4j) {
  BOOST_TEST(score({1, 0}, {5, 0}, Metric::cosine) == 1.0);
  BOOST_TEST(score({1, 0}, {0, 2}, Metric::cosine) == 0.5);
  BOOST_TEST(score({1, 0}, {-3, 0}, Metric::cosine) == 0.0);
  BOOST_TEST(score({1, 2}, {1, 2}, Metric::euclidean) == 1.0);
  BOOST_TEST(score({0, 0}, {3, 0}, Metric::euclidean) == 0.1);
  BOOST_TEST(score({1, 2}, {3, 4}, Metric::dot_product) == 6.0);
}

BOOST_AUTO_TEST_CASE(the_cosine_score_with_itself_is_exactly_one) {
  const std::uint64_t seed = 5;
  BOOST_TEST_CONTEXT("seed " << seed)
  for (const Floats& vector : test::VectorMaker(seed, 77, 5).make(200))
    BOOST_TEST(score(vector, vector, Metric::cosine) == 1.0);
}

BOOST_DATA_TEST_CASE(distances_order_vectors_as_scores_do, boost::unit_test::data::make({1, 2, 3}),
                     metric_number) {
  const auto metric = static_cast<Metric>(metric_number);
  const std::uint64_t seed = 6;
  test::VectorMaker maker(seed, 40, 40);
  const auto kernels = engine::make_metric(metric, 40).kernels;
  const Floats query = test::stored(maker.make(), metric);
  const engine::Scorer scorer(query, metric);
  for (int i = 0; i < 200; ++i) {
    const Floats a = test::stored(maker.make(), metric), b = test::stored(maker.make(), metric);
    const float from_a = kernels.pair(query.data(), a.data(), 40);
    const float from_b = kernels.pair(query.data(), b.data(), 40);
    BOOST_TEST((from_a < from_b) == (scorer.score(a.data()) > scorer.score(b.data())),
               "seed " << seed << ", pair " << i);
  }
}

BOOST_AUTO_TEST_SUITE_END()
