#pragma once
// LineFeed: reads and parses the lines of a file on its own thread, so that parsing one batch overlaps with storing the
// previous one.
//
// Parsing takes most of an import's time outside of the store. At most 16 pieces of 512 lines or 1 MiB each are parsed
// ahead, and a line has a maximum length, so memory is bounded. Lines stay in order.

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
  Result<ApocLine> line;     ///< the content, or why the line is invalid
  std::uint64_t end = 0;     ///< offset of the byte after the line in the file
};

/// Threads: next() from one thread.
class LineFeed {
 public:
  /// Opens a file and starts the thread. A line of more than `max_line_bytes` appears as an error in its place. Errors:
  /// not_found; io_error; resource_limit if no thread can be started.
  [[nodiscard]] static Result<std::unique_ptr<LineFeed>> open(const std::filesystem::path& file,
                                                              std::size_t max_line_bytes);
  LineFeed(const LineFeed&) = delete;
  LineFeed& operator=(const LineFeed&) = delete;
  ~LineFeed();

  /// The next parsed lines, in order; empty at the end. Blank lines are left out. If the file cannot be read to its end,
  /// the last item is an io_error.
  [[nodiscard]] std::vector<NumberedLine> next();

 private:
  struct Piece {
    std::vector<NumberedLine> lines;
    std::size_t bytes = 0;  // of the texts of the lines
  };
  LineFeed(std::ifstream input, std::size_t max_line_bytes);
  void run(const std::stop_token& stop);
  /// Returns false if it was stopped before a piece could be handed out. Throws std::bad_alloc; `number` is
  /// the line that it was about.
  [[nodiscard]] bool read_pieces(Piece& piece, std::uint64_t& number, const std::stop_token& stop);
  /// Returns false at the end of the file.
  [[nodiscard]] bool read_line(std::string& text, bool& is_long);
  [[nodiscard]] bool put(Piece piece, const std::stop_token& stop);

  const std::size_t max_line_bytes_;
  std::ifstream input_;
  std::uint64_t bytes_read_ = 0;
  bool has_failed_ = false;  // true if a read failed before the end of the file
  std::vector<char> buffer_ = std::vector<char>(64 * 1024);
  std::mutex mutex_;  // guards what follows
  std::condition_variable_any changed_;
  std::deque<Piece> ready_;
  std::size_t bytes_ready_ = 0;
  bool ended_ = false;
  std::jthread reader_;  // last: it uses all of the above
};

}  // namespace cairn::query
