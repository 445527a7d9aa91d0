#pragma once
// A database as JSON Lines, one record a line, and back.
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
// Members of our own, which other readers pass over: "types" for values whose type JSON loses, "externalId", and
// "system" for namespace, marks and times. Indexes are statements, index_statements(). A file of such lines is read by
// newer versions too, whatever becomes of the format on disk; a backup (cairn/backup.hpp) is quicker and exact.
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

/// How far a transfer is.
struct TransferProgress {
  std::uint64_t records = 0;  ///< written or read
  std::uint64_t part = 0;     ///< of `total`: records of an export, bytes of an import
  std::uint64_t total = 0;    ///< 0 where nobody knows, as of a pipe
};

/// Which records are written.
struct ExportOptions {
  std::optional<std::string> name_space = {};  ///< this one alone; "" is the default one
  /// Without what is softly deleted, or has expired when the export begins.
  bool visible_only = false;
  /// Leave out what cannot be read and what hangs on it; the report tells it.
  bool skip_damaged = false;
  /// Called after each record, by the thread of the call.
  std::function<void(const TransferProgress&)> progress = {};
  std::stop_token cancel = {};  ///< the export ends with `cancelled` once a stop is requested

  /// Whether something is left out as asked.
  [[nodiscard]] bool is_narrowed() const { return name_space.has_value() || visible_only; }
};

/// Records left out as the options ask for it, each counted once.
struct LeftOut {
  std::uint64_t other_name_spaces = 0;
  std::uint64_t hidden = 0;  ///< softly deleted or expired
  std::uint64_t cut = 0;     ///< relationships with an end that is left out
  friend bool operator==(const LeftOut&, const LeftOut&) = default;
};

/// What an export wrote, and what it left out.
struct ExportReport {
  std::uint64_t nodes = 0;
  std::uint64_t relationships = 0;
  LeftOut nodes_left_out;
  LeftOut relationships_left_out;
  // Ids, ascending; with ExportOptions::skip_damaged alone.
  std::vector<std::uint64_t> lost_nodes;
  std::vector<std::uint64_t> lost_relationships;
  std::vector<std::uint64_t> cut_relationships;  ///< whole, but one end is lost

  /// Nothing of what was asked for is lost.
  [[nodiscard]] bool is_whole() const {
    return lost_nodes.empty() && lost_relationships.empty() && cut_relationships.empty();
  }
};

/// Write all that a snapshot holds, records of every namespace and hidden ones too, or what the options leave of it:
/// nodes first, then relationships, each namespace by namespace, the default one first, by ascending ids.
///
/// Errors: io_error where the stream fails; corruption, unless damage is skipped; not_found where there is no such
/// namespace; cancelled. Cost: two reads a record; no limit of time, rows or memory holds, and memory does not grow with them.
/// Threads: as the snapshot.
[[nodiscard]] CAIRN_EXPORT Result<ExportReport> export_jsonl(const Snapshot& snapshot,
                                                             std::ostream& out,
                                                             const ExportOptions& options = {});
/// The same of a snapshot of this moment. Its progress has a total.
[[nodiscard]] CAIRN_EXPORT Result<ExportReport> export_jsonl(Database& database, std::ostream& out,
                                                             const ExportOptions& options = {});

/// The statements that make the constraints, and the indexes that somebody made, one a line; empty if there are none.
/// Errors: io_error; corruption.
[[nodiscard]] CAIRN_EXPORT Result<std::string> index_statements(const Snapshot& snapshot);

/// How lines become records.
struct ImportOptions {
  std::size_t batch = 10'000;  ///< lines a commit
  /// A longer line is a broken one. The default takes four values of the largest size; a line is held several
  /// times while it is read.
  std::size_t max_line_bytes = std::size_t{64} << 20;
  /// Leave broken lines out and report them, instead of stopping; and leave out what an import before
  /// this one has loaded, as far as nodes have external ids.
  bool skip_errors = false;
  std::string id_property = {};  ///< a property whose value becomes the external id
  std::string id_prefix = {};    ///< the file's ids with this before them become external ids
  /// Called after each line, by the thread of the call.
  std::function<void(const TransferProgress&)> progress = {};
  std::stop_token cancel = {};  ///< the import ends with `cancelled` once a stop is requested
  /// Of lines without a member `system`, as those of other programs; empty is the default one.
  std::string name_space = {};
};

/// A line that was left out.
struct ImportProblem {
  std::uint64_t line = 0;  ///< from 1
  std::string reason;
};

/// What an import made, and what it left out.
struct ImportReport {
  std::uint64_t nodes = 0;
  std::uint64_t relationships = 0;
  std::uint64_t earlier = 0;  ///< records that were there before, equal in all they have
  std::uint64_t skipped = 0;
  std::vector<ImportProblem> problems;  ///< the first 100
  double seconds = 0;
};

/// Load a file of lines. A relationship stands after its two nodes; ids join the lines of one file and become external
/// ids only where asked for.
///
/// Whole batches only: a broken line without `skip_errors` ends the import with an error that names the line, and
/// nothing of its batch is stored. Errors: not_found; io_error; invalid_argument; cancelled, which says how many records
/// are stored; those of creating a record and of Transaction::commit(). Memory: the ids of the nodes, and some batches of lines. Threads: as Database::begin(); a
/// thread of its own parses.
[[nodiscard]] CAIRN_EXPORT Result<ImportReport> import_jsonl(Database& database,
                                                             const std::filesystem::path& file,
                                                             const ImportOptions& options = {});

}  // namespace cairn
