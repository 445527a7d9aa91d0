#pragma once
// Dot commands that load, write and change databases.

#include "tools/shell/dot_command.hpp"
#include "tools/shell/session.hpp"

#include <cairn/result.hpp>

#include <filesystem>
#include <string>

namespace cairn::tools {

/// `.import FILE.jsonl`, `.import FILE.csv --label L [--id COLUMN] [--delimiter C]`
[[nodiscard]] Status import_file(Session& session, const Arguments& arguments);
/// `.dump [FILE]`
[[nodiscard]] Status dump(Session& session, const Arguments& arguments);
/// `.backup DIR`
[[nodiscard]] Status back_up(Session& session, const Arguments& arguments);
/// `.open PATH`
[[nodiscard]] Status open_database(Session& session, const Arguments& arguments);

// Handling of a path without a database: a database is only created on purpose.

/// True if opening this directory would create a database.
[[nodiscard]] bool is_vacant(const std::filesystem::path& directory);

/// Returns a question such as "my.cairn does not exist. Make a new database? [y/N] ".
[[nodiscard]] std::string make_question(const std::string& path);

/// Returns not_found with how to create a database; `is_refused` if the user has just declined to
/// create one.
[[nodiscard]] Error no_database(const std::string& path, bool is_refused = false);

}  // namespace cairn::tools
