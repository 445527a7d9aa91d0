#pragma once
// Estimates tokens of answers, and makes stored text safe to show to a model.

#include <cairn/memory/output.hpp>
#include <cairn/value.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace cairn::tools::mcp {

inline constexpr std::size_t usual_tokens = 2'000;
inline constexpr std::size_t least_tokens = 200;
inline constexpr std::size_t most_tokens = 50'000;

using memory::estimate_tokens;

/// Escapes stored text for an answer: control, bidirectional and zero-width characters, and
/// everything that looks like the marks around stored text. Line ends stay.
[[nodiscard]] std::string as_data(std::string_view text);
/// Escapes all texts of a value, including names of members.
[[nodiscard]] Value as_data(const Value& value);
/// Escapes like as_data(), and makes it one line.
[[nodiscard]] std::string as_data_line(std::string_view text);

/// Returns at most `bytes` bytes, cut between characters, followed by an ellipsis if cut.
[[nodiscard]] std::string cut_text(std::string_view text, std::size_t bytes);

/// Puts the marks around stored text, with its origin.
[[nodiscard]] std::string framed(std::string_view body, std::string_view origin);

}  // namespace cairn::tools::mcp
