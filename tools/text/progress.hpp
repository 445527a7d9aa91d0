#pragma once
// A progress line on standard error, redrawn in place. Prints nothing if standard error is not a
// terminal.

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace cairn::tools {

/// The state of a task.
struct ProgressState {
  std::uint64_t done = 0;   ///< number of things done
  std::uint64_t part = 0;   ///< how much of `total`, in the same unit
  std::uint64_t total = 0;  ///< 0 if unknown
  double seconds = 0;
};

/// Returns "1,234 records [####------] 41 %, 1,020 a second, 0:12 left"; without bar and time if
/// the total is unknown.
[[nodiscard]] std::string progress_text(std::string_view what, const ProgressState& state);

class Progress {
 public:
  /// `what` is the unit, for example "nodes"; `total` is 0 if unknown.
  Progress(std::string what, std::uint64_t total, bool enabled);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();  ///< clears the line

  /// Sets the number of things done; draws at most ten times per second.
  void update(std::uint64_t done) { update(done, done); }
  /// Sets the number of things done, and the progress in the unit of `total`, such as bytes of a
  /// file.
  void update(std::uint64_t done, std::uint64_t part);
  [[nodiscard]] double seconds() const;

 private:
  std::string what_;
  std::uint64_t total_;
  bool enabled_;
  std::chrono::steady_clock::time_point begin_;
  std::chrono::steady_clock::time_point drawn_;
};

}  // namespace cairn::tools
