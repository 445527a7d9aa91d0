#pragma once
// Scrubbing: erasing what was erased from the files too. Database::scrub() does it and gives a receipt.
//
//     CAIRN_TRY(execute(database, "MATCH (n:Person {name: 'Ada'}) DETACH DELETE n"));
//     CAIRN_ASSIGN(const ScrubReceipt receipt, database.scrub({.by = "privacy desk"}));
//     for (const ScrubbedBackup& backup : receipt.backups) std::cout << backup.path << " still has it\n";

#include <cairn/database.hpp>
#include <cairn/visibility.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace cairn {

/// How far a scrub has come.
struct ScrubProgress {
  std::string step;          ///< what it does now, as "tables"
  std::uint64_t tables = 0;  ///< that were rewritten so far
  std::uint64_t bytes = 0;   ///< of the tables that it has read for that
};

/// The options of a scrub.
struct ScrubOptions {
  std::string by = {};  ///< who asks for it, for the receipt
  /// How long it waits for older snapshots and transactions, and for rows that are still read.
  std::chrono::milliseconds wait_for_readers = std::chrono::seconds(30);
  /// Called between its steps, on the thread that scrubs. A database that is attached calls it never.
  std::function<void(const ScrubProgress&)> on_progress = {};
};

/// A backup that this database has made and remembers.
struct ScrubbedBackup {
  std::string path;
  std::uint64_t commit = 0;
  std::int64_t made_at = 0;  ///< microseconds since 1970 UTC
};

/// What a scrub did. It has nothing of what was erased.
struct ScrubReceipt {
  std::string database_id;    ///< 32 hexadecimal digits
  std::string by;             ///< as ScrubOptions::by
  std::int64_t begun_at = 0;  ///< microseconds since 1970 UTC
  std::int64_t ended_at = 0;
  /// Nothing that was erased or replaced up to this commit is in a file of the database.
  std::uint64_t commit = 0;
  std::uint64_t names =
      0;  ///< of properties, paths, labels and types that no record has, taken from the catalog
  /// Of properties and paths that stay, as Options::max_paths left some unindexed and only a look at each record would
  /// tell whether they are in use.
  std::uint64_t names_unknown = 0;
  std::uint64_t tables = 0;           ///< that were rewritten
  std::uint64_t table_bytes = 0;      ///< that were read for that
  std::uint64_t vector_segments = 0;  ///< that were built again
  /// Backups from before the scrub, by path. They have what was erased before them or since.
  std::vector<ScrubbedBackup> backups;
};

}  // namespace cairn
