#pragma once
// A file of history that several shells write at once: each adds its own entries at the end.

#include <cstddef>
#include <filesystem>
#include <string_view>

namespace cairn::tools {

/// Add one entry, as libedit encodes it in a line. A file that cannot be written stays as it is: it is nothing to stop
/// a statement for.
void append_to_history(const std::filesystem::path& file, std::string_view entry);

/// Drop the oldest entries of a file that has far more than `most`.
void trim_history(const std::filesystem::path& file, std::size_t most);

}  // namespace cairn::tools
