// A cell is a filter that allows a share of the rows. The rows are chosen at random (uncorrelated),
// or by topics near to or far from the query (correlated), where graph indexes with filters perform
// worst. For each cell, the true answers are computed by an exact scan, and a curve of time over
// recall is measured by raising the search effort.
#include "tools/bench/compare/cells.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <numeric>
#include <random>

namespace cairn::compare {
namespace {

constexpr double shares[] = {1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.001, 0.0001};
constexpr std::int64_t p_values = 10'000;
constexpr std::size_t topics = 256;
/// A curve ends when recall reaches `enough`, or when a query takes longer than `slow_us`.
constexpr double enough = 0.995;  // recall
constexpr double slow_us = 60'000;

std::string percent(double share) {
  char text[32];
  std::snprintf(text, sizeof text, "%g %%", 100 * share);
  return text;
}

void set_bit(Bits& bits, std::size_t row) { bits[row / 64] |= std::uint64_t{1} << (row % 64); }

double dot(const float* a, const float* b, std::size_t dimension) {
  return std::inner_product(a, a + dimension, b, 0.0);
}

/// Topics ordered by similarity to a vector, the most similar first. The inner product measures it,
/// because rows and queries are normalised.
std::vector<std::size_t> nearest_topics(const VectorRows& centres, const float* of) {
  std::vector<double> scores;
  for (std::size_t t = 0; t < centres.count(); ++t)
    scores.push_back(dot(of, centres.row(t), centres.dimension));
  std::vector<std::size_t> order(centres.count());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, std::ranges::greater(), [&](std::size_t t) { return scores[t]; });
  return order;
}

/// Allows the rows of topics in the given order until the share is reached. Of the last topic, only
/// some rows are allowed.
Bits fill(std::span<const std::size_t> order, std::span<const std::vector<std::uint32_t>> members,
          std::size_t rows, double share) {
  Bits bits((rows + 63) / 64);
  const auto wanted = static_cast<std::size_t>(share * static_cast<double>(rows));
  std::size_t taken = 0;
  for (const std::size_t topic : order)
    for (const std::uint32_t row : members[topic]) {
      if (taken++ >= wanted) return bits;
      set_bit(bits, row);
    }
  return bits;
}

double cpu_us() {
  std::timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return 1e6 * static_cast<double>(time.tv_sec) + 1e-3 * static_cast<double>(time.tv_nsec);
}

double share_found(std::span<const std::uint32_t> truth, std::span<const std::uint32_t> found) {
  if (truth.empty()) return 1;
  const auto right = std::ranges::count_if(
      found, [&](std::uint32_t row) { return std::ranges::binary_search(truth, row); });
  return static_cast<double>(right) / static_cast<double>(truth.size());
}

/// Runs all queries once. Setting the filter is not timed.
Point pass(Peer& peer, const Cell& cell, const VectorRows& queries, std::size_t k,
           std::size_t effort) {
  Point point{effort, 0, 0};
  std::vector<std::uint32_t> found;
  for (std::size_t q = 0; q < queries.count(); ++q) {
    if (q == 0 || cell.filters.size() > 1) peer.use(cell.allowed(q));
    const double begin = cpu_us();
    peer.search(queries.row(q), k, effort, found);
    point.us += cpu_us() - begin;
    point.recall += share_found(cell.truth[q], found);
  }
  point.us /= static_cast<double>(queries.count());
  point.recall /= static_cast<double>(queries.count());
  return point;
}

}  // namespace

// Always uses the same seed, so that databases of earlier runs can be used again.
std::vector<std::int64_t> draw_p(std::size_t rows) {
  std::mt19937_64 random(2);
  std::vector<std::int64_t> p(rows);
  for (std::int64_t& value : p) value = static_cast<std::int64_t>(random() % p_values);
  return p;
}

