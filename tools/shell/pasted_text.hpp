#pragma once
// What is pasted into a line that is being typed.

#include <string>
#include <string_view>

namespace cairn::tools {

/// Whether standard output is a terminal that knows sequences.
[[nodiscard]] bool knows_sequences();

/// Let a terminal that knows how put marks around what is pasted, or end that.
void mark_pastes(bool is_on);

inline constexpr std::wstring_view end_of_paste = L"\x1b[201~";

/// What stands between the marks as text. Lines end with \r in what a terminal sends. What steers it is no text.
[[nodiscard]] std::wstring text_of_paste(std::wstring_view pasted);

}  // namespace cairn::tools
