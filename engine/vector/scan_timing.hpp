#pragma once
// Timers for calibrate() (cost_model.hpp), and ScanTiming, which measures the costs of flat scans
// of one segment.
//
// All times are CPU times of the calling thread: other threads keep searching meanwhile.

#include "engine/vector/beam_search.hpp"
#include "engine/vector/coded_scan.hpp"
#include "engine/vector/cost_model.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <functional>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace cairn::engine {

/// Lower bound of any measured cost, so that no plan divides by zero.
inline constexpr double least_ns = 0.1;

/// CPU time of the calling thread in nanoseconds, since an arbitrary start.
[[nodiscard]] inline double cpu_ns() {
  std::timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return 1e9 * static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec);
}

/// Runs `work` three times and returns the shortest time in nanoseconds, divided by `items`.
template <class Work>
[[nodiscard]] double time_each(std::size_t items, Work&& work) {
  double best = 1e18;
  for (int i = 0; i < 3; ++i) {
    const double begin = cpu_ns();
    work();
    best = std::min(best, cpu_ns() - begin);
  }
  return std::max(best / static_cast<double>(items), least_ns);
}

/// Times several pieces of work in turn, round by round, and takes the shortest time of each. A
/// disturbance of one round is ignored. One that lasts for all rounds affects all pieces equally,
/// which is harmless: plans compare costs with each other.
class TimedRounds {
 public:
  /// Adds a piece of work that handles `items` items. run() sets `each_ns`, which must outlive this
  /// object, to the shortest time of an item.
  void add(std::function<void()> work, double items, double& each_ns) {
    works_.push_back({std::move(work), items, &each_ns});
  }
  /// Adds the work of calling work(i) for each i below `queries`. Each call counts as one item.
  template <class Work>
  void add_queries(std::size_t queries, Work work, double& each_ns) {
    add(
        [work = std::move(work), queries] {
          for (std::size_t i = 0; i < queries; ++i) work(i);
        },
        static_cast<double>(queries), each_ns);
  }
  /// Times everything added so far. May be called again after more was added.
  void run() {
    constexpr int rounds = 3;
    for (const Work& work : works_) *work.each_ns = std::numeric_limits<double>::max();
    for (int round = 0; round < rounds; ++round)
      for (const Work& work : works_) {
        const double begin = cpu_ns();
        work.run();
        const double each = std::max((cpu_ns() - begin) / work.items, least_ns);
        *work.each_ns = std::min(*work.each_ns, each);
      }
  }

 private:
  struct Work {
    std::function<void()> run;
    double items = 1;
    double* each_ns = nullptr;
  };

  std::vector<Work> works_;
};

/// Measures the costs of flat scans. The pieces of work are described in the .cpp.
class ScanTiming {
 public:
  /// Ranks of stored vectors that serve as queries.
  using Queries = std::span<const std::uint32_t>;
  /// The effort of the highest accuracy class: codes to rescore, and the error allowed for 1-bit
  /// codes.
  struct Effort {
    std::size_t rerank_depth = 0;
    float sign_reach = 0;
  };
  /// How many vectors of `count` the selection `few` should have: so few that a search of them
  /// costs mostly the fixed cost, and that they are selected as a list.
  [[nodiscard]] static std::size_t few_of(std::size_t count) noexcept;

  /// All arguments must outlive this object.
  ScanTiming(const CostModelInput& input, Queries queries, Effort effort)
      : input_(input), queries_(queries), effort_(effort) {}
  ScanTiming(const ScanTiming&) = delete;
  ScanTiming& operator=(const ScanTiming&) = delete;

  /// Adds the pieces of work to `rounds`. `all` is read in order; of `some` and `few` only the
  /// selected codes are read. The selections must outlive `rounds`.
  void add_to(TimedRounds& rounds, const OrdinalSelection& all, const OrdinalSelection& some,
              const OrdinalSelection& few);
  /// Stores the costs in `found`, after a run of the rounds. `found.float_ns` must be set before.
  void set(CostModel& found) const;

 private:
  void scan(std::size_t query, const OrdinalSelection& selection, bool is_streamed) const;
  void search(std::size_t query, const OrdinalSelection& selection) const;
  [[nodiscard]] std::vector<SlotDistance> compare(std::span<const QuantizedTopK::Item> items,
                                                  std::span<const float> query) const;
  [[nodiscard]] std::span<const float> row(std::size_t query) const {
    return {input_.row_of(queries_[query]), input_.measure.dimension};
  }

  const CostModelInput& input_;
  Queries queries_;
  Effort effort_;
  std::size_t some_ = 0, few_ = 0;  // numbers of selected vectors
  // Times an item, set by TimedRounds. They are explained in the .cpp.
  double stream_ = 0, gather_ = 0, search_ = 0, word_ = 0;
  // Result of otherwise useless work, so that the compiler does not remove it.
  std::size_t seen_ = 0;
};

}  // namespace cairn::engine
