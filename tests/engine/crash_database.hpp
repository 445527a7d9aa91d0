#pragma once
// The operations of a CrashHistory made in a database, and what a database has in the words of a CrashHistory.

#include "tests/engine/crash_history.hpp"
#include "tests/engine/crash_import.hpp"

#include <cairn/database.hpp>

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>

namespace cairn::test {

/// Makes one operation of `writer`. Errors: those of the transaction.
[[nodiscard]] Status apply(Transaction& transaction, const CrashOperation& operation,
                           std::size_t writer);

/// How many operations of `writer` are in the database.
[[nodiscard]] Result<std::uint64_t> count_done(const Snapshot& snapshot, std::size_t writer);

/// How many operations of a CrashImport are in the database.
[[nodiscard]] Result<std::uint64_t> count_imported(const Snapshot& snapshot);

/// Label of what may be in a database before the histories begin, and what the names of its indexes begin with.
inline constexpr const char* filling = "Filling";

/// Reads with Segments::always, so that there are segments of lists and of properties, which a checkpoint saves.
void pack(const Snapshot& snapshot);

/// Nodes, relationships and indexes, each in a line, as CrashHistory::describe() has them; without the filling.
[[nodiscard]] std::set<std::string> describe(const Snapshot& snapshot);

/// Makes a database with a vector index and a full-text index over the data of the histories. Sealing the vector index
/// takes only a few more vectors, and one more commit of texts starts to write a file of the texts that are there.
void make_nearly_full_indexes(const std::filesystem::path& path);

}  // namespace cairn::test
