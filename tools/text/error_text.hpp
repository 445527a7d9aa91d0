#pragma once
// Errors as a person reads them.

#include <cairn/result.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace cairn::tools {

/// Where a statement stands in a longer text.
struct SourcePlace {
  std::string file = {};  ///< empty for one without a name, as standard input
  std::size_t lines_before = 0;
};

/// "error (CODE): MESSAGE" in lines, none of which steers a terminal. Where the error has a place in
/// `statement`, line and column stand before the message, and the line with a caret behind it. With `source` the file
/// stands before them, lines are those of the file, and an error without a place has the line of its statement.
[[nodiscard]] std::string error_text(const Error& error, std::string_view statement,
                                     const SourcePlace* source = nullptr);

}  // namespace cairn::tools
