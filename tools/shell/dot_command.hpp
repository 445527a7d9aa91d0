#pragma once
// Helpers for the functions of dot commands.

#include "tools/arguments/words.hpp"
#include "tools/shell/command_words.hpp"

#include <cairn/result.hpp>

#include <span>
#include <string>
#include <string_view>

namespace cairn::tools {

/// The words after the name of a command, without their quotes. Refers to the line and its words,
/// which must outlive this object.
class Arguments {
 public:
  Arguments(std::string_view line, std::span<const CommandWord> words)
      : line_(line), words_(words) {}

  [[nodiscard]] bool empty() const noexcept { return words_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return words_.size(); }
  [[nodiscard]] const std::string& operator[](std::size_t i) const { return words_[i].text; }
  [[nodiscard]] Arguments from(std::size_t i) const { return {line_, words_.subspan(i)}; }
  /// The arguments as they were typed, with quotes.
  [[nodiscard]] std::string_view typed() const {
    return empty() ? std::string_view() : line_.substr(words_.front().begin);
  }

 private:
  std::string_view line_;
  std::span<const CommandWord> words_;
};

/// Joins words to one text, so that a name with blanks needs no quotes.
[[nodiscard]] inline std::string joined(const Arguments& arguments) {
  std::string text;
  for (std::size_t i = 0; i < arguments.size(); ++i) text += (i == 0 ? "" : " ") + arguments[i];
  return text;
}

/// Joins words to a path.
[[nodiscard]] inline std::string path_in(const Arguments& arguments) {
  return user_path(joined(arguments));
}

[[nodiscard]] inline Error usage(std::string_view text) {
  return {ErrorCode::invalid_argument, "usage: " + std::string(text), std::nullopt};
}

}  // namespace cairn::tools
