#include "engine/vector/coded_scan.hpp"

#include "tests/engine/vector/vector_fixture.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <numeric>

using namespace cairn;
using namespace cairn::engine;
using test::Floats;
using test::Metric;
namespace data = boost::unit_test::data;

BOOST_AUTO_TEST_SUITE(coded_scan)

namespace {

constexpr std::uint64_t seed = 79;
constexpr std::uint32_t vector_count = 20'001;
constexpr std::size_t wanted = 10, keep = 30;

std::vector<std::uint64_t> all_ids() {
  std::vector<std::uint64_t> ids(vector_count);
  std::iota(ids.begin(), ids.end(), std::uint64_t{1});
  return ids;
}

/// With a mean far from the origin, as embeddings have.
struct Scanned {
  explicit Scanned(Metric metric)
      : maker(seed, 60, 20), measure(make_metric(metric, 60)), slots(all_ids(), {}) {
    for (Floats& vector : maker.make(vector_count)) {
      for (float& component : vector) component += 2;
      vectors.push_back(test::stored(vector, metric));
    }
    codes = Sq4Codes(measure, vector_count, [&](std::uint32_t i) { return vectors[i].data(); });
  }

  /// The best scores, from the best on.
  [[nodiscard]] std::vector<std::int32_t> best(const CodedQuery& query,
                                               const OrdinalSelection& selection,
                                               bool is_streamed) const {
    const LiveIds live{&slots, nullptr, 0, 0};
    QuantizedTopK top(keep, wanted);
    scan_codes({codes, query, selection, live, 1.6F, is_streamed}, top);
    std::vector<std::int32_t> scores;
    for (const QuantizedTopK::Item& item : top.best()) {
      BOOST_TEST(selection.contains(item.rank));
      scores.push_back(item.score);
    }
    std::ranges::sort(scores, std::greater());
    scores.resize(std::min(scores.size(), wanted));
    return scores;
  }
  [[nodiscard]] std::vector<std::int32_t> all(const CodedQuery& query,
                                              const OrdinalSelection& selection) const {
    std::vector<std::int32_t> scores(vector_count), selected;
    codes.score(query, 0, vector_count, scores.data());
    for (std::uint32_t rank = 0; rank < vector_count; ++rank)
      if (selection.contains(rank)) selected.push_back(scores[rank]);
    std::ranges::sort(selected, std::greater());
    selected.resize(std::min(selected.size(), wanted));
    return selected;
  }

  test::VectorMaker maker;
  DistanceMetric measure;
  InternalIds slots;
  std::vector<Floats> vectors;
  Sq4Codes codes;
};

codec::Bitmap every(std::uint64_t step) {
  std::vector<std::uint64_t> ids;
  for (std::uint64_t id = 1; id <= vector_count; id += step) ids.push_back(id);
  return codec::Bitmap::from_sorted(ids);
}

}  // namespace

// Binary codes miss less than one in a hundred of the best hits. If every 17th id is allowed, the ids are a list whose
// binary codes are scored at once; if every 40th is allowed, the ids are a list that is compared without binary codes.
BOOST_DATA_TEST_CASE(the_best_are_found_whichever_way_they_are_read,
                     data::make({1, 2, 3}) * data::make({1, 2, 17, 40}), metric_number, step) {
  Scanned scanned(static_cast<Metric>(metric_number));
  const codec::Bitmap ids = every(static_cast<std::uint64_t>(step));
  const OrdinalSelection selection(scanned.slots, step == 1 ? nullptr : &ids);
  for (const bool is_streamed : {true, false}) {
    std::size_t found = 0, there = 0;
    for (int i = 0; i < 40; ++i) {
      Floats vector = scanned.maker.make();
      for (float& component : vector) component += 2;
      const auto query =
          scanned.codes.prepare(test::stored(vector, static_cast<Metric>(metric_number)));
      const auto right = scanned.all(query, selection);
      const auto best = scanned.best(query, selection, is_streamed);
      BOOST_TEST(best.size() == right.size());
      for (std::size_t at = 0, in = 0; at < right.size(); ++at)
        if (in < best.size() && best[in] == right[at]) ++found, ++in;
      there += right.size();
    }
    BOOST_TEST(static_cast<double>(found) >= 0.99 * static_cast<double>(there),
               found << " of " << there << ", seed " << seed << ", streamed " << is_streamed);
  }
}

// The best of the first block make the bound of the others: what is hidden must not be among them.
BOOST_AUTO_TEST_CASE(what_is_hidden_makes_no_bound) {
  Scanned scanned(Metric::cosine);
  const CodedQuery query = scanned.codes.prepare(scanned.vectors[7]);
  std::vector<std::uint64_t> ids(400);
  std::iota(ids.begin(), ids.end(), std::uint64_t{1});
  const codec::Bitmap allowed = codec::Bitmap::from_sorted(ids);
  const OrdinalSelection selection(scanned.slots, &allowed);
  BOOST_TEST((selection.form() == OrdinalSelection::Form::list));
  std::vector<std::int32_t> scores(ids.size());
  scanned.codes.score(query, 0, ids.size(), scores.data());
  std::vector<std::uint32_t> order(ids.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, std::greater(), [&](std::uint32_t rank) { return scores[rank]; });
  IdTombstones tombstones(vector_count);
  const auto best_above = [&](std::size_t hidden) {
    const LiveIds live{&scanned.slots, &tombstones, 1, hidden};
    QuantizedTopK top(keep, wanted);
    scan_codes({scanned.codes, query, selection, live, 1.6F, false}, top);
    std::vector<std::int32_t> best;
    for (const QuantizedTopK::Item& item : top.best()) best.push_back(item.score);
    std::ranges::sort(best, std::greater());
    BOOST_TEST_REQUIRE(best.size() == keep);
    for (std::size_t i = 0; i < keep; ++i) BOOST_TEST(best[i] == scores[order[hidden + i]]);
  };
  best_above(0);
  constexpr std::size_t hidden = 3 * keep;
  for (const std::uint32_t rank : std::span(order).first(hidden)) tombstones.hide(rank, 1);
  best_above(hidden);
}

BOOST_AUTO_TEST_CASE(vectors_that_are_all_the_same_are_all_as_good) {
  const DistanceMetric measure = make_metric(Metric::euclidean, 40);
  const InternalIds slots(all_ids(), {});
  const Floats vector(40, 3);
  const Sq4Codes codes(measure, vector_count, [&](std::uint32_t) { return vector.data(); });
  const LiveIds live{&slots, nullptr, 0, 0};
  const OrdinalSelection selection(slots, nullptr);
  for (const bool is_streamed : {true, false}) {
    QuantizedTopK top(keep, wanted);
    const CodedQuery query = codes.prepare(vector);
    scan_codes({codes, query, selection, live, 1.6F, is_streamed}, top);
    BOOST_TEST(top.best().size() >= wanted);
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(code_errors)

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
