#pragma once
// The text that names an embedder, for a process that starts in another directory.

#include <string>

namespace cairn::tools {

/// Replaces relative paths by absolute ones: files of words:, a program and the words after it that
/// begin with ./ or ../, and key_file=. A program without a slash is searched in PATH and stays.
[[nodiscard]] std::string spec_from_anywhere(const std::string& spec);

}  // namespace cairn::tools
