#pragma once
// Statements that create constraints and indexes, in a file next to an export. They have a file of
// their own, because readers of APOC's JSON Lines accept only nodes and relationships.

#include <cairn/database.hpp>
#include <cairn/result.hpp>

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>

namespace cairn::tools {

/// `export.jsonl` -> `export.jsonl.indexes.cypher`
[[nodiscard]] std::filesystem::path index_file(const std::filesystem::path& export_file);

/// How many constraints and indexes the statements of a file created.
struct MadeSchema {
  std::uint64_t constraints = 0;
  std::uint64_t indexes = 0;
};

/// Returns `1 constraint and 2 indexes made by export.jsonl.indexes.cypher` as a line; empty if
/// none were made.
[[nodiscard]] std::string to_text(MadeSchema made, const std::filesystem::path& file);

/// Runs the statements of a file, if it exists. Existing indexes and constraints with the same name
/// stay. Errors: those of a statement, with the file and its number.
[[nodiscard]] Result<MadeSchema> run_index_file(Database& database,
                                                const std::filesystem::path& file,
                                                std::stop_token cancel = {});

}  // namespace cairn::tools
