#pragma once
// Check that the directory of a benchmark does not exist yet.

#include <cairn/result.hpp>

#include <filesystem>
#include <string>

namespace cairn::tools {

/// Returns success if nothing exists at `directory`, otherwise already_exists.
[[nodiscard]] inline Status check_new_directory(const std::string& directory) {
  if (!std::filesystem::exists(directory)) return {};
  return Error{ErrorCode::already_exists,
               directory + " exists: name a directory that the benchmark may make", std::nullopt};
}

}  // namespace cairn::tools
