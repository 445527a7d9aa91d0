#pragma once
// One line of progress on standard error, rewritten in place; silent where that is not a terminal.

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace cairn::tools {

/// How far something is.
struct ProgressState {
  std::uint64_t done = 0;   ///< things
  std::uint64_t part = 0;   ///< of `total`, in whatever that counts
  std::uint64_t total = 0;  ///< 0 where it is not known
  double seconds = 0;
};

/// "1,234 records [####------] 41 %, 1,020 a second, 0:12 left"; without bar and time if the total is unknown.
[[nodiscard]] std::string progress_text(std::string_view what, const ProgressState& state);

class Progress {
 public:
  /// `what` is the unit, for instance "nodes"; `total` 0 where it is not known.
  Progress(std::string what, std::uint64_t total, bool enabled);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();  ///< clears the line

  /// So many of the total are done; draws at most ten times a second.
  void update(std::uint64_t done) { update(done, done); }
  /// The same where the total counts something else, as the bytes of a file.
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
