#pragma once
// What people type who know psql, sqlite3, duckdb or cypher-shell.

#include <string>
#include <string_view>

namespace cairn::tools {

/// The dot command that a line stands for: "\\d Person" is ".schema Person", "exit" is ".quit". Empty for any other.
/// Words are known in any case, with a semicolon behind them too.
[[nodiscard]] std::string find_dot_command(std::string_view line);

}  // namespace cairn::tools
