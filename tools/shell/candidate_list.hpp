#pragma once
// What Tab lists where several words fit.

#include <cstddef>
#include <string>
#include <vector>

namespace cairn::tools {

/// How far all of them begin alike.
[[nodiscard]] std::string common_begin(const std::vector<std::string>& words);

/// In columns that fit the width, read downwards, each line with its end; so many lines and the number of the rest.
/// Nothing in them steers a terminal.
[[nodiscard]] std::string candidate_text(const std::vector<std::string>& words, std::size_t width);

}  // namespace cairn::tools
