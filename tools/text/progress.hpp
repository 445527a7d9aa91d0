#pragma once
// One line of progress on standard error, rewritten in place; silent where that is no terminal.

#include <chrono>
#include <cstdint>
#include <string>

namespace cairn::tools {

class Progress {
 public:
  /// `what` is the unit, for instance "nodes"; `total` 0 where it is not known.
  Progress(std::string what, std::uint64_t total, bool enabled);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();  ///< clears the line

  /// So many are done; draws at most ten times a second.
  void update(std::uint64_t done);
  [[nodiscard]] double seconds() const;

 private:
  void draw(std::uint64_t done);

  std::string what_;
  std::uint64_t total_;
  bool enabled_;
  std::chrono::steady_clock::time_point begin_;
  std::chrono::steady_clock::time_point drawn_;
};

}  // namespace cairn::tools
