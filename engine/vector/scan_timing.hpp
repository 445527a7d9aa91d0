#pragma once
// What flat scans of one segment cost: a part of calibrate().

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

// The processor time of the calling thread: searches of others go on while it is measured.

inline constexpr double least_ns = 0.1;  ///< of anything that is timed

/// Since some moment of the past.
[[nodiscard]] inline double cpu_ns() {
  std::timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return 1e9 * static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec);
}

/// What `work`, done three times, takes at best for each of `items`, in nanoseconds.
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

// TimedRounds: times several pieces of work in turn, round by round. A disturbance of one round is ignored, and one of
// all rounds affects all pieces alike: plans use ratios only.

class TimedRounds {
 public:
  /// `each_ns` outlives this: what each of the items takes, the least of all rounds.
  void add(std::function<void()> work, double items, double& each_ns) {
    works_.push_back({std::move(work), items, &each_ns});
  }
  /// work(i) for i below `queries`, each an item.
  template <class Work>
  void add_queries(std::size_t queries, Work work, double& each_ns) {
    add(
        [work = std::move(work), queries] {
          for (std::size_t i = 0; i < queries; ++i) work(i);
        },
        static_cast<double>(queries), each_ns);
  }
  /// Once more for all that was added so far.
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

class ScanTiming {
 public:
  /// Ranks of stored vectors that are asked for.
  using Queries = std::span<const std::uint32_t>;
  /// How many candidates the highest class holds, and the error allowed for its 1-bit codes.
  struct Effort {
    std::size_t kept = 0;
    float sign_reach = 0;
  };
  /// As many as are about as soon compared by their codes as in full, or fewer, so that they are a list.
  [[nodiscard]] static std::size_t few_of(std::size_t count) noexcept;

  /// All of it outlives this.
  ScanTiming(const CostModelInput& input, Queries queries, Effort effort)
      : input_(input), queries_(queries), effort_(effort) {}
  ScanTiming(const ScanTiming&) = delete;
  ScanTiming& operator=(const ScanTiming&) = delete;

  /// Everything in order, `some` and `few` by themselves. The selections outlive `rounds`.
  void add_to(TimedRounds& rounds, const OrdinalSelection& all, const OrdinalSelection& some,
              const OrdinalSelection& few);
  /// Behind a run of the rounds. `found.float_ns` is there.
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
  std::size_t some_ = 0, few_ = 0;  // selected
  double stream_ = 0, gather_ = 0, search_ = 0, word_ = 0;
  std::size_t seen_ = 0;  // so that what only looks is not left out
};

}  // namespace cairn::engine