// A row passes by its number p, which is independent of its vector. All queries share one filter.
std::vector<Cell> uncorrelated_cells(std::span<const std::int64_t> p) {
  std::vector<Cell> cells;
  for (const double share : shares) {
    Cell cell{percent(share), share};
    cell.filters.emplace_back();
    if (share < 1) {
      cell.top = std::llround(share * static_cast<double>(p_values));
      cell.filters[0].resize((p.size() + 63) / 64);
      for (std::size_t row = 0; row < p.size(); ++row)
        if (p[row] < cell.top) set_bit(cell.filters[0], row);
    }
    cells.push_back(std::move(cell));
  }
  return cells;
}

// Filters that depend on the query: "near" allows the rows of the topics most similar to the query,
// "far" those of the least similar topics, each until the share is reached. So each query has its
// own filter. "far" is hard for graph indexes, because their search starts among rows that do not
// pass. The seed is fixed, so that all runs have the same cells.
std::vector<Cell> correlated_cells(const VectorRows& rows, const VectorRows& queries,
                                   std::span<const double> shares) {
  std::mt19937_64 random(5);
  std::vector<float> components;
  for (std::size_t t = 0; t < topics; ++t) {
    const float* row = rows.row(random() % rows.count());
    components.insert(components.end(), row, row + rows.dimension);
  }
  const VectorRows centres{components, rows.dimension};
  std::vector<std::vector<std::uint32_t>> members(topics);
  for (std::size_t row = 0; row < rows.count(); ++row)
    members[nearest_topics(centres, rows.row(row)).front()].push_back(
        static_cast<std::uint32_t>(row));
  std::vector<Cell> cells;
  for (const double share : shares) {
    Cell near{"near " + percent(share), share}, far{"far " + percent(share), share};
    for (std::size_t q = 0; q < queries.count(); ++q) {
      auto order = nearest_topics(centres, queries.row(q));
      near.filters.push_back(fill(order, members, rows.count(), share));
      std::ranges::reverse(order);
      far.filters.push_back(fill(order, members, rows.count(), share));
    }
    cells.push_back(std::move(near));
    cells.push_back(std::move(far));
  }
  return cells;
}

// Computes the true answers by an exact scan over the rows that pass, once for all engines.
void answer(Cell& cell, const VectorRows& rows, const VectorRows& queries, std::size_t k) {
  const auto exact = make_exact_peer(rows);
  for (std::size_t q = 0; q < queries.count(); ++q) {
    exact->use(cell.allowed(q));
    exact->search(queries.row(q), k, 0, cell.truth.emplace_back());
    std::ranges::sort(cell.truth.back());
  }
}

// Takes the faster of two passes if passes are short.
Point measure(Peer& peer, const Cell& cell, const VectorRows& queries, std::size_t k,
              std::size_t effort) {
  const Point first = pass(peer, cell, queries, k, effort);
  if (first.us > slow_us / 10) return first;
  const Point second = pass(peer, cell, queries, k, effort);
  return {effort, first.recall, std::min(first.us, second.us)};
}

// Efforts ascend. Stops once the recall suffices or a query takes too long.
std::vector<Point> curve_of(Peer& peer, const Cell& cell, const VectorRows& queries,
                            std::size_t k) {
  std::vector<Point> curve;
  for (const std::size_t effort : peer.efforts()) {
    curve.push_back(measure(peer, cell, queries, k, effort));
    if (curve.back().recall >= enough || curve.back().us > slow_us) break;
  }
  return curve;
}

// Interpolates the logarithm of the time between two points.
double time_at(std::span<const Point> curve, double recall) {
  for (std::size_t i = 0; i < curve.size(); ++i) {
    if (curve[i].recall < recall) continue;
    if (i == 0) return curve[i].us;
    const Point &low = curve[i - 1], &high = curve[i];
    const double at = (recall - low.recall) / (high.recall - low.recall);
    return std::exp(std::log(low.us) + at * (std::log(high.us) - std::log(low.us)));
  }
  return 0;
}

}  // namespace cairn::compare
