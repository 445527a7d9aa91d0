// One snapshot: nodes, then relationships, streamed; no limit of time, rows or memory holds.
// Written and read back, a database has the same graph, with new internal ids.
#include "tools/transfer/export.hpp"

#include "tools/text/progress.hpp"
#include "tools/transfer/apoc_line.hpp"

#include <cairn/statement.hpp>

#include <chrono>
#include <limits>
#include <optional>
#include <ostream>

namespace cairn::tools {
namespace {

StatementOptions unlimited() {
  StatementOptions options;
  options.timeout = std::chrono::hours(24 * 7);
  options.max_rows = std::numeric_limits<std::size_t>::max();
  options.memory_bytes = std::numeric_limits<std::size_t>::max();
  return options;
}

/// Write the one column of a statement, line by line; gives the number of lines.
template <class Entity>
Result<std::uint64_t> write_all(const Snapshot& snapshot, std::string_view text, std::ostream& out,
                                Progress& progress) {
  CAIRN_ASSIGN(const Statement statement, Statement::parse(text));
  CAIRN_ASSIGN(Rows rows, statement.run(snapshot, {}, unlimited()));
  std::uint64_t count = 0;
  while (true) {
    CAIRN_ASSIGN(const auto row, rows.next());
    if (!row) return count;
    out << to_apoc_line(*(*row)[0].template get_if<Entity>()) << '\n';
    if (!out)
      return Error{ErrorCode::io_error, "writing failed after " + std::to_string(count) + " lines",
                   std::nullopt};
    progress.update(++count);
  }
}

}  // namespace

// Both statements see one snapshot, so each relationship's ends are among the nodes. Nodes first,
// as an import needs them. Streams.
Result<ExportReport> export_jsonl(Database& database, std::ostream& out, bool progress) {
  CAIRN_ASSIGN(const Snapshot snapshot, database.snapshot());
  ExportReport report;
  Progress line("records", 0, progress);
  CAIRN_ASSIGN(report.nodes, write_all<Node>(snapshot, "MATCH (n) RETURN n", out, line));
  CAIRN_ASSIGN(report.relationships,
               write_all<Relationship>(snapshot, "MATCH ()-[r]->() RETURN r", out, line));
  return report;
}

}  // namespace cairn::tools
