#pragma once
// TextProgress: the progress of a full-text index that is being built over existing records, and
// what ends the build early. Snapshots do not contain the index yet, so the progress is shared by
// all states.

#include <cairn/result.hpp>
#include <cairn/snapshot.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace cairn::engine {

/// The progress of at most one build, as a build holds the writer lock. Threads: any may call
/// current() and text(); only the holder of the lock may call the other functions.
class TextProgress {
 public:
  /// While this object exists, builds call `pulse` before each record. An error of `pulse` ends the
  /// build.
  class Asking {
   public:
    Asking(TextProgress& progress, std::function<Status()> pulse) : progress_(progress) {
      progress_.pulse_ = std::move(pulse);
    }
    ~Asking() { progress_.pulse_ = nullptr; }
    Asking(const Asking&) = delete;
    Asking& operator=(const Asking&) = delete;

   private:
    TextProgress& progress_;
  };

  /// `description` describes the finished index; `records` is the number of records to process.
  void begin(IndexDescription description, std::uint64_t records);
  /// Counts one record. current() shows it only between begin() and end(). Errors: those of the
  /// pulse.
  [[nodiscard]] Status advance() {
    done_.fetch_add(1, std::memory_order_relaxed);
    return pulse_ ? pulse_() : Status();
  }
  void end();

  /// Describes the index with the state POPULATING, the number of processed records as its entries,
  /// and the option `populationPercent`. nullopt if no index is being built.
  [[nodiscard]] std::optional<IndexDescription> current() const;
  /// A text for callers that wait: `index "texts" is being made, 42 % of the records`. Empty if no
  /// index is being built.
  [[nodiscard]] std::string text() const;

 private:
  [[nodiscard]] double percent() const;

  // Guards the members below except done_ and pulse_; no other lock is taken meanwhile.
  mutable std::mutex mutex_;
  std::optional<IndexDescription> description_;
  std::uint64_t records_ = 0;
  std::atomic<std::uint64_t> done_ = 0;
  std::function<Status()> pulse_;  // of the holder of the writer lock
};

}  // namespace cairn::engine
