#pragma once
// Splits a stream of bytes into lines of bounded length.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace cairn::tools::mcp {

/// Holds at most one line of the limit, however long the lines are that come.
class LineReader {
 public:
  explicit LineReader(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  struct Line {
    std::string text;          ///< without its end; empty if it was too long
    bool is_too_long = false;  ///< once for each such line, when its end has come
  };

  /// Take the next line from the front of `bytes`. Nothing: all bytes are taken, and the line goes on. Blank lines are left
  /// out.
  [[nodiscard]] std::optional<Line> next(std::string_view& bytes);
  /// What came after the last end of a line.
  [[nodiscard]] std::optional<Line> last();

 private:
  void hold(std::string_view bytes);
  [[nodiscard]] std::optional<Line> take();

  std::size_t most_bytes_;
  std::string held_;
  bool is_too_long_ = false;
};

}  // namespace cairn::tools::mcp
