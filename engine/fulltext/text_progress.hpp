#pragma once
// TextProgress: the progress of a full-text index that is being built over existing records.
// Snapshots do not contain the index yet, so the progress is shared by all states.

#include <cairn/snapshot.hpp>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

namespace cairn::engine {

/// The progress of at most one build, as a build holds the writer lock. Threads: begin(), advance()
/// and end() by the holder of the lock, the others by any.
class TextProgress {
 public:
  /// `description` describes the finished index; `records` is the number of records to process.
  void begin(IndexDescription description, std::uint64_t records);
  /// Counts one processed record. current() shows it only between begin() and end().
  void advance() noexcept { done_.fetch_add(1, std::memory_order_relaxed); }
  void end();

  /// Describes the index with the state POPULATING, the number of processed records as its entries,
  /// and the option `populationPercent`. nullopt if no index is being built.
  [[nodiscard]] std::optional<IndexDescription> current() const;
  /// A text for callers that wait: `index "texts" is being made, 42 % of 1000 records`. Empty if no
  /// index is being built.
  [[nodiscard]] std::string text() const;

 private:
  [[nodiscard]] double percent() const;

  // Guards the members below except done_; no other lock is taken meanwhile.
  mutable std::mutex mutex_;
  std::optional<IndexDescription> description_;
  std::uint64_t records_ = 0;
  std::atomic<std::uint64_t> done_ = 0;
};

}  // namespace cairn::engine
