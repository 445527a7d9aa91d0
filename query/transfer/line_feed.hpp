#pragma once
// Lines of a file, read and parsed on a thread of their own, so that parsing one batch and writing
// the one before go on side by side.
//
// Parsing is most of an import's work beside the store's; a thread reads and parses ahead, 16
// pieces of 512 lines or a mebibyte at most, so that memory is bounded, as a line is. The order stays.

#include "query/transfer/apoc_line.hpp"

#include <cairn/result.hpp>

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace cairn::query {

struct NumberedLine {
  std::uint64_t number = 0;  ///< from 1
  Result<ApocLine> line;
  std::uint64_t end = 0;  ///< byte of the file behind it
};

/// Threads: next() from one thread.
class LineFeed {
 public:
  /// A longer line is given as an error in its place. Errors: not_found; io_error; resource_limit, where no
  /// thread can be had.
  [[nodiscard]] static Result<std::unique_ptr<LineFeed>> open(const std::filesystem::path& file,
                                                              std::size_t max_line_bytes);
  LineFeed(const LineFeed&) = delete;
  LineFeed& operator=(const LineFeed&) = delete;
  ~LineFeed();

  /// The next parsed lines in order, empty at the end. Blank lines are left out. If the file cannot be read to its end, the
  /// last one is an io_error in the place of the line.
  [[nodiscard]] std::vector<NumberedLine> next();

 private:
  struct Piece {
    std::vector<NumberedLine> lines;
    std::size_t bytes = 0;  // of their texts
  };
  LineFeed(std::ifstream input, std::size_t max_line_bytes);
  void run(const std::stop_token& stop);
  /// False at the end of the file.
  [[nodiscard]] bool read_line(std::string& text, bool& is_long);
  [[nodiscard]] bool put(Piece piece, const std::stop_token& stop);

  const std::size_t max_line_bytes_;
  std::ifstream input_;
  std::uint64_t bytes_read_ = 0;
  bool has_failed_ = false;  // a read, before the end of the file
  std::vector<char> buffer_ = std::vector<char>(64 * 1024);
  std::mutex mutex_;  // guards what follows
  std::condition_variable_any changed_;
  std::deque<Piece> ready_;
  std::size_t bytes_ready_ = 0;
  bool ended_ = false;
  std::jthread reader_;  // last: it uses all of the above
};

}  // namespace cairn::query
