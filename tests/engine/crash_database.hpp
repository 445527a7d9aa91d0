#pragma once
// The operations of a CrashHistory made in a database, and what a database has in the words of a CrashHistory.

#include "tests/engine/crash_history.hpp"

#include <cairn/database.hpp>

#include <cstdint>
#include <set>
#include <string>

namespace cairn::test {

/// Makes one operation of `writer`. Errors: those of the transaction.
[[nodiscard]] Status apply(Transaction& transaction, const CrashOperation& operation,
                           std::size_t writer);

/// How many operations of `writer` are in the database.
[[nodiscard]] Result<std::uint64_t> count_done(const Snapshot& snapshot, std::size_t writer);

/// Nodes, relationships and indexes, each in a line, as CrashHistory::describe() has them; without nodes of
/// the label `unnamed` and the index of that name.
[[nodiscard]] std::set<std::string> describe(const Snapshot& snapshot, const std::string& unnamed);

}  // namespace cairn::test
