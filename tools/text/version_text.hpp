#pragma once
// What a program says of itself: what it was built of, and with.

#include <string>
#include <string_view>

namespace cairn::tools {

/// The text of `--version`: the program's version, the commit where it is known, the format of
/// databases, and the compiler and libraries it was built with. One thing a line.
[[nodiscard]] std::string version_text(std::string_view program);

}  // namespace cairn::tools
