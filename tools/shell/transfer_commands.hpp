#pragma once
// Dot commands that load, write and change databases.

#include "tools/shell/dot_command.hpp"
#include "tools/shell/session.hpp"

namespace cairn::tools {

/// `.import FILE.jsonl`, `.import FILE.csv --label L [--id COLUMN] [--delimiter C]`
[[nodiscard]] Status import_file(Session& session, const Arguments& arguments);
/// `.dump [FILE]`
[[nodiscard]] Status dump(Session& session, const Arguments& arguments);
/// `.backup DIR`
[[nodiscard]] Status back_up(Session& session, const Arguments& arguments);
/// `.open PATH`
[[nodiscard]] Status open_database(Session& session, const Arguments& arguments);

}  // namespace cairn::tools
