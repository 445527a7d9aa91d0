#include "engine/vector/partitioning.hpp"
#include "tests/engine/vector/vector_fixture.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>

using namespace cairn;
using test::Floats;
using test::Metric;
namespace data = boost::unit_test::data;

namespace {

constexpr std::uint64_t seed = 73;
constexpr std::size_t vector_count = 3 * engine::IvfCodes::block;

// All under one mean, which is the first vector halved.
struct Residuals {
  Residuals(Metric metric, std::uint32_t dimension)
      : measure(engine::make_metric(metric, dimension)), codes(measure, 3) {
    test::VectorMaker maker(seed, dimension, dimension);
    for (const Floats& vector : maker.make(vector_count + 10))
      vectors.push_back(test::stored(vector, metric));
    for (const float component : vectors[0]) mean.push_back(component / 2);
    for (std::size_t i = 0; i < vector_count; ++i) codes.set(i, vectors[i].data(), mean.data());
  }

  [[nodiscard]] codec::kernels::PreciseSums sums(const Floats& a, const Floats& b) const {
    return codec::kernels::precise_sums(a.data(), b.data(), a.size());
  }
  [[nodiscard]] double score(const Floats& query, std::size_t i) const {
    const auto both = sums(query, vectors[i]);
    return both.dot - (measure.metric == Metric::euclidean ? both.squared_b / 2 : 0);
  }

  engine::DistanceMetric measure;
  engine::IvfCodes codes;
  std::vector<Floats> vectors;
  Floats mean;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(ivf_codes)

// Of a normal distribution signs and a factor miss a part of pi / 2 - 1 of the square, and a product
// with it shrinks by the root of the dimension; on average there is none.
BOOST_DATA_TEST_CASE(scores_are_near_and_right_on_average,
                     data::make({1, 2, 3}) * data::make({5, 64, 100, 131}), metric_number,
                     dimension) {
  const Residuals residuals(static_cast<Metric>(metric_number),
                            static_cast<std::uint32_t>(dimension));
  double off = 0, squares = 0, seen = 0;
  for (std::size_t q = vector_count; q < residuals.vectors.size(); ++q) {
    const Floats& query = residuals.vectors[q];
    const auto base = static_cast<float>(residuals.sums(query, residuals.mean).dot);
    std::vector<float> scores(vector_count);
    const auto prepared = residuals.codes.prepare(query);
    residuals.codes.score(prepared, 0, 1, base, {}, scores.data());
    residuals.codes.score(prepared, 1, 2, base, {}, scores.data() + 64, 1);
    const double length = std::sqrt(residuals.sums(query, query).squared_b);
    for (std::size_t i = 0; i < vector_count; ++i, ++seen) {
      const double rest =
          std::sqrt(residuals.sums(residuals.mean, residuals.vectors[i]).squared_difference);
      const double error = (double{scores[i]} - residuals.score(query, i)) / (length * rest);
      off += error;
      squares += error * error;
    }
  }
  const double deviation = std::sqrt(squares / seen);
  BOOST_TEST(deviation * std::sqrt(dimension) < 0.9, "seed " << seed << ", " << deviation);
  BOOST_TEST(std::abs(off / seen) < 0.3 * deviation, "seed " << seed << ", " << off / seen);
}

BOOST_AUTO_TEST_CASE(units_add_multiply_and_allow_for_errors) {
  const Residuals residuals(Metric::cosine, 64);
  const Floats& query = residuals.vectors[vector_count];
  const auto prepared = residuals.codes.prepare(query);
  std::vector<float> plain(64), scaled(64);
  residuals.codes.score(prepared, 1, 1, 2, {}, plain.data());
  residuals.codes.score(prepared, 1, 1, 2, {3, 10, 0.5F}, scaled.data());
  for (std::size_t i = 0; i < 64; ++i)
    BOOST_TEST(scaled[i] == 10 * (plain[i] + 3 + 0.5F * residuals.codes.factor(64 + i)),
               boost::test_tools::tolerance(1e-4F));
}

BOOST_AUTO_TEST_CASE(a_vector_on_its_mean_has_the_score_of_the_mean) {
  const engine::DistanceMetric measure = engine::make_metric(Metric::dot_product, 6);
  engine::IvfCodes codes(measure, 1);
  const Floats mean = {1, 2, 3, 4, 5, 6};
  codes.set(9, mean.data(), mean.data());
  std::vector<float> scores(64);
  codes.score(codes.prepare(mean), 0, 1, 91, {}, scores.data());
  BOOST_TEST(scores[9] == 91);
}

BOOST_AUTO_TEST_SUITE_END()
