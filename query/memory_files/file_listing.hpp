#pragma once
// What is in a directory of memory files, two levels deep, with sizes.

#include "query/memory_files/file_records.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace cairn::query {

/// `shown` is the path as it was given. Names that begin with a dot and node_modules are left out, and what does not fit into
/// `max_tokens` is counted.
[[nodiscard]] std::string directory_listing(const std::string& path, const std::string& shown,
                                            const std::vector<ListedFile>& files,
                                            const std::vector<std::string>& directories,
                                            std::size_t max_tokens);

}  // namespace cairn::query
