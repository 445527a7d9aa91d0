#pragma once
// How much of a model's context an answer takes, by estimate, and stored text made safe for an answer.

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

/// Stored text for an answer: control, bidirectional and zero-width characters escaped, and what looks like the marks around
/// it. Line ends stay.
[[nodiscard]] std::string as_data(std::string_view text);
/// All texts of a value, names of members too.
[[nodiscard]] Value as_data(const Value& value);
/// The same on one line.
[[nodiscard]] std::string as_data_line(std::string_view text);

/// At most so many bytes, cut between characters, with an ellipsis behind.
[[nodiscard]] std::string cut_text(std::string_view text, std::size_t bytes);

/// The marks around stored text, with where it is from.
[[nodiscard]] std::string framed(std::string_view body, std::string_view origin);

}  // namespace cairn::tools::mcp
