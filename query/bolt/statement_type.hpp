#pragma once
// The type of a statement in Bolt's summary.

#include <cairn/database.hpp>
#include <cairn/statement.hpp>

#include <string_view>

namespace cairn::query::bolt {

/// The type of a statement as Bolt names it: "r", "w", "rw", or "s" for a change of the schema. "w" writes and returns no
/// columns. An EXPLAIN has the type of the statement that it explains: clients ask by EXPLAIN whether a statement writes.
/// `text` is the text of the statement.
/// Cost: parses the text again if the statement writes and needs the role admin, or if it does not write and the text
/// contains EXPLAIN.
[[nodiscard]] std::string_view type_of(const Statement& statement, const Rows& rows,
                                       std::string_view text, const Database& database);

}  // namespace cairn::query::bolt
