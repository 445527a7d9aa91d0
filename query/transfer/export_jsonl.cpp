// Exports one snapshot as a stream: first nodes, then relationships. Limits of statements (time, rows, memory) do not
// apply.
//
// A database that is imported from the file has the same records, with new internal ids.
#include "engine/system/clock.hpp"
#include "query/transfer/apoc_line.hpp"
#include "query/transfer/id_bits.hpp"

#include <cairn/snapshot.hpp>
#include <cairn/system_fields.hpp>
#include <cairn/transfer.hpp>

#include <algorithm>
#include <ostream>
#include <utility>
#include <vector>

namespace cairn {
namespace query {
namespace {

/// True if damaged data can cause the error. A missing file counts as damage too: it is an io_error.
bool is_damage(const Error& error) {
  return error.code == ErrorCode::corruption || error.code == ErrorCode::io_error;
}

/// Names a record in messages.
std::string name_of(NodeId id) { return "node " + std::to_string(id.value); }
std::string name_of(RelationshipId id) { return "relationship " + std::to_string(id.value); }

/// A record with its system fields.
template <class Record>
struct Whole {
  Record record;
  SystemFields fields;
};

Result<std::optional<Node>> find(const Snapshot& snapshot, NodeId id) {
  return snapshot.find_node(id);
}
Result<std::optional<Relationship>> find(const Snapshot& snapshot, RelationshipId id) {
  return snapshot.find_relationship(id);
}

/// Reads a record and its system fields. Errors: corruption, also if the index lists a record that does not exist.
template <class Record, class Id>
Result<Whole<Record>> read(const Snapshot& snapshot, Id id) {
  const auto record = find(snapshot, id);
  if (!record) return record.error();
  const auto fields = system_fields(snapshot, id);
  if (!fields) return fields.error();
  if (*record && *fields) return Whole<Record>{**record, **fields};
  return Error{ErrorCode::corruption,
               name_of(id) +
                   ", which the index of all records lists, is missing; repair the index "
                   "(cairn check --repair), or export with --skip-damaged",
               std::nullopt};
}

/// One export. The index of all records lists the ids; each record is read alone, so an unreadable record loses no
/// other record.
class Export {
 public:
  /// `records`: the number of records in the database, for the progress; 0 if unknown.
  Export(const Snapshot& snapshot, std::ostream& out, const ExportOptions& options,
         std::uint64_t records)
      : snapshot_(snapshot), out_(out), options_(options), progress_({.total = records}) {}

  // Nodes come first because an import resolves relationships by them. A relationship may have ends in other namespaces.
  Result<ExportReport> run() {
    CAIRN_ASSIGN(const std::vector<std::string> names, name_spaces(snapshot_));
    if (options_.name_space && std::ranges::find(names, *options_.name_space) == names.end())
      return no_such_name_space(names);
    for (const std::string& name : names)
      CAIRN_TRY(visit_nodes(snapshot_, name, [&](NodeId id) { return take(name, id); }));
    for (const std::string& name : names)
      CAIRN_TRY(
          visit_relationships(snapshot_, name, [&](RelationshipId id) { return take(name, id); }));
    for (auto* ids : {&report_.lost_nodes, &report_.lost_relationships, &report_.cut_relationships})
      std::ranges::sort(*ids);
    return std::move(report_);
  }

 private:
  /// The error names the namespaces that exist.
  [[nodiscard]] Error no_such_name_space(const std::vector<std::string>& names) const {
    std::string known = "the default one";
    for (const std::string& name : names) known += name.empty() ? "" : ", \"" + name + "\"";
    return Error{
        ErrorCode::not_found,
        "there is no namespace \"" + *options_.name_space + "\"; the namespaces are " + known,
        std::nullopt};
  }

  [[nodiscard]] bool is_of_another(const std::string& name_space) const {
    return options_.name_space && name_space != *options_.name_space;
  }

  /// True if only visible records are exported and this one is deleted or expired.
  [[nodiscard]] bool is_left_out(const SystemFields& fields) const {
    return options_.visible_only &&
           (fields.deleted_at || (fields.expires_at && *fields.expires_at <= now_));
  }

