#pragma once
// The indexes that somebody made and the constraints, as the statements that make them.

#include <cairn/result.hpp>
#include <cairn/snapshot.hpp>

#include <span>
#include <string>

namespace cairn::query {

/// "CREATE FULLTEXT INDEX `texts` IF NOT EXISTS FOR (n:`Memory`) ON EACH [n.`text`] OPTIONS {...}"
[[nodiscard]] std::string to_statement(const IndexDescription& index);
/// One statement a line, empty if all indexes are automatic ones. In whatever state they are:
/// one that is being made, or was not made, is wanted as well.
[[nodiscard]] std::string to_statements(std::span<const IndexDescription> indexes);

/// Those that make the constraints, likewise.
[[nodiscard]] Result<std::string> constraint_statements(const Snapshot& snapshot);

}  // namespace cairn::query
