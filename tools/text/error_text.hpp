#pragma once
// Errors, and what a statement changed and how long it took, as a person reads them.

#include <cairn/result.hpp>
#include <cairn/statement.hpp>

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace cairn::tools {

/// The place of a statement in a longer text.
struct SourcePlace {
  std::string file = {};  ///< empty for one without a name, as standard input
  std::size_t lines_before = 0;
};

/// "error (CODE): MESSAGE" in lines, none of which steers a terminal. Where the error has a place in
/// `statement`, line and column stand before the message, and the line with a caret behind it. With `source` the file
/// stands before them, lines are those of the file, and an error without a place has the line of its statement.
[[nodiscard]] std::string error_text(const Error& error, std::string_view statement,
                                     const SourcePlace* source = nullptr);

// What a session says beside rows.

/// "1 node created, 2 properties set": only what was changed is named; "no changes" for nothing.
[[nodiscard]] std::string change_text(const Changes& changes);

/// "0.45 ms", "12.3 ms", "2.03 s"; never with an exponent.
[[nodiscard]] std::string time_text(std::chrono::steady_clock::duration elapsed);

}  // namespace cairn::tools
