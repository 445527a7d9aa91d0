#pragma once
// Errors as a person reads them.

#include <cairn/result.hpp>

#include <string>
#include <string_view>

namespace cairn::tools {

/// "error (CODE): MESSAGE" in lines, none of which steers a terminal. Where the error has a place in
/// `statement`, line and column stand before the message, and the line with a caret behind it.
[[nodiscard]] std::string error_text(const Error& error, std::string_view statement);

}  // namespace cairn::tools
