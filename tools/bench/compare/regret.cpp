// Measures how good the choices of the vector planner are. For each cell and class, the regret is
// the time of the chosen strategy divided by the time of the fastest strategy that reaches the
// recall of the class. 1 is a perfect choice. The summary has the mean and the worst regret.
#include "tools/bench/compare/cells.hpp"
#include "tools/bench/compare/vectors.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <ctime>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace cairn::compare {
namespace {

using engine::Accuracy;
using engine::SearchStrategy;

constexpr double near_enough = 0.005;  // tolerance of recall
constexpr std::array ways = {SearchStrategy::exact, SearchStrategy::flat,
                             SearchStrategy::partitions, SearchStrategy::graph};

struct AccuracyClass {
  Accuracy accuracy;
  const char* name;
  double wanted;
};
constexpr std::array classes = {AccuracyClass{Accuracy::standard, "default", 0.95},
                                AccuracyClass{Accuracy::high, "high", 0.99}};

class Regret {
 public:
  explicit Regret(const RegretInput& input) : input_(input) {}

  void run(Cell& cell) {
    answer(cell, input_.rows, input_.queries, input_.k);
    for (const AccuracyClass& one : classes) run(cell, one);
  }

  void print_sum() const {
    std::printf("\nregret: %.2f on average, %.2f at worst; classes missed in %d of %d rows\n",
                sum_ / std::max(rows_, 1), worst_, missed_, rows_);
  }

 private:
  struct Best {
    std::string strategy = "-";
    double us = 0;
  };

  /// Measures the planner's choice and the best strategy in one cell, and prints a row.
  void run(const Cell& cell, const AccuracyClass& one) {
    IndexPeer planned(input_.state, input_.names, input_.rows.dimension, one.accuracy);
    const Point chosen = measure(planned, cell, input_.queries, input_.k, 0);
    const Best best = best_of(cell, one);
    // The chosen strategy is one of the measured ones, so a ratio below 1 can only be noise.
    const double regret = best.us > 0 ? std::max(chosen.us / best.us, 1.0) : 1;
    std::printf("| %s | %s | %s | %.4f | %.1f | %s | %.1f | %.2f |\n", cell.name.c_str(), one.name,
                planned.strategy().c_str(), chosen.recall, chosen.us, best.strategy.c_str(),
                best.us, regret);
    std::fflush(stdout);
    sum_ += regret;
    worst_ = std::max(worst_, regret);
    ++rows_;
    missed_ += chosen.recall < one.wanted - near_enough ? 1 : 0;
  }

  /// Forces and measures every strategy, and ignores those that miss the recall of the class.
  Best best_of(const Cell& cell, const AccuracyClass& one) const {
    Best best;
    for (const SearchStrategy strategy : ways) {
      IndexPeer peer(input_.state, input_.names, input_.rows.dimension, one.accuracy, strategy);
      const Point point = measure(peer, cell, input_.queries, input_.k, 0);
      const bool is_better = best.us == 0 || point.us < best.us;
      if (point.recall >= one.wanted - near_enough && is_better) best = {peer.strategy(), point.us};
    }
    return best;
  }

  const RegretInput& input_;
  double sum_ = 0, worst_ = 1;
  int rows_ = 0, missed_ = 0;
};

}  // namespace

// Includes correlated filters: a planner that knows only how many rows pass cannot distinguish
// them.
void print_cost_error(const RegretInput& input) {
  Regret regret(input);
  std::printf("| allowed | class | chosen | recall | us | best | us | regret |\n");
  std::printf("| --- | --- | --- | --- | --- | --- | --- | --- |\n");
  for (Cell& cell : uncorrelated_cells(input.p)) regret.run(cell);
  constexpr std::array shares = {0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.001};
  for (Cell& cell : correlated_cells(input.rows, input.queries, shares)) regret.run(cell);
  regret.print_sum();
}

// Compares single calls with calls for `count` queries at once, for each share of allowed rows,
// with planned and exact searches. Times are processor time of this thread, the best of three
// passes.

namespace {

double cpu_us() {
  std::timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return 1e6 * static_cast<double>(time.tv_sec) + 1e-3 * static_cast<double>(time.tv_nsec);
}

/// Returns the time per query in microseconds with `count` queries per call: the best of three
/// passes over all queries.
double time_batches(const RegretInput& input, const engine::VectorSearch& like, std::size_t count,
                    std::string& way) {
  double best = 1e18;
  for (int pass = 0; pass < 3; ++pass) {
    const double begin = cpu_us();
    for (std::size_t first = 0; first < input.queries.count(); first += count) {
      std::vector<engine::VectorSearch> some;
      for (std::size_t q = first; q < std::min(first + count, input.queries.count()); ++q) {
        some.push_back(like);
        some.back().query = {input.queries.row(q), input.queries.dimension};
      }
      const auto found = input.state->search_all(some);
      if (!found) throw std::runtime_error(found.error().message);
      way = to_string(found->front().executor);
    }
    best = std::min(best, cpu_us() - begin);
  }
  return best / static_cast<double>(input.queries.count());
}

/// Converts bits, which refer to rows, to a set of node ids.
codec::Bitmap ids_of(const RegretInput& input, std::span<const std::uint64_t> bits) {
  std::vector<std::uint64_t> ids;
  for (std::size_t w = 0; w < bits.size(); ++w)
    for (std::uint64_t word = bits[w]; word != 0; word &= word - 1)
      ids.push_back(input.names.node(w * 64 + static_cast<std::size_t>(std::countr_zero(word))));
  return codec::Bitmap::from_unsorted(std::move(ids));
}

}  // namespace

// Measures planned and exact searches, because batches help them differently: an exact search reads
// every vector once for all queries of the batch.
void print_batches(const RegretInput& input, std::size_t count) {
  std::printf(
      "| allowed | way | one by one us | %zu at once us | times | exact: one by one us | "
      "%zu at once us | times |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n",
      count, count);
  for (const Cell& cell : uncorrelated_cells(input.p)) {
    const codec::Bitmap ids = ids_of(input, cell.filters.front());
    engine::VectorSearch search;
    search.k = input.k;
    search.allowed = cell.filters.front().empty() ? nullptr : &ids;
    std::string way, exact_way;
    const double one = time_batches(input, search, 1, way);
    const double many = time_batches(input, search, count, way);
    search.exact = true;
    const double exact_one = time_batches(input, search, 1, exact_way);
    const double exact_many = time_batches(input, search, count, exact_way);
    std::printf("| %s | %s | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f |\n", cell.name.c_str(),
                way.c_str(), one, many, one / many, exact_one, exact_many, exact_one / exact_many);
    std::fflush(stdout);
  }
}

}  // namespace cairn::compare
