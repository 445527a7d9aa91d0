#pragma once
// Lines of a file, read and parsed on a thread of their own, so that parsing one batch and writing
// the one before go on side by side.

#include "tools/transfer/apoc_line.hpp"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace cairn::tools {

struct NumberedLine {
  std::uint64_t number = 0;  ///< from 1
  Result<ApocLine> line;
};

/// Threads: next() from one thread.
class LineFeed {
 public:
  /// Errors: not_found, io_error.
  [[nodiscard]] static Result<std::unique_ptr<LineFeed>> open(const std::filesystem::path& file);
  LineFeed(const LineFeed&) = delete;
  LineFeed& operator=(const LineFeed&) = delete;
  ~LineFeed();

  /// The next parsed lines in order, empty at the end. Blank lines are left out.
  [[nodiscard]] std::vector<NumberedLine> next();

 private:
  explicit LineFeed(std::ifstream input);
  void run(const std::stop_token& stop);
  [[nodiscard]] bool put(std::vector<NumberedLine> lines, const std::stop_token& stop);

  std::ifstream input_;
  std::mutex mutex_;  // guards ready_ and ended_
  std::condition_variable_any changed_;
  std::deque<std::vector<NumberedLine>> ready_;
  bool ended_ = false;
  std::jthread reader_;  // last: it uses all of the above
};

}  // namespace cairn::tools
