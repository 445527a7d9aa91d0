#pragma once
// Where on the screen a line stands that is being typed.

#include <cstddef>
#include <string>
#include <string_view>

namespace cairn::tools {

/// How many rows of the screen are above that of the cursor; `before` is what stands from the prompt to the cursor.
[[nodiscard]] std::size_t rows_above(std::string_view before, std::size_t width);

/// What brings the cursor up so many rows to the begin of the line, and clears all from there on.
[[nodiscard]] std::string clearing_sequence(std::size_t rows);

/// A prompt without the sequences that stand between marks.
[[nodiscard]] std::string without_marked(std::string_view prompt, char mark);

}  // namespace cairn::tools
