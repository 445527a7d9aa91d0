// How good the vector planner's choice is: for each cell and class, its time over that of the best
// way that reaches the class's recall. 1 is a perfect choice; the mean and the worst are what
// matters.
#include "tools/bench/compare/regret.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <iostream>

namespace cairn::compare {
namespace {

using engine::Accuracy;
using engine::SearchStrategy;

constexpr double near_enough = 0.005;  // of recall
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

  /// Regret is the time of the planner's choice over that of the best way that reaches the class.
  void run(const Cell& cell, const AccuracyClass& one) {
    IndexPeer planned(input_.state, input_.names, input_.rows.dimension, one.accuracy);
    const Point chosen = measure(planned, cell, input_.queries, input_.k, 0);
    const Best best = best_of(cell, one);
    // What was chosen is one of them: where it is measured to be faster, that is noise.
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

  /// Every way is forced and measured, those that miss the recall left out.
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

// Correlated filters as well: a planner that knows only how many pass cannot tell them apart.
void print_cost_error(const RegretInput& input) {
  Regret regret(input);
  std::printf("| allowed | class | chosen | recall | us | best | us | regret |\n");
  std::printf("| --- | --- | --- | --- | --- | --- | --- | --- |\n");
  for (Cell& cell : uncorrelated_cells(input.p)) regret.run(cell);
  constexpr std::array shares = {0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.001};
  for (Cell& cell : correlated_cells(input.rows, input.queries, shares)) regret.run(cell);
  regret.print_sum();
}

}  // namespace cairn::compare
