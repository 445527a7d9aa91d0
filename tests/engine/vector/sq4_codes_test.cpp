#include "engine/vector/sq4_codes.hpp"

#include "engine/vector/coded_scan.hpp"
#include "tests/engine/vector/vector_fixture.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <numeric>

using namespace cairn;
using test::Floats;
using test::Metric;
namespace data = boost::unit_test::data;

namespace {

constexpr std::uint64_t seed = 71;

struct Coded {
  Coded(Metric metric, std::size_t dimension, std::size_t count, float scale = 1)
      : maker(seed, dimension, std::min<std::size_t>(dimension, 16)),
        measure(engine::make_metric(metric, static_cast<std::uint32_t>(dimension))) {
    for (Floats vector : maker.make(count)) {
      for (float& component : vector) component *= scale;
      vectors.push_back(test::stored(vector, metric));
    }
    codes = engine::Sq4Codes(measure, count, row_of());
  }
  [[nodiscard]] std::function<const float*(std::uint32_t)> row_of() const {
    return [this](std::uint32_t i) { return vectors[i].data(); };
  }

  test::VectorMaker maker;
  engine::DistanceMetric measure;
  std::vector<Floats> vectors;
  engine::Sq4Codes codes;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(sq4_codes)

BOOST_DATA_TEST_CASE(codes_put_the_nearest_in_front,
                     data::make({1, 2, 3}) * data::make({33, 100, 384}), metric_number, dimension) {
  const auto metric = static_cast<Metric>(metric_number);
  Coded coded(metric, static_cast<std::size_t>(dimension), 2'000);
  double found = 0;
  constexpr int queries = 20;
  for (int i = 0; i < queries; ++i) {
    const Floats query = test::stored(coded.maker.make(), metric);
    std::vector<std::int32_t> scores(coded.vectors.size());
    coded.codes.score(coded.codes.prepare(query), 0, scores.size(), scores.data());
    std::vector<std::uint32_t> order(scores.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, [&](auto a, auto b) { return scores[a] > scores[b]; });
    const auto nearest = std::ranges::min_element(coded.vectors, {}, [&](const Floats& vector) {
      return -test::naive_score(query, vector, metric);
    });
    const auto best = static_cast<std::uint32_t>(nearest - coded.vectors.begin());
    found += std::find(order.begin(), order.begin() + 30, best) != order.begin() + 30;
  }
  BOOST_TEST(found >= queries - 1, "seed " << seed);
}

BOOST_AUTO_TEST_CASE(scores_of_a_range_and_of_rows_are_the_same) {
  for (const Metric metric : {Metric::cosine, Metric::euclidean}) {
    Coded coded(metric, 130, 300);
    const auto query = coded.codes.prepare(coded.vectors[7]);
    std::vector<std::uint32_t> rows(300);
    std::iota(rows.begin(), rows.end(), 0U);
    std::vector<std::int32_t> one(300), other(300);
    coded.codes.score(query, 0, 300, one.data());
    coded.codes.score(query, rows, other.data());
    BOOST_TEST(one == other, boost::test_tools::per_element());
  }
}

// Products and norms far outside of what integers hold, constant components, the zero vector.
BOOST_AUTO_TEST_CASE(no_vector_is_too_long_or_too_short) {
  for (const float scale : {1e17F, 1e-17F, 0.0F}) {
    Coded coded(Metric::euclidean, 40, 600, scale);
    const auto& query = coded.vectors[5];
    const auto prepared = coded.codes.prepare(query);
    std::vector<std::int32_t> scores(600);
    coded.codes.score(prepared, 0, scores.size(), scores.data());
    if (scale == 0) continue;
    const auto better =
        std::ranges::count_if(scores, [&](auto score) { return score > scores[5]; });
    BOOST_TEST(better < 5);
  }
}

BOOST_AUTO_TEST_CASE(the_best_are_kept_whatever_the_order) {
  std::mt19937 random(seed);
  for (const std::size_t keep : {1U, 7U, 100U}) {
    std::vector<std::int32_t> scores(1'000);
    for (auto& score : scores) score = static_cast<std::int32_t>(random() % 100'000);
    const std::size_t wanted = (keep + 1) / 2;
    engine::QuantizedTopK top(keep, wanted);
    BOOST_TEST(!top.wanted_score().has_value());
    for (std::uint32_t i = 0; i < scores.size(); ++i)
      if (scores[i] > top.bound()) top.offer({scores[i], i});
    std::vector<std::int32_t> kept;
    for (const auto& item : top.best()) kept.push_back(item.score);
    std::ranges::sort(kept, std::greater());
    std::ranges::sort(scores, std::greater());
    scores.resize(keep);
    BOOST_TEST(kept == scores, boost::test_tools::per_element());
    BOOST_TEST(top.wanted_score().value() == scores[wanted - 1]);
  }
}

BOOST_AUTO_TEST_CASE(what_as_many_reach_as_are_wanted_is_known_at_any_time) {
  std::mt19937 random(seed);
  for (const std::size_t wanted : {1U, 10U, 300U}) {
    engine::QuantizedTopK top(2 * wanted, wanted);
    std::vector<std::int32_t> scores;
    for (std::uint32_t i = 0; i < 5'000; ++i) {
      scores.push_back(static_cast<std::int32_t>(random() % 2'000));  // many of them alike
      if (scores.back() > top.bound()) top.offer({scores.back(), i});
      if (i % 97 != 0) continue;
      std::ranges::sort(scores, std::greater());
      BOOST_TEST(top.wanted_score().has_value() == (scores.size() >= wanted));
      if (scores.size() >= wanted) BOOST_TEST(*top.wanted_score() == scores[wanted - 1]);
    }
  }
  engine::QuantizedTopK none(5, 0);
  for (std::uint32_t i = 0; i < 1'000; ++i) none.offer({1, i});
  BOOST_TEST(!none.wanted_score().has_value());
}

BOOST_AUTO_TEST_CASE(the_first_of_the_best_are_in_front) {
  std::mt19937 random(seed);
  engine::QuantizedTopK top(50, 10);
  for (std::uint32_t i = 0; i < 200; ++i) top.offer({static_cast<std::int32_t>(random() % 100), i});
  const auto best = top.best(20);
  BOOST_TEST(best.size() == 50U);
  const auto is_less = [](const auto& a, const auto& b) { return a.score < b.score; };
  BOOST_TEST(std::min_element(best.begin(), best.begin() + 20, is_less)->score >=
             std::max_element(best.begin() + 20, best.end(), is_less)->score);
}

BOOST_AUTO_TEST_SUITE_END()
