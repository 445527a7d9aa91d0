#pragma once
// The indexes that somebody made, as the statements that make them. They stand in a file beside an
// export: a reader of APOC's lines knows none of another kind.

#include <cairn/database.hpp>
#include <cairn/result.hpp>
#include <cairn/snapshot.hpp>

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace cairn::tools {

/// A name of any letters as it stands in a statement: "`my ``name`".
[[nodiscard]] std::string ticked(std::string_view name);

/// `export.jsonl` -> `export.jsonl.indexes.cypher`
[[nodiscard]] std::filesystem::path index_file(const std::filesystem::path& export_file);

/// "CREATE FULLTEXT INDEX `texts` IF NOT EXISTS FOR (n:`Memory`) ON EACH [n.`text`] OPTIONS {...}"
[[nodiscard]] std::string to_statement(const IndexDescription& index);

/// One statement a line, empty where there is no index but automatic ones. In whatever state they are:
/// one that is being made, or was not made, is wanted as well.
[[nodiscard]] std::string to_statements(std::span<const IndexDescription> indexes);
[[nodiscard]] Result<std::string> index_statements(const Snapshot& snapshot);

/// Run the statements of a file, if it is there; gives the number of indexes that it made. An index of
/// the same name is left as it is. Errors: those of a statement, with the file and its number.
[[nodiscard]] Result<std::uint64_t> run_index_file(Database& database,
                                                   const std::filesystem::path& file);

}  // namespace cairn::tools
