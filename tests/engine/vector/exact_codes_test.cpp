// Exact searches that read 8-bit codes first find what a comparison of all vectors finds, bit for
// bit. Bounds are tested where they are tight: with losses parallel to the query.
#include "engine/vector/exact_codes.hpp"

#include "engine/vector/search_plan.hpp"
#include "tests/engine/vector/large_index.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <thread>
#include <vector>

using namespace cairn;
using engine::SearchStrategy;
using test::Floats;
using test::Metric;

namespace {

constexpr unsigned seed = 211;
const auto metrics = boost::unit_test::data::make({1, 2, 3});

/// Vectors as rows of one array, and their codes.
struct Coded {
  Coded(Metric metric, const std::vector<Floats>& vectors, Floats centre)
      : measure(engine::make_metric(metric, static_cast<std::uint32_t>(centre.size()))),
        codes(measure, std::move(centre)),
        elements(vectors.size() * codes.element_bytes()) {
    for (const Floats& vector : vectors) rows.insert(rows.end(), vector.begin(), vector.end());
    for (std::size_t i = 0; i < vectors.size(); ++i) {
      slots.push_back(static_cast<std::uint32_t>(i));
      codes.encode(row(i), &elements[i * codes.element_bytes()]);
    }
    exact.emplace(measure, codes, engine::ElementPlaces{elements.data(), codes.element_bytes()},
                  engine::RowPlaces{reinterpret_cast<const char*>(rows.data()),
                                    measure.dimension * sizeof(float)},
                  vectors.size());
  }

  [[nodiscard]] const float* row(std::size_t i) const { return &rows[i * measure.dimension]; }
  [[nodiscard]] std::vector<double> bounds(const Floats& query) const {
    std::vector<double> least(slots.size());
    exact->least_distances(exact->prepare(query.data()), slots, least.data());
    return least;
  }
  [[nodiscard]] double distance(const Floats& query, std::size_t i) const {
    return double{measure.kernels.pair(query.data(), row(i), measure.dimension)};
  }

