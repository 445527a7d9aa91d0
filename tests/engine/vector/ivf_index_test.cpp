// Partitions, and the parameters that are calibrated with them: searches under filters that correlate with the query,
// and under filters that do not.
#include "engine/vector/ivf_index.hpp"

#include "engine/vector/cost_model.hpp"
#include "tests/engine/vector/vector_fixture.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <numeric>

using namespace cairn;
using namespace cairn::engine;
using test::Floats;
using test::Metric;
namespace data = boost::unit_test::data;

namespace {

constexpr std::uint64_t seed = 91;
constexpr std::size_t vector_count = 6'000;
constexpr std::uint32_t dimension = 64;

std::vector<std::uint64_t> all_ids() {
  std::vector<std::uint64_t> ids(vector_count);
  std::iota(ids.begin(), ids.end(), std::uint64_t{100});
  return ids;
}

struct Parted {
  explicit Parted(Metric metric)
      : maker(seed, dimension, 10), measure(make_metric(metric, dimension)), slots(all_ids(), {}) {
    for (const Floats& vector : maker.make(vector_count))
      vectors.push_back(test::stored(vector, metric));
    for (const Floats& vector : vectors) rows.push_back(vector.data());
    row_of = [this](std::uint32_t rank) { return rows[rank]; };
    partitioning.means = train_means(dimension, rows, {});
    BOOST_REQUIRE(
        assign_partitions(dimension, partitioning.means, rows, {}, partitioning.partition_of));
    codes = Sq4Codes(measure, vector_count, row_of);
    table = IvfIndex(measure, partitioning.means, partitioning.partition_of, row_of);
  }

  static const Parted& of(Metric metric) {
    static const Parted cosine(Metric::cosine), dot(Metric::dot_product),
        euclidean(Metric::euclidean);
    if (metric == Metric::cosine) return cosine;
    return metric == Metric::euclidean ? euclidean : dot;
  }

  /// By rank, nearest first.
  [[nodiscard]] std::vector<std::uint32_t> order(const Floats& query) const {
    std::vector<float> distances(vector_count);
    measure.kernels.rows(query.data(), rows.data(), vector_count, dimension, distances.data());
    std::vector<std::uint32_t> ranks(vector_count);
    std::iota(ranks.begin(), ranks.end(), 0U);
    std::ranges::sort(ranks, [&](auto a, auto b) { return distances[a] < distances[b]; });
    return ranks;
  }

  /// Their scores, best first; nobody comes twice.
  [[nodiscard]] std::vector<std::int32_t> best_ten(const Floats& query,
                                                   const codec::Bitmap& allowed,
                                                   const ProbeBounds& effort) const {
    constexpr float any_error = 1e3F;
    const OrdinalSelection selection(slots, &allowed);
    const LiveIds live{&slots, nullptr, 0, 0};
    const CodedQuery coded = codes.prepare(query);
    QuantizedTopK top(60, 10);
    table.search(query, {codes, coded, selection, live, any_error}, effort,
                 table.plan_probes(query), top);
    std::vector<std::int32_t> scores;
    std::vector<std::uint32_t> ranks;
    for (const auto& item : top.best()) {
      BOOST_TEST(allowed.contains(slots.entity(item.rank)));
      scores.push_back(item.score);
      ranks.push_back(item.rank);
    }
    std::ranges::sort(ranks);
    BOOST_TEST((std::ranges::adjacent_find(ranks) == ranks.end()));
    std::ranges::sort(scores, std::greater());
    scores.resize(std::min<std::size_t>(scores.size(), 10));
    return scores;
  }

  [[nodiscard]] double recall(const Floats& query, const codec::Bitmap* allowed,
                              double reach) const {
    const OrdinalSelection selection(slots, allowed);
    const LiveIds live{&slots, nullptr, 0, 0};
    const CodedQuery coded = codes.prepare(query);
    QuantizedTopK top(60, 10);
    table.search(query, {codes, coded, selection, live}, {reach}, table.plan_probes(query), top);
    std::vector<std::uint32_t> found;
    for (const auto& item : top.best()) found.push_back(item.rank);
    std::ranges::sort(found);
    double hits = 0, wanted = 0;
    for (const std::uint32_t rank : order(query)) {
      if (allowed != nullptr && !allowed->contains(slots.entity(rank))) continue;
      hits += std::ranges::binary_search(found, rank);
      if (++wanted == 10) break;
    }
    BOOST_TEST(found.size() >= static_cast<std::size_t>(wanted));
    return wanted > 0 ? hits / wanted : 1;
  }

