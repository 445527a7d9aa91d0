#pragma once
// BuildThreads: who makes a segment. Work is handed out in pieces, in their order.

#include <cairn/result.hpp>

#include <concepts>
#include <cstddef>
#include <functional>
#include <utility>

namespace cairn::engine {

struct BuildThreads {
  BuildThreads() = default;
  /// One, until `asked` says stop.
  template <std::predicate Stop>
  BuildThreads(Stop asked) : stop(std::move(asked)) {}

  std::function<bool()> stop{};  ///< asked between pieces, by one thread at a time; may be empty
  std::size_t threads = 1;
  bool is_idle = false;  ///< they run only where nobody else wants to (SCHED_IDLE)
  /// Where it says so, idle ones leave after their piece, and as many go on at the priority of the
  /// caller, who is one of them. Asked by the caller's thread; may be empty.
  std::function<bool()> hurried{};
};

/// Call work(first, last) for pieces of [0, count), each `piece` long but for the last. With several
/// threads, up to as many pieces at once. Stops at the first error, which it returns.
/// Errors: cancelled, where `stop` says so; those of `work`, which throws nothing.
[[nodiscard]] Status share_out(const BuildThreads& workers, std::size_t count, std::size_t piece,
                               const std::function<Status(std::size_t, std::size_t)>& work);

}  // namespace cairn::engine
