#pragma once
// Errors, changes and durations as text for people.

#include <cairn/result.hpp>
#include <cairn/statement.hpp>

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace cairn::tools {

/// The place of a statement within a longer text.
struct SourcePlace {
  std::string file = {};  ///< empty without a name, such as standard input
  std::size_t lines_before = 0;
};

/// Returns "error (CODE): MESSAGE" in one or more lines, with control characters made visible. If
/// the error has a position in `statement`, line and column precede the message, and the line with
/// a caret follows. With `source`, the file name precedes them, lines are counted in the file, and
/// an error without a position gets the line of its statement.
[[nodiscard]] std::string error_text(const Error& error, std::string_view statement,
                                     const SourcePlace* source = nullptr);

// Remarks of a session besides rows.

/// Returns for example "1 node created, 2 properties set"; "no changes" if nothing changed.
[[nodiscard]] std::string change_text(const Changes& changes);

/// Returns for example "0.45 ms", "12.3 ms" or "2.03 s", never with an exponent.
[[nodiscard]] std::string time_text(std::chrono::steady_clock::duration elapsed);

}  // namespace cairn::tools
