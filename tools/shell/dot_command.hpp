#pragma once
// What the functions behind the dot commands share.

#include <cairn/result.hpp>

#include <span>
#include <string>
#include <string_view>

namespace cairn::tools {

/// The words behind a command's name.
using Arguments = std::span<const std::string>;

/// Words as one text: a name may have blanks in it.
[[nodiscard]] inline std::string joined(Arguments arguments) {
  std::string text;
  for (const std::string& part : arguments) text += (text.empty() ? "" : " ") + part;
  return text;
}

[[nodiscard]] inline Error usage(std::string_view text) {
  return {ErrorCode::invalid_argument, "usage: " + std::string(text), std::nullopt};
}

}  // namespace cairn::tools
