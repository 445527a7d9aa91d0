#pragma once
// The statements of the indexes in a file beside an export: a reader of APOC's lines knows none of another kind.

#include <cairn/database.hpp>
#include <cairn/result.hpp>

#include <cstdint>
#include <filesystem>

namespace cairn::tools {

/// `export.jsonl` -> `export.jsonl.indexes.cypher`
[[nodiscard]] std::filesystem::path index_file(const std::filesystem::path& export_file);

/// Run the statements of a file, if it is there; gives the number of indexes that it made. An index of
/// the same name is left as it is. Errors: those of a statement, with the file and its number.
[[nodiscard]] Result<std::uint64_t> run_index_file(Database& database,
                                                   const std::filesystem::path& file);

}  // namespace cairn::tools
