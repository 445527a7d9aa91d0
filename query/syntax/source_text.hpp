#pragma once
// SourceText: a statement's text, and how an error in it reads:
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

/// Refers to the text, which must outlive it.
class SourceText {
 public:
  explicit SourceText(std::string_view text);

  [[nodiscard]] std::string_view text() const noexcept { return text_; }
  [[nodiscard]] std::string_view slice(std::size_t begin, std::size_t end) const {
    return text_.substr(begin, end - begin);
  }

  /// Cost: logarithmic in the lines, whatever their length.
  [[nodiscard]] TextRange range(std::size_t begin, std::size_t end) const;

  /// An error there: position, sentence, line and caret. `sentence` starts in lower case and has no
  /// full stop.
  [[nodiscard]] Error error(ErrorCode code, std::size_t begin, std::size_t end,
                            std::string_view sentence) const;

 private:
  [[nodiscard]] std::size_t line_of(std::size_t offset) const;  ///< from 0
  [[nodiscard]] std::size_t code_points_before(std::size_t offset) const;

  std::string_view text_;
  std::vector<std::size_t> line_starts_;
  std::vector<std::size_t> code_points_;  ///< before every `stride` bytes
};

}  // namespace cairn::query