  /// True if the export skips damage and this error is damage.
  [[nodiscard]] bool is_lost(const Error& error) const {
    return options_.skip_damaged && is_damage(error);
  }

  Status take(const std::string& name_space, NodeId id) {
    ++visited_;
    if (is_of_another(name_space)) return leave_out(id, report_.nodes_left_out.other_name_spaces);
    const auto node = read<Node>(snapshot_, id);
    if (!node && !is_lost(node.error())) return node.error();
    if (!node) {
      lost_.insert(id.value);
      report_.lost_nodes.push_back(id.value);
      return {};
    }
    if (is_left_out(node->fields)) return leave_out(id, report_.nodes_left_out.hidden);
    return write(*node, report_.nodes);
  }

  // Remembers the node, because its relationships must be left out as well.
  Status leave_out(NodeId id, std::uint64_t& count) {
    left_out_.insert(id.value);
    ++count;
    return {};
  }

  // Relationships whose ends are not in the file are left out: an import could not create them.
  Status take(const std::string& name_space, RelationshipId id) {
    ++visited_;
    LeftOut& left_out = report_.relationships_left_out;
    if (is_of_another(name_space)) return tally(left_out.other_name_spaces);
    const auto found = read<Relationship>(snapshot_, id);
    if (!found && !is_lost(found.error())) return found.error();
    if (!found) {
      report_.lost_relationships.push_back(id.value);
      return {};
    }
    if (is_left_out(found->fields)) return tally(left_out.hidden);
    if (has_end_in(left_out_, found->record)) return tally(left_out.cut);
    if (!has_end_in(lost_, found->record)) return write(*found, report_.relationships);
    report_.cut_relationships.push_back(id.value);
    return {};
  }

  static Status tally(std::uint64_t& count) {
    ++count;
    return {};
  }

  static bool has_end_in(const IdBits& nodes, const Relationship& relationship) {
    return nodes.contains(relationship.source().value) ||
           nodes.contains(relationship.target().value);
  }

  // Writes one line, and reports the progress after it. Errors: cancelled; io_error if the stream failed.
  template <class Record>
  Status write(const Whole<Record>& whole, std::uint64_t& count) {
    const std::uint64_t written = report_.nodes + report_.relationships;
    if (options_.cancel.stop_requested())
      return Error{ErrorCode::cancelled,
                   "the export was stopped after " + std::to_string(written) + " lines",
                   std::nullopt};
    out_ << to_apoc_line(whole.record, whole.fields) << '\n';
    if (!out_)
      return Error{ErrorCode::io_error,
                   "writing the export failed after " + std::to_string(written) +
                       " lines; check the disk or program that takes it",
                   std::nullopt};
    ++count;
    progress_.records = written + 1;
    progress_.part = visited_;
    if (options_.progress) options_.progress(progress_);
    return {};
  }

  const Snapshot& snapshot_;
  std::ostream& out_;
  const ExportOptions& options_;
  TransferProgress progress_;
  const std::int64_t now_ = engine::system_time();
  std::uint64_t visited_ = 0;  // records seen so far, written or not
  ExportReport report_;
  IdBits lost_;      // nodes that could not be read
  IdBits left_out_;  // nodes that the options exclude
};

}  // namespace
}  // namespace query

Result<ExportReport> export_jsonl(const Snapshot& snapshot, std::ostream& out,
                                  const ExportOptions& options) {
  return query::Export(snapshot, out, options, 0).run();
}

// Records are counted only if the caller wants progress, as counting has a cost.
Result<ExportReport> export_jsonl(Database& database, std::ostream& out,
                                  const ExportOptions& options) {
  std::uint64_t records = 0;
  if (options.progress) {
    CAIRN_ASSIGN(const DatabaseStatistics statistics, database.statistics());
    records = statistics.nodes + statistics.relationships;
  }
  CAIRN_ASSIGN(const Snapshot snapshot, database.snapshot());
  return query::Export(snapshot, out, options, records).run();
}

}  // namespace cairn
