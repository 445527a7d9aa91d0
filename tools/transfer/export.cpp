// One snapshot: nodes, then relationships, streamed; no limit of time, rows or memory holds.
// Written and read back, a database has the same graph, with new internal ids.
#include "tools/transfer/export.hpp"

#include "tools/text/progress.hpp"
#include "tools/transfer/apoc_line.hpp"

#include <cairn/statement.hpp>

#include <algorithm>
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

Error write_failed(std::uint64_t count) {
  return Error{ErrorCode::io_error, "writing failed after " + std::to_string(count) + " lines",
               std::nullopt};
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
    if (!out) return write_failed(count);
    progress.update(++count);
  }
}

/// Of what is read, not of the machine. A missing file is an io_error.
bool is_damage(const Error& error) {
  return error.code == ErrorCode::corruption || error.code == ErrorCode::io_error;
}

/// The ids that a statement gives, ascending.
Result<std::vector<std::uint64_t>> ids_of(const Snapshot& snapshot, std::string_view text) {
  CAIRN_ASSIGN(const Statement statement, Statement::parse(text));
  CAIRN_ASSIGN(Rows rows, statement.run(snapshot, {}, unlimited()));
  std::vector<std::uint64_t> ids;
  while (true) {
    CAIRN_ASSIGN(const auto row, rows.next());
    if (!row) break;
    ids.push_back(static_cast<std::uint64_t>(*(*row)[0].get_if<std::int64_t>()));
  }
  std::sort(ids.begin(), ids.end());
  return ids;
}

bool holds(const std::vector<std::uint64_t>& ids, std::uint64_t id) {
  return std::binary_search(ids.begin(), ids.end(), id);
}

/// "nodes 3 to 7, 9"
void append_ranges(std::string& text, std::string_view what,
                   const std::vector<std::uint64_t>& ids) {
  if (ids.empty()) return;
  text += std::to_string(ids.size()) + " " + std::string(what) + ": ";
  for (std::size_t i = 0; i < ids.size();) {
    std::size_t last = i;
    while (last + 1 < ids.size() && ids[last + 1] == ids[last] + 1) ++last;
    text += (i == 0 ? "" : ", ") + std::to_string(ids[i]);
    if (last != i) text += " to " + std::to_string(ids[last]);
    i = last + 1;
  }
  text += "\n";
}

}  // namespace

// Which records there are the indexes tell; each is then read by itself, so that one that cannot be
// read takes no other along.
Result<ExportReport> export_readable(Database& database, std::ostream& out, bool progress) {
  CAIRN_ASSIGN(const Snapshot snapshot, database.snapshot());
  CAIRN_ASSIGN(const auto nodes, ids_of(snapshot, "MATCH (n) RETURN id(n)"));
  CAIRN_ASSIGN(const auto relationships, ids_of(snapshot, "MATCH ()-[r]->() RETURN id(r)"));
  ExportReport report;
  Progress line("records", 0, progress);
  for (const std::uint64_t id : nodes) {
    const auto node = snapshot.find_node(NodeId{id});
    if (!node && !is_damage(node.error())) return node.error();
    if (!node || !*node) {
      report.lost_nodes.push_back(id);
      continue;
    }
    out << to_apoc_line(**node) << '\n';
    if (!out) return write_failed(report.nodes);
    line.update(++report.nodes);
  }
  for (const std::uint64_t id : relationships) {
    const auto found = snapshot.find_relationship(RelationshipId{id});
    if (!found && !is_damage(found.error())) return found.error();
    if (!found || !*found) {
      report.lost_relationships.push_back(id);
      continue;
    }
    // An import could not make it.
    if (holds(report.lost_nodes, (**found).source().value) ||
        holds(report.lost_nodes, (**found).target().value)) {
      report.cut_relationships.push_back(id);
      continue;
    }
    out << to_apoc_line(**found) << '\n';
    if (!out) return write_failed(report.nodes + report.relationships);
    line.update(report.nodes + ++report.relationships);
  }
  return report;
}

std::string lost_text(const ExportReport& report) {
  std::string text;
  append_ranges(text, "nodes that cannot be read", report.lost_nodes);
  append_ranges(text, "relationships that cannot be read", report.lost_relationships);
  append_ranges(text, "relationships of nodes that cannot be read", report.cut_relationships);
  return text;
}

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
