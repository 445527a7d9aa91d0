#pragma once
// Export and import of a database as JSON Lines, one record per line.
//
//     std::ofstream file("people.jsonl");
//     CAIRN_ASSIGN(const ExportReport written, export_jsonl(database, file));
//     CAIRN_ASSIGN(Database copy, Database::open("copy"));
//     CAIRN_ASSIGN(const ImportReport read, import_jsonl(copy, "people.jsonl"));
//
// line := {"type":"node","id":"0","labels":["A"],"properties":{...}}
//       | {"type":"relationship","id":"0","label":"KNOWS","properties":{...},
//          "start":{"id":"0","labels":["A"]},"end":{"id":"1"}}
//
// Cairn adds members that other readers ignore: "types" for values whose type JSON loses,
// "externalId", and "system" for namespace, marks and times. Indexes are exported as statements:
// index_statements(). Newer versions can always read these files, even if the format on disk
// changes. A backup (cairn/backup.hpp) is faster and exact.
#include <cairn/database.hpp>
#include <cairn/result.hpp>
#include <cairn/snapshot.hpp>
#include <cairn/visibility.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace cairn {

/// Progress of an export or import.
struct TransferProgress {
  std::uint64_t records = 0;  ///< records written or read so far
  std::uint64_t part = 0;     ///< how much of `total`: records of an export, bytes of an import
  std::uint64_t total = 0;    ///< 0 if unknown, for example of a pipe
};

/// Options of an export.
struct ExportOptions {
  std::optional<std::string> name_space = {};  ///< only this one; "" is the default one
  /// Omits soft-deleted records, and records that have expired when the export begins.
  bool visible_only = false;
  /// Omits records that cannot be read, and what depends on them; the report lists them.
  bool skip_damaged = false;
  /// Called after each record, on the thread of the call.
  std::function<void(const TransferProgress&)> progress = {};
  std::stop_token cancel = {};  ///< the export ends with `cancelled` once a stop is requested

  /// True if the options omit records.
  [[nodiscard]] bool is_narrowed() const { return name_space.has_value() || visible_only; }
};

/// Numbers of records that were omitted as requested, each counted once.
struct LeftOut {
  std::uint64_t other_name_spaces = 0;
  std::uint64_t hidden = 0;  ///< soft-deleted or expired
  std::uint64_t cut = 0;     ///< relationships with an omitted node
  friend bool operator==(const LeftOut&, const LeftOut&) = default;
};

/// The result of an export.
struct ExportReport {
  std::uint64_t nodes = 0;
  std::uint64_t relationships = 0;
  LeftOut nodes_left_out;
  LeftOut relationships_left_out;
  // Ids of damaged records, ascending; only with ExportOptions::skip_damaged.
  std::vector<std::uint64_t> lost_nodes;
  std::vector<std::uint64_t> lost_relationships;
  std::vector<std::uint64_t> cut_relationships;  ///< intact, but one of their nodes is lost

  /// True if no requested record is lost.
  [[nodiscard]] bool is_whole() const {
    return lost_nodes.empty() && lost_relationships.empty() && cut_relationships.empty();
  }
};

/// Writes all records of a snapshot, of every namespace and hidden ones included, or those that the
/// options select. Order: nodes first, then relationships, each by namespace, the default one
/// first, then by id.
///
/// Errors: io_error of the stream; corruption, unless damage is skipped; not_found if the namespace
/// does not exist; cancelled. Cost: two reads per record. Time, rows and memory have no limits, and
/// memory does not grow with the number of records. Threads: like the snapshot.
[[nodiscard]] CAIRN_EXPORT Result<ExportReport> export_jsonl(const Snapshot& snapshot,
                                                             std::ostream& out,
                                                             const ExportOptions& options = {});
/// Exports a new snapshot. Its progress has a total.
[[nodiscard]] CAIRN_EXPORT Result<ExportReport> export_jsonl(Database& database, std::ostream& out,
                                                             const ExportOptions& options = {});

/// Returns the statements that create the constraints and the named indexes, one per line; empty if
/// there are none. Errors: io_error; corruption.
[[nodiscard]] CAIRN_EXPORT Result<std::string> index_statements(const Snapshot& snapshot);

/// Options of an import.
struct ImportOptions {
  std::size_t batch = 10'000;  ///< lines per commit
  /// A longer line is invalid. The default is enough for four values of the largest size. A line is
  /// held in memory several times while it is read.
  std::size_t max_line_bytes = std::size_t{64} << 20;
  /// Omits and reports invalid lines instead of stopping. Also skips records that an earlier import
  /// has loaded, if nodes have external ids.
  bool skip_errors = false;
  std::string id_property = {};  ///< a property whose value becomes the external id
  std::string id_prefix = {};    ///< prefix that turns the file's ids into external ids
  /// Called after each line, on the thread of the call.
  std::function<void(const TransferProgress&)> progress = {};
  std::stop_token cancel = {};  ///< the import ends with `cancelled` once a stop is requested
  /// Namespace of lines without a member `system`, such as those of other programs; empty is the
  /// default one.
  std::string name_space = {};
};

/// A line that was omitted.
struct ImportProblem {
  std::uint64_t line = 0;  ///< counted from 1
  std::string reason;
};

/// The result of an import.
struct ImportReport {
  std::uint64_t nodes = 0;
  std::uint64_t relationships = 0;
  std::uint64_t earlier = 0;  ///< records that existed already and are equal
  std::uint64_t skipped = 0;
  std::vector<ImportProblem> problems;  ///< the first 100
  double seconds = 0;
};

/// Imports a file of lines. A relationship must follow its two nodes. Ids connect the lines of one
/// file; they become external ids only on request.
///
/// Works in whole batches: without `skip_errors`, an invalid line ends the import with an error
/// that names the line, and its batch is not stored. Errors: not_found; io_error; invalid_argument;
/// cancelled, with the number of stored records; those of creating a record and of
/// Transaction::commit(). Memory: the ids of the nodes, and some batches of lines. Threads: like
/// Database::begin(); parses on a thread of its own.
[[nodiscard]] CAIRN_EXPORT Result<ImportReport> import_jsonl(Database& database,
                                                             const std::filesystem::path& file,
                                                             const ImportOptions& options = {});

}  // namespace cairn
