// One snapshot: nodes, then relationships, streamed; no limit of time, rows or memory holds.
// Written and read back, a database has the same records, with new internal ids.
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

/// Whether an error comes from damaged data and not from the machine. A missing file is an io_error.
bool is_damage(const Error& error) {
  return error.code == ErrorCode::corruption || error.code == ErrorCode::io_error;
}

std::string name_of(NodeId id) { return "node " + std::to_string(id.value); }
std::string name_of(RelationshipId id) { return "relationship " + std::to_string(id.value); }

/// A record as it is exported.
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

/// Errors: corruption also where the index names a record that is not there.
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

/// One export: the indexes list the records; each is then read separately, so an unreadable record
/// loses no other.
class Export {
 public:
  /// `records`: how many there are, for the progress.
  Export(const Snapshot& snapshot, std::ostream& out, const ExportOptions& options,
         std::uint64_t records)
      : snapshot_(snapshot), out_(out), options_(options), progress_({.total = records}) {}

  // Nodes first, as an import needs them. Relationships may have ends of other namespaces.
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
  [[nodiscard]] Error no_such_name_space(const std::vector<std::string>& names) const {
    std::string known = "the default one";
    for (const std::string& name : names) known += name.empty() ? "" : ", \"" + name + "\"";
    return Error{ErrorCode::not_found,
                 "there is no namespace \"" + *options_.name_space + "\"; there are " + known,
                 std::nullopt};
  }

  [[nodiscard]] bool is_of_another(const std::string& name_space) const {
    return options_.name_space && name_space != *options_.name_space;
  }

  [[nodiscard]] bool is_left_out(const SystemFields& fields) const {
    return options_.visible_only &&
           (fields.deleted_at || (fields.expires_at && *fields.expires_at <= now_));
  }

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

  Status leave_out(NodeId id, std::uint64_t& count) {
    left_out_.insert(id.value);
    ++count;
    return {};
  }

  // An import could not make a relationship without both its ends.
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
                   "writing failed after " + std::to_string(written) + " lines", std::nullopt};
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
  std::uint64_t visited_ = 0;  // records, written or not
  ExportReport report_;
  IdBits lost_;      // nodes
  IdBits left_out_;  // nodes, as asked for
};

}  // namespace
}  // namespace query

Result<ExportReport> export_jsonl(const Snapshot& snapshot, std::ostream& out,
                                  const ExportOptions& options) {
  return query::Export(snapshot, out, options, 0).run();
}

// Records are counted only if a caller observes the progress.
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
