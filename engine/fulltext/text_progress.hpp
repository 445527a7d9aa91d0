#pragma once
// How far a full-text index is that is being made over what is there already. No snapshot has it yet, so
// that it is beside the states, and every one of them leads to it.

#include <cairn/snapshot.hpp>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

namespace cairn::engine {

/// At most one index at a time: it is made within the writer's turn.
/// Threads: begin, advance and end by the holder of the turn, the others by any.
class TextProgress {
 public:
  /// `description`: of the index as it will be. `records`: that it will look at.
  void begin(IndexDescription description, std::uint64_t records);
  /// Counts one more record; an index built outside of begin() and end() is not shown.
  void advance() noexcept { done_.fetch_add(1, std::memory_order_relaxed); }
  void end();

  /// The index with its state POPULATING, records looked at as its entries, and `populationPercent`
  /// among its options; nothing where none is being made.
  [[nodiscard]] std::optional<IndexDescription> current() const;
  /// For who waits: `index "texts" is being made, 42 % of 1000 records`, or nothing.
  [[nodiscard]] std::string text() const;

 private:
  [[nodiscard]] double percent() const;

  mutable std::mutex mutex_;  // guards what is below but for `done_`; taken alone
  std::optional<IndexDescription> description_;
  std::uint64_t records_ = 0;
  std::atomic<std::uint64_t> done_ = 0;
};

}  // namespace cairn::engine
