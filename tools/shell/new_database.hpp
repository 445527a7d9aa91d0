#pragma once
// A path at which there is no database yet: made only by who means to.

#include <cairn/result.hpp>

#include <filesystem>
#include <string>

namespace cairn::tools {

/// Whether a database opened here would be a new one.
[[nodiscard]] bool is_vacant(const std::filesystem::path& directory);

/// "my.cairn does not exist. Make a new database? [y/N] "
[[nodiscard]] std::string make_question(const std::string& path);

/// not_found, with how to make one; `is_refused` where its user has just said that none is to be made.
[[nodiscard]] Error no_database(const std::string& path, bool is_refused = false);

}  // namespace cairn::tools