  engine::DistanceMetric measure;
  engine::Sq8Codes codes;
  Floats rows;
  std::vector<char> elements;
  std::vector<std::uint32_t> slots;
  std::optional<engine::ExactCodes> exact;
};

float normal(std::mt19937& random) { return std::normal_distribution<float>()(random); }

/// Bytes of equal magnitude with random signs, after a first one that sets the scale to 1.
Floats whole_numbers(std::mt19937& random, std::size_t dimension, float size) {
  Floats vector(dimension);
  for (float& x : vector) x = random() % 2 == 0 ? size : -size;
  vector[0] = 127;
  return vector;
}

/// Moves every component but the first by `by`, in the direction of the sign of `of`.
Floats moved(Floats vector, const Floats& of, float by) {
  for (std::size_t j = 1; j < vector.size(); ++j) vector[j] += of[j] > 0 ? by : -by;
  return vector;
}

/// Vectors of several kinds: near duplicates, outliers in one dimension, few components, zeros.
std::vector<Floats> odd_vectors(Metric metric, std::size_t dimension, std::size_t count) {
  std::mt19937 random(seed);
  Floats base(dimension);
  for (float& x : base) x = normal(random);
  std::vector<Floats> made;
  for (std::size_t i = 0; i < count; ++i) {
    Floats vector(dimension);
    for (float& x : vector) x = normal(random);
    // Near duplicates, whose differences are smaller or about as large as what codes lose.
    const float apart = i % 2 == 0 ? 1e-3F : 1e-2F;
    if (i % 5 == 1)
      for (std::size_t j = 0; j < dimension; ++j) vector[j] = base[j] + apart * vector[j];
    if (i % 5 == 2) vector[random() % dimension] = 1'000;
    if (i % 5 == 3)
      for (float& x : vector) x *= 1e-3F;
    if (i % 25 == 4) {  // few components, or none
      std::ranges::fill(vector, 0.0F);
      if (metric == Metric::cosine || i % 50 == 4) vector[random() % dimension] = 1;
    }
    if (i % 25 == 9 && i > 0) vector = made[i - 1];  // ties
    made.push_back(std::move(vector));
  }
  return made;
}

void check_equal(const engine::Neighbors& found, const engine::Neighbors& wanted) {
  BOOST_REQUIRE(found.hits.size() == wanted.hits.size());
  for (std::size_t i = 0; i < found.hits.size(); ++i) {
    BOOST_TEST(found.hits[i].id == wanted.hits[i].id, "hit " << i);
    BOOST_TEST(found.hits[i].score == wanted.hits[i].score, "hit " << i);  // all bits
  }
}

/// Runs a search exactly, with bounds if there are any, and by comparing all vectors.
void check_same(const engine::VectorState& state, engine::VectorSearch search) {
  search.exact = true;
  const auto found = state.search(search).value();
  search.exact = false;
  search.strategy = SearchStrategy::exact;
  check_equal(found, state.search(search).value());
}

/// Vectors in a segment of 8-bit codes, some replaced, erased, or added since the seal.
std::unique_ptr<engine::VectorIndex> index_of(Metric metric, std::uint32_t dimension) {
  constexpr std::size_t ordinary = 800, odd = 750;
  auto index =
      test::make_index({.dimension = dimension, .metric = metric, .m = 4, .ef_construction = 8});
  test::VectorMaker maker(seed, dimension, std::min<std::size_t>(dimension, 24));
  index->apply(test::puts(maker.make(ordinary)), 1);
  test::seal(*index);
  // The codes of the first vectors serve the others too, however badly.
  const auto vectors = odd_vectors(metric, dimension, odd);
  index->apply(test::puts(vectors, ordinary), 2);
  test::seal(*index);
  std::vector<engine::VectorChange> changes = test::puts(maker.make(40), 7, 31);
  for (std::uint64_t id = 5; id < ordinary + odd; id += 40) changes.push_back({id, std::nullopt});
  index->apply(changes, 3);
  return index;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(exact_codes)

BOOST_DATA_TEST_CASE(no_vector_is_nearer_than_its_bound, metrics, metric_number) {
  const auto metric = static_cast<Metric>(metric_number);
  for (const std::size_t dimension : {1U, 2U, 3U, 5U, 16U, 33U, 100U, 384U, 800U}) {
    std::vector<Floats> vectors = odd_vectors(metric, dimension, 300);
    for (Floats& vector : vectors) vector = test::stored(vector, metric);
    const Coded coded(metric, vectors, vectors[0]);
    for (std::size_t q = 0; q < vectors.size(); q += 7) {
      const std::vector<double> least = coded.bounds(vectors[q]);
      for (std::size_t i = 0; i < vectors.size(); ++i)
        BOOST_TEST(!(least[i] > coded.distance(vectors[q], i)),
                   "dimension " << dimension << ", query " << q << ", vector " << i);
    }
  }
}

// The vector's code loses .45 of each component, in the direction of the query.
BOOST_DATA_TEST_CASE(a_bound_holds_for_a_loss_parallel_to_the_query, metrics, metric_number) {
  const auto metric = static_cast<Metric>(metric_number);
  std::mt19937 random(seed);
  for (const std::size_t dimension : {4U, 40U, 400U}) {
    const Floats signs = whole_numbers(random, dimension, 1);
    const Floats code = whole_numbers(random, dimension, 60);
    const Floats vector = moved(code, signs, 0.45F);
    Floats query = signs;
    query[0] = 0;
    if (metric == Metric::euclidean) query = moved(code, signs, 5);
    const Coded coded(metric, {vector}, Floats(dimension));
    const double least = coded.bounds(query)[0], distance = coded.distance(query, 0);
    BOOST_TEST(least <= distance, "dimension " << dimension);
    // The bound is not lower than it must be, either.
    BOOST_TEST(least >= distance - 0.05 * std::abs(distance), "dimension " << dimension);
  }
}

// The query's code loses .45 of each component, in the direction of the vector.
BOOST_DATA_TEST_CASE(a_bound_holds_for_a_loss_of_the_query, metrics, metric_number) {
  const auto metric = static_cast<Metric>(metric_number);
  std::mt19937 random(seed);
  for (const std::size_t dimension : {40U, 400U}) {
    const Floats code = whole_numbers(random, dimension, 60);
    Floats vector = moved(Floats(dimension), code, 127);
    vector[0] = 0;
    if (metric == Metric::euclidean) vector = moved(code, code, 5);
    const Floats query = moved(code, code, 0.45F);
    const Coded coded(metric, {vector}, Floats(dimension));
    const double least = coded.bounds(query)[0], distance = coded.distance(query, 0);
    BOOST_TEST(least <= distance, "dimension " << dimension);
    BOOST_TEST(least >= distance - 0.05 * std::abs(distance), "dimension " << dimension);
  }
}

BOOST_DATA_TEST_CASE(bounds_change_no_hit, metrics, metric_number) {
  const auto metric = static_cast<Metric>(metric_number);
  for (const std::uint32_t dimension : {1U, 31U, 32U, 48U, 100U, 384U, 800U}) {
    BOOST_TEST_CONTEXT("dimension " << dimension) {
      const auto index = index_of(metric, dimension);
      const auto state = index->state();
      const std::size_t before = state->memory().codes;
      const codec::Bitmap allowed = test::random_ids(seed, 1'550, 0.4);
      std::mt19937 random(seed);
      std::vector<Floats> queries = odd_vectors(metric, dimension, 30);
      queries.push_back(test::VectorMaker(seed, dimension, 1).make());
      for (const Floats& query : queries)
        for (const codec::Bitmap* filter : {static_cast<const codec::Bitmap*>(nullptr), &allowed})
          for (const std::size_t k : {1U, 10U, 100U}) {
            check_same(*state, {.query = query, .k = k, .allowed = filter});
            if (k == 10) {
              const auto hits =
                  state->search({.query = query, .k = 60, .exact = true, .allowed = filter})
                      .value()
                      .hits;
              check_same(
                  *state,
                  {.query = query, .k = k, .allowed = filter, .min_score = hits.back().score});
            }
          }
      // Codes of 32 components and more take at most half the bytes of a vector.
      BOOST_TEST((state->memory().codes > before) == (dimension >= 32));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_batch_finds_the_same_as_each_search_alone) {
  const auto index = index_of(Metric::cosine, 64);
  const auto state = index->state();
  const auto queries = odd_vectors(Metric::cosine, 64, 20);
  std::vector<engine::VectorSearch> searches;
  for (const Floats& query : queries) {
    searches.push_back({.query = query, .exact = true});
    searches.push_back({.query = query, .strategy = SearchStrategy::exact});
  }
  for (int round = 0; round < 2; ++round) {
    const auto found = state->search_all(searches).value();
    for (std::size_t i = 0; i < found.size(); i += 2) check_equal(found[i], found[i + 1]);
  }
}

BOOST_AUTO_TEST_CASE(the_first_exact_search_makes_no_bounds) {
  const test::Large large(Metric::cosine);
  const auto state = large.index->state();
  const std::size_t before = state->memory().codes;
  const auto search = [&] {
    (void)state->search({.query = large.queries[0], .exact = true}).value();
    return state->memory().codes - before;
  };
  BOOST_TEST(search() == 0U);
  BOOST_TEST(search() == 2 * sizeof(float) * test::Large::count);
  BOOST_TEST(search() == 2 * sizeof(float) * test::Large::count);
}

// The search that made bounds of all vectors would take far longer than one of a few vectors alone.
BOOST_AUTO_TEST_CASE(searches_of_few_vectors_make_no_bounds) {
  engine::ExactCodesOnDemand codes;
  int made = 0;
  const auto search = [&](std::size_t comparisons) {
    return codes.get(comparisons, 1'600, [&]() -> std::unique_ptr<const engine::ExactCodes> {
      ++made;
      return nullptr;
    });
  };
  for (int i = 0; i < 100; ++i) BOOST_TEST(search(99) == nullptr);
  BOOST_TEST(made == 0);
  for (int i = 0; i < 16; ++i) BOOST_TEST(search(100) == nullptr);
  BOOST_TEST(made == 0);
  // Without memory for the bounds, the search goes on without them, and the next attempt is later.
  for (int i = 0; i < 17; ++i) BOOST_TEST(search(100) == nullptr);
  BOOST_TEST(made == 1);
}

BOOST_AUTO_TEST_CASE(threads_that_search_at_once_find_the_same) {
  const auto index = index_of(Metric::euclidean, 64);
  const auto state = index->state();
  const auto queries = odd_vectors(Metric::euclidean, 64, 12);
  std::vector<engine::Neighbors> wanted;
  for (const Floats& query : queries)
    wanted.push_back(state->search({.query = query, .strategy = SearchStrategy::exact}).value());
  std::vector<std::vector<engine::Neighbors>> found(4);
  {
    std::vector<std::jthread> threads;
    for (auto& mine : found)
      threads.emplace_back([&] {
        for (const Floats& query : queries)
          mine.push_back(state->search({.query = query, .exact = true}).value());
      });
  }
  for (const auto& mine : found)
    for (std::size_t i = 0; i < queries.size(); ++i) check_equal(mine[i], wanted[i]);
}

BOOST_AUTO_TEST_CASE(bounds_are_used_where_most_vectors_are_excluded) {
  BOOST_TEST(!engine::pays_to_bound(200, 3, false));
  BOOST_TEST(engine::pays_to_bound(1'000, 18, false));
  BOOST_TEST(!engine::pays_to_bound(1'000, 400, false));
  BOOST_TEST(!engine::pays_to_bound(1'000, 1'008, false));
  // A cut excludes vectors, however many are wanted.
  BOOST_TEST(engine::pays_to_bound(1'000, 1'008, true));
}

BOOST_AUTO_TEST_SUITE_END()
