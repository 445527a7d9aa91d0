#pragma once
// TimedRounds: several works, timed in turn round by round, so that a disturbance of one round misleads
// nobody and one of all of them everybody alike: it is ratios that plans go by.

#include "engine/vector/thread_clock.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

namespace cairn::engine {

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

}  // namespace cairn::engine
