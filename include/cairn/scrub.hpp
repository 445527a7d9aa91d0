#pragma once
// Scrubbing: removes erased data from the files of a database. Database::scrub() does it and
// returns a receipt.
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

/// The progress of a scrub.
struct ScrubProgress {
  std::string step;          ///< the current step, such as "tables"
  std::uint64_t tables = 0;  ///< tables rewritten so far
  std::uint64_t bytes = 0;   ///< bytes of these tables read so far
};

/// The options of a scrub.
struct ScrubOptions {
  std::string by = {};  ///< who requests the scrub, for the receipt
  /// How long to wait for older snapshots and transactions, and for rows that are still being read.
  std::chrono::milliseconds wait_for_readers = std::chrono::seconds(30);
  /// Called at the start of each step and repeatedly during long steps, on the thread that scrubs.
  /// Never called in an attached process.
  std::function<void(const ScrubProgress&)> on_progress = {};
};

/// A backup that this database made and has recorded.
struct ScrubbedBackup {
  std::string path;
  std::uint64_t commit = 0;
  std::int64_t made_at = 0;  ///< microseconds since 1970 UTC
};

/// The result of a scrub. It contains no erased data.
struct ScrubReceipt {
  std::string database_id;    ///< 32 hexadecimal digits
  std::string by;             ///< see ScrubOptions::by
  std::int64_t begun_at = 0;  ///< microseconds since 1970 UTC
  std::int64_t ended_at = 0;
  /// No file of the database contains data that was erased or replaced up to this commit.
  std::uint64_t commit = 0;
  std::uint64_t names =
      0;  ///< removed from the catalog: properties, paths, labels and types without records
  /// Names of properties and paths that remain, because not all paths are indexed
  /// (Options::max_paths) and only reading every record would show whether they are in use.
  std::uint64_t names_unknown = 0;
  std::uint64_t tables = 0;           ///< number of rewritten tables
  std::uint64_t table_bytes = 0;      ///< bytes read for that
  std::uint64_t vector_segments = 0;  ///< number of rebuilt segments
  /// Backups that this database made before the scrub, by path. Their files contain data that was
  /// erased or replaced. Backups made after an earlier scrub are left out if nothing was committed
  /// between the two scrubs.
  std::vector<ScrubbedBackup> backups;
};

}  // namespace cairn
