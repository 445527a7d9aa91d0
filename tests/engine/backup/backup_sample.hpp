#pragma once
// A database with some of everything, changed by the operations of a CrashHistory.

#include "tests/engine/crash_database.hpp"
#include "tests/engine/crash_history.hpp"
#include "tests/support/graph_builder.hpp"

#include <cairn/backup.hpp>
#include <cairn/database.hpp>

#include <filesystem>
#include <set>
#include <string>

namespace cairn::test {

/// The next operations of a history, a commit each.
inline void work(Database& database, CrashHistory& history, std::size_t operations,
                 std::size_t writer = 0) {
  for (std::size_t i = 0; i < operations; ++i) {
    Transaction transaction = must(database.begin());
    must(apply(transaction, history.next(), writer));
    must(transaction.commit());
  }
}

/// Returns how a database differs from the content that a history must have left; empty if it does not differ.
inline std::string difference(Database& database, const CrashHistory& history) {
  std::set<std::string> expected;
  history.describe(expected);
  if (describe(must(database.snapshot())) != expected) return "other content";
  const auto findings = must(database.check());
  return findings.empty() ? "" : findings.front().place + ": " + findings.front().problem;
}

/// The same of the database in a directory.
inline std::string difference(const std::filesystem::path& directory, const CrashHistory& history) {
  Database database = must(Database::open(directory));
  for (const std::string& warning : database.warnings()) return "warning: " + warning;
  return difference(database, history);
}

}  // namespace cairn::test
