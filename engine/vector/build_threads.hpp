#pragma once
// BuildThreads: the threads that build a segment, and when they stop. share_out() distributes work
// among them.

#include <cairn/result.hpp>

#include <concepts>
#include <cstddef>
#include <functional>
#include <utility>

namespace cairn::engine {

/// How many threads work, at which priority, and when they stop.
struct BuildThreads {
  BuildThreads() = default;
  /// One thread, which works until `asked` returns true.
  template <std::predicate Stop>
  BuildThreads(Stop asked) : stop(std::move(asked)) {}

  /// Called before each piece of work; true cancels it. Called by one thread at a time; may be
  /// empty.
  std::function<bool()> stop{};
  std::size_t threads = 1;
  /// True: threads run only when the processor is idle otherwise (SCHED_IDLE).
  bool is_idle = false;
  /// True: idle threads end after their current piece, and the same number of threads, the caller
  /// among them, continue at the caller's priority. Called by the caller's thread; may be empty.
  std::function<bool()> hurried{};
};

/// Calls work(first, last) for pieces of [0, count), each `piece` long except the last, on several
/// threads at once. Stops at the first error and returns it.
///
/// Errors: cancelled, if `stop` returned true; those of `work`, which must not throw.
[[nodiscard]] Status share_out(const BuildThreads& workers, std::size_t count, std::size_t piece,
                               const std::function<Status(std::size_t, std::size_t)>& work);

}  // namespace cairn::engine
