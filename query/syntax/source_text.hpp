#pragma once
// SourceText: the text of a statement. Formats errors with their place:
//
//   line 2, column 7: `m` is not defined
//     WHERE m.age > 3
//           ^

#include <cairn/result.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::query {

/// Refers to `text`, which must outlive the object.
class SourceText {
 public:
  explicit SourceText(std::string_view text);

  [[nodiscard]] std::string_view text() const noexcept { return text_; }
  [[nodiscard]] std::string_view slice(std::size_t begin, std::size_t end) const {
    return text_.substr(begin, end - begin);
  }

  /// Returns the range with line and column. Cost: logarithmic in the number of lines, independent of their length.
  [[nodiscard]] TextRange range(std::size_t begin, std::size_t end) const;

  /// Returns an error with position, sentence, line and caret. `sentence` begins in lower case and has no full stop.
  [[nodiscard]] Error error(ErrorCode code, std::size_t begin, std::size_t end,
                            std::string_view sentence) const;

 private:
  [[nodiscard]] std::size_t line_of(std::size_t offset) const;  ///< counts from 0
  [[nodiscard]] std::size_t code_points_before(std::size_t offset) const;

  std::string_view text_;
  std::vector<std::size_t> line_starts_;
  std::vector<std::size_t> code_points_;  ///< code points before each block of `stride` bytes
};

}  // namespace cairn::query
