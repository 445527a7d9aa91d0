// Vectors unlike embeddings: what is learned of stored vectors must hold for them too.
#include "tests/engine/vector/vector_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <optional>

using namespace cairn;
using test::Floats;
using test::Metric;

namespace {

constexpr std::uint32_t seed = 97;
constexpr std::size_t count = 5'000, queries = 25, dimension = 64;

using MakeVector = std::function<Floats(std::mt19937&)>;

/// Recall of the nearest ten among three of five, by codes.
double recall_by_codes(Metric metric, const MakeVector& make, const Floats& odd) {
  std::mt19937 random(seed);
  std::vector<Floats> vectors;
  for (std::size_t i = 0; i < count; ++i) vectors.push_back(make(random));
  if (!odd.empty()) vectors.push_back(odd);
  const auto index =
      test::make_index({.dimension = dimension, .metric = metric, .m = 4, .ef_construction = 8});
  test::NaiveIndex naive{metric, {}};
  index->apply(test::puts(vectors), 1);
  naive.apply(test::puts(vectors));
  test::seal(*index);
  std::vector<std::uint64_t> ids;
  for (std::uint64_t id = 0; id < count; ++id)
    if (id % 5 < 3) ids.push_back(id);
  const codec::Bitmap allowed = codec::Bitmap::from_sorted(ids);
  double sum = 0;
  for (std::size_t i = 0; i < queries; ++i) {
    const Floats query = make(random);
    const auto found =
        index->state()
            ->search(
                {.query = query, .allowed = &allowed, .strategy = engine::SearchStrategy::flat})
            .value();
    BOOST_TEST(found.hits.size() == 10U);
    sum += test::recall(found.hits, naive.search(query, 10, &allowed));
  }
  return sum / queries;
}

float normal(std::mt19937& random) { return std::normal_distribution<float>()(random); }

Floats plain(std::mt19937& random) {
  Floats vector(dimension);
  for (float& component : vector) component = normal(random);
  return vector;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(odd_vectors)

BOOST_AUTO_TEST_CASE(components_with_heavy_tails_are_found_by_their_signs) {
  const auto heavy = [](std::mt19937& random) {
    Floats vector = plain(random);
    for (float& x : vector) x = x * x * x * x * x;
    return vector;
  };
  BOOST_TEST(recall_by_codes(Metric::cosine, heavy, {}) >= 0.94, "seed " << seed);
}

BOOST_AUTO_TEST_CASE(few_components_that_are_not_zero_have_codes_alike) {
  const auto sparse = [](std::mt19937& random) {
    Floats vector(dimension);
    for (int i = 0; i < 4; ++i) vector[random() % dimension] = normal(random);
    vector[random() % dimension] = 1;
    return vector;
  };
  BOOST_TEST(recall_by_codes(Metric::cosine, sparse, {}) >= 0.94, "seed " << seed);
}

BOOST_AUTO_TEST_CASE(one_vector_that_is_very_long_does_not_blur_the_others) {
  BOOST_TEST(recall_by_codes(Metric::euclidean, plain, Floats(dimension, 1e14F)) >= 0.94,
             "seed " << seed);
}

// Their hits hardly differ, and lie in other directions than those of any vector that is stored.
BOOST_AUTO_TEST_CASE(questions_unlike_all_that_is_stored_are_answered_as_well) {
  std::mt19937 random(seed);
  std::vector<Floats> centres, vectors;
  for (int i = 0; i < 20; ++i) centres.push_back(plain(random));
  for (std::size_t i = 0; i < 9'000; ++i) {  // so that there are partitions
    Floats vector = centres[random() % centres.size()];
    for (float& x : vector) x += 0.05F * normal(random);
    vectors.push_back(std::move(vector));
  }
  for (const Metric metric : {Metric::cosine, Metric::euclidean}) {
    const auto index =
        test::make_index({.dimension = dimension, .metric = metric, .m = 4, .ef_construction = 8});
    test::NaiveIndex naive{metric, {}};
    index->apply(test::puts(vectors), 1);
    naive.apply(test::puts(vectors));
    test::seal(*index);
    // A filter that leaves out nothing, or next to nothing, changes nothing of that.
    std::vector<std::uint64_t> all(vectors.size());
    std::iota(all.begin(), all.end(), std::uint64_t{0});
    std::vector<std::uint64_t> most;
    std::ranges::copy_if(all, std::back_inserter(most), [](auto id) { return id % 100 != 99; });
    const auto every = codec::Bitmap::from_sorted(all), nearly = codec::Bitmap::from_sorted(most),
               but_one = codec::Bitmap::from_sorted(std::span(all).subspan(1));
    using Way = std::optional<engine::SearchStrategy>;
    for (const codec::Bitmap* allowed :
         {static_cast<const codec::Bitmap*>(nullptr), &every, &but_one, &nearly})
      for (const Way strategy : {Way(), Way(engine::SearchStrategy::flat)}) {
        double sum = 0;
        for (std::size_t i = 0; i < queries; ++i) {
          const Floats query = plain(random);
          const auto found =
              index->state()
                  ->search({.query = query, .allowed = allowed, .strategy = strategy})
                  .value();
          const bool compares_all = found.executor == VectorExecutor::flat ||
                                    (!strategy && found.executor == VectorExecutor::exact);
          BOOST_TEST(compares_all, to_string(found.executor));
          sum += test::recall(found.hits, naive.search(query, 10, allowed));
        }
        BOOST_TEST(sum / queries >= (allowed == nullptr ? 0.99 : 0.98),
                   "seed " << seed << ", allowed " << (allowed ? allowed->cardinality() : 0)
                           << (strategy ? ", asked" : ""));
      }
  }
}

BOOST_AUTO_TEST_SUITE_END()
