#pragma once
// What the functions behind the dot commands share.

#include "tools/shell/command_words.hpp"

#include <cairn/result.hpp>

#include <span>
#include <string>
#include <string_view>

namespace cairn::tools {

/// The words behind a command's name, without their quotes. Valid as long as the line and its words.
class Arguments {
 public:
  Arguments(std::string_view line, std::span<const CommandWord> words)
      : line_(line), words_(words) {}

  [[nodiscard]] bool empty() const noexcept { return words_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return words_.size(); }
  [[nodiscard]] const std::string& operator[](std::size_t i) const { return words_[i].text; }
  [[nodiscard]] Arguments from(std::size_t i) const { return {line_, words_.subspan(i)}; }
  /// As they were typed, quotes and all.
  [[nodiscard]] std::string_view typed() const {
    return empty() ? std::string_view() : line_.substr(words_.front().begin);
  }

 private:
  std::string_view line_;
  std::span<const CommandWord> words_;
};

/// Words as one text: a name may have blanks in it without being in quotes.
[[nodiscard]] inline std::string joined(const Arguments& arguments) {
  std::string text;
  for (std::size_t i = 0; i < arguments.size(); ++i) text += (i == 0 ? "" : " ") + arguments[i];
  return text;
}

/// The same, as a path.
[[nodiscard]] inline std::string path_in(const Arguments& arguments) {
  return user_path(joined(arguments));
}

[[nodiscard]] inline Error usage(std::string_view text) {
  return {ErrorCode::invalid_argument, "usage: " + std::string(text), std::nullopt};
}

}  // namespace cairn::tools
