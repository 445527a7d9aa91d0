#pragma once
// The help of a program as a terminal shows it.

#include <cstddef>
#include <string>
#include <string_view>

namespace cairn::tools {

/// Lines of two columns, names and what they mean, broken at blanks so that they fit the width; the second column stays
/// one. As they are where the terminal has no room for that.
[[nodiscard]] std::string fitted_help(std::string_view help, std::size_t width);

}  // namespace cairn::tools