  test::VectorMaker maker;
  DistanceMetric measure;
  InternalIds slots;
  std::vector<Floats> vectors;
  std::vector<const float*> rows;
  std::function<const float*(std::uint32_t)> row_of;
  Partitioning partitioning;
  Sq4Codes codes;
  IvfIndex table;
};

// The entities at the places of an order that `is_in` names.
codec::Bitmap ids_at(const std::vector<std::uint32_t>& order,
                     const std::function<bool(std::size_t)>& is_in) {
  std::vector<std::uint64_t> some;
  for (std::size_t place = 0; place < vector_count; ++place)
    if (is_in(place)) some.push_back(100 + order[place]);
  return codec::Bitmap::from_unsorted(some);
}

std::vector<Floats> queries_of(Metric metric) {
  test::VectorMaker maker(seed, dimension, 10);
  (void)maker.make(vector_count);
  std::vector<Floats> queries;
  for (const Floats& query : maker.make(15)) queries.push_back(test::stored(query, metric));
  return queries;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(ivf_index)

// Of few partitions each is large, and a search reads as many times too much.
BOOST_AUTO_TEST_CASE(means_serve_on_until_there_are_four_times_as_many_vectors) {
  for (std::size_t rows = least_partitioned; rows < 2'000'000; rows += rows / 3) {
    const std::size_t means = count_means(rows);
    BOOST_TEST(means * means <= 8 * rows);
    BOOST_TEST(2 * rows < means * means);
    BOOST_TEST(serves_on(means, rows));
    BOOST_TEST(!serves_on(means, 4 * rows));
  }
}

BOOST_DATA_TEST_CASE(what_is_gathered_is_what_is_read_by_the_partition, data::make({1, 2, 3}),
                     metric) {
  const Parted& parted = Parted::of(static_cast<Metric>(metric));
  for (const Floats& query : queries_of(static_cast<Metric>(metric))) {
    const auto order = parted.order(query);
    const auto allowed = ids_at(order, [](std::size_t place) { return place % 3 == 1; });
    for (const double reach : {3.0, ProbeBounds::everything}) {
      ProbeBounds read{reach}, gathered{reach};
      gathered.place_ns = 1e9, gathered.gather_ns = 1;
      const auto by_partition = parted.best_ten(query, allowed, read);
      const auto by_itself = parted.best_ten(query, allowed, gathered);
      BOOST_TEST_REQUIRE(by_itself.size() == 10U);
      // What is left is gathered as of one bound, that rises while partitions are read.
      for (std::size_t i = 0; i < 10; ++i) BOOST_TEST(by_itself[i] >= by_partition[i]);
      if (reach == ProbeBounds::everything) BOOST_TEST(by_itself == by_partition);
    }
  }
}

BOOST_AUTO_TEST_CASE(every_vector_lies_with_its_nearest_mean) {
  const Parted& parted = Parted::of(Metric::euclidean);
  const auto& means = parted.partitioning.means;
  const std::size_t partitions = means.size() / dimension;
  BOOST_TEST(partitions == 128U);
  for (std::size_t i = 0; i < vector_count; i += 97) {
    double best = 1e30, own = 0;
    for (std::size_t c = 0; c < partitions; ++c) {
      const double distance =
          codec::kernels::precise_sums(parted.rows[i], means.data() + c * dimension, dimension)
              .squared_difference;
      best = std::min(best, distance);
      if (c == parted.partitioning.partition_of[i]) own = distance;
    }
    BOOST_TEST(own <= best * 1.0001);
  }
}

BOOST_AUTO_TEST_CASE(a_build_that_is_stopped_makes_no_partitions) {
  const Parted& parted = Parted::of(Metric::cosine);
  BOOST_TEST(train_means(dimension, parted.rows, [] { return true; }).empty());
}

// Of a normal distribution, one value in two thousand lies farther out. The right number is found when an index is
// calibrated; here, a fifth of the hits may be missed.
BOOST_DATA_TEST_CASE(little_is_missed_without_a_filter_and_under_any, data::make({1, 2, 3}),
                     metric_number) {
  const auto metric = static_cast<Metric>(metric_number);
  const Parted& parted = Parted::of(metric);
  std::mt19937_64 random(seed);
  double free = 0, unrelated = 0, near = 0, far = 0;
  const auto queries = queries_of(metric);
  for (const Floats& query : queries) {
    const auto order = parted.order(query);
    const auto tenth = ids_at(order, [&](std::size_t) { return random() % 10 == 0; });
    const auto nearest = ids_at(order, [](std::size_t place) { return place < vector_count / 10; });
    const auto farthest =
        ids_at(order, [](std::size_t place) { return place >= vector_count - vector_count / 10; });
    free += parted.recall(query, nullptr, 3.3);
    unrelated += parted.recall(query, &tenth, 3.3);
    near += parted.recall(query, &nearest, 3.3);
    far += parted.recall(query, &farthest, 3.3);
  }
  const auto queried = static_cast<double>(queries.size());
  for (const double sum : {free, unrelated, near, far})
    BOOST_TEST(sum / queried >= 0.8, "seed " << seed << ", recall " << sum / queried);
}

BOOST_AUTO_TEST_CASE(the_share_near_a_query_tells_how_a_filter_lies_to_it) {
  const Parted& parted = Parted::of(Metric::cosine);
  std::mt19937_64 random(seed);
  double free = 0, unrelated = 0, near = 0, far = 0;
  const auto queries = queries_of(Metric::cosine);
  for (const Floats& query : queries) {
    const auto share = [&](const codec::Bitmap* allowed) {
      const OrdinalSelection selection(parted.slots, allowed);
      return parted.table.share_near(parted.table.plan_probes(query), selection) /
             static_cast<double>(queries.size());
    };
    const auto order = parted.order(query);
    const auto fifth = ids_at(order, [&](std::size_t) { return random() % 5 == 0; });
    const auto nearest = ids_at(order, [](std::size_t place) { return place < vector_count / 5; });
    const auto farthest =
        ids_at(order, [](std::size_t place) { return place >= vector_count - vector_count / 5; });
    free += share(nullptr);
    unrelated += share(&fifth);
    near += share(&nearest);
    far += share(&farthest);
  }
  BOOST_TEST(free == 1.0, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(unrelated == 0.2, boost::test_tools::tolerance(0.3));
  BOOST_TEST(near > 0.5);
  BOOST_TEST(far < 0.05);
}

BOOST_AUTO_TEST_CASE(who_reaches_everything_finds_everything) {
  const Parted& parted = Parted::of(Metric::cosine);
  for (const Floats& query : queries_of(Metric::cosine))
    BOOST_TEST(parted.recall(query, nullptr, ProbeBounds::everything) >= 0.9);
}

BOOST_AUTO_TEST_CASE(fewer_than_wanted_are_all_found) {
  const Parted& parted = Parted::of(Metric::cosine);
  const auto few = codec::Bitmap::of_range(100, 107);
  for (const Floats& query : queries_of(Metric::cosine))
    BOOST_TEST(parted.recall(query, &few, 0) == 1.0);
}

BOOST_AUTO_TEST_CASE(the_farther_the_reach_the_more_is_found) {
  const Parted& parted = Parted::of(Metric::cosine);
  double before = 0;
  for (const double reach : {0.5, 2.0, 3.5, 5.0}) {
    double sum = 0;
    for (const Floats& query : queries_of(Metric::cosine))
      sum += parted.recall(query, nullptr, reach);
    BOOST_TEST(sum >= before, "seed " << seed << ", reach " << reach);
    before = sum;
  }
  BOOST_TEST(before >= 0.95 * 15, "seed " << seed);
}

BOOST_AUTO_TEST_CASE(a_cost_model_has_prices_and_goes_further_for_more_recall) {
  const Parted& parted = Parted::of(Metric::cosine);
  const auto found =
      calibrate({parted.measure, parted.slots, parted.codes, parted.table, parted.row_of});
  for (const double price :
       {found.float_ns, found.stream_ns, found.gather_ns, found.scan_ns, found.bit_word_ns})
    BOOST_TEST(price > 0);
  // Measured, and not what is there without a cost_model.
  BOOST_TEST(found.scan_ns != CostModel().scan_ns);
  BOOST_TEST(found.bit_word_ns != CostModel().bit_word_ns);
  BOOST_TEST(found.scan_ns < 1e6);
  BOOST_TEST(found.bit_word_ns < 1e3);
  for (std::size_t recall = 1; recall < 3; ++recall) {
    BOOST_TEST(found.rerank_per_hit[recall - 1] <= found.rerank_per_hit[recall]);
    BOOST_TEST(found.sign_reach[recall - 1] <= found.sign_reach[recall]);
    for (const auto* prices : {&found.all_partitions, &found.tenth_partitions}) {
      BOOST_TEST((*prices)[recall - 1].reach <= (*prices)[recall].reach);
      BOOST_TEST((*prices)[recall - 1].reach_of_one <= (*prices)[recall].reach_of_one);
    }
  }
  const auto at = [&](double share) {
    return found.partition_price(Accuracy::high, share).cost_ns;
  };
  BOOST_TEST(at(1) == found.all_partitions[2].cost_ns);
  BOOST_TEST(at(0.01) == found.tenth_partitions[2].cost_ns);
}

BOOST_AUTO_TEST_SUITE_END()
