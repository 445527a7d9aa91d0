// Prints the results of `cairn stats`, `cairn check` and `cairn scrub`. Counts come from indexes;
// only check reads all records.
#include "tools/maintenance.hpp"

#include "tools/text/cell_text.hpp"
#include "tools/text/progress.hpp"
#include "tools/text/quantity.hpp"

#include <cairn/metrics.hpp>
#include <cairn/temporal.hpp>

#include <algorithm>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace cairn::tools {
namespace {

constexpr std::size_t shown_names = 20;

void print_row(std::ostream& out, std::string_view name, std::string_view value) {
  const std::size_t width = std::max<std::size_t>(display_width(name), 16);
  out << name << std::string(width - display_width(name) + 2, ' ') << value << "\n";
}

/// Prints the 20 most frequent names. Control characters in names are made visible.
Status print_names(std::ostream& out, std::string_view title,
                   Result<std::vector<NameCount>> names) {
  if (!names) return std::move(names).error();
  std::sort(names->begin(), names->end(), [](const NameCount& a, const NameCount& b) {
    return std::pair(b.count, a.name) < std::pair(a.count, b.name);
  });
  if (names->empty()) return {};
  out << "\n" << title << "\n";
  for (std::size_t i = 0; i < std::min(shown_names, names->size()); ++i)
    print_row(out, "  " + make_visible((*names)[i].name), grouped((*names)[i].count));
  if (names->size() > shown_names) out << "  ... and " << names->size() - shown_names << " more\n";
  return {};
}

Status print_indexes(std::ostream& out, Result<std::vector<IndexDescription>> indexes) {
  if (!indexes) return std::move(indexes).error();
  if (!indexes->empty()) out << "\nindexes\n";
  for (const IndexDescription& index : *indexes)
    print_row(out, "  " + make_visible(index.name),
              index.kind + " " + index.state + ", " + counted(index.entries, "entry", "entries") +
                  ", " + size_text(index.memory_bytes) + " in memory");
  return {};
}

}  // namespace

// Names are those of a snapshot; counts are the database's at this moment.
Status print_statistics(Database& database, std::ostream& out) {
  CAIRN_ASSIGN(const DatabaseStatistics statistics, database.statistics());
  CAIRN_ASSIGN(const Snapshot snapshot, database.snapshot());
  print_row(out, "nodes", grouped(statistics.nodes));
  print_row(out, "relationships", grouped(statistics.relationships));
  print_row(out, "vectors", grouped(statistics.vectors));
  print_row(out, "commits", grouped(statistics.commits));
  print_row(out, "on disk", size_text(statistics.disk_bytes));
  print_row(out, "in memory", size_text(statistics.memory_bytes));
  print_row(out, "format version", std::to_string(statistics.format_version));
  print_row(out, "database id", statistics.database_id);
  CAIRN_TRY(print_names(out, "labels", snapshot.labels()));
  CAIRN_TRY(print_names(out, "relationship types", snapshot.relationship_types()));
  CAIRN_TRY(print_names(out, "properties of nodes", snapshot.properties()));
  return print_indexes(out, snapshot.indexes());
}

// The gauges are useful. Counters only cover this opening of the database, so nearly all of them
// are zero.
Status print_metrics(Database& database, std::ostream& out) {
  CAIRN_ASSIGN(const DatabaseStatistics statistics, database.statistics());
  Metrics metrics = database.metrics();
  metrics.values.push_back({"cairn_disk_bytes", "Bytes of all files in the directory.",
                            static_cast<double>(statistics.disk_bytes), true});
  out << to_prometheus(metrics);
  return {};
}

void print_findings(const std::vector<Finding>& findings, std::ostream& out) {
  for (const Finding& finding : findings)
    out << make_visible(finding.place) << ": " << make_visible(finding.problem) << "\n";
}

// Prints findings and returns an error if there are any, for the exit status.
Status print_check(Database& database, std::size_t limit, std::ostream& out) {
  CAIRN_ASSIGN(const std::vector<Finding> findings, database.check(limit));
  print_findings(findings, out);
  if (findings.empty()) {
    out << "no problem found\n";
    return {};
  }
  return Error{ErrorCode::corruption, counted(findings.size(), "problem", "problems") + " found",
               std::nullopt};
}

namespace {

/// Formats microseconds since 1970 UTC for people, to the second.
std::string moment_text(std::int64_t microseconds) {
  constexpr std::int64_t second = 1'000'000;
  return cell_text(Value(DateTime{microseconds / second, 0, 0, {}}));
}

void print_receipt(const ScrubReceipt& receipt, std::ostream& out) {
  out << "scrubbed: no file of the database contains data erased or replaced up to commit "
      << receipt.commit << "\n";
  print_row(out, "database", receipt.database_id);
  if (!receipt.by.empty()) print_row(out, "by", make_visible(receipt.by));
  print_row(out, "begun", moment_text(receipt.begun_at));
  print_row(out, "ended", moment_text(receipt.ended_at));
  print_row(out, "tables",
            grouped(receipt.tables) + " rewritten, " + size_text(receipt.table_bytes) + " read");
  print_row(out, "vector indexes", grouped(receipt.vector_segments) + " rebuilt");
  print_row(out, "names", grouped(receipt.names) + " erased because no record uses them");
  if (receipt.names_unknown > 0)
    print_row(out, "names that stay",
              grouped(receipt.names_unknown) +
                  ", because not all paths are indexed (Options::max_paths)");
  for (const ScrubbedBackup& backup : receipt.backups)
    print_row(out, "backup",
              make_visible(backup.path) + " of commit " + std::to_string(backup.commit) +
                  " still has the erased data");
}

}  // namespace

Status print_scrub(Database& database, ScrubOptions options, std::ostream& out,
                   const std::stop_token& cancel) {
  Result<ScrubReceipt> receipt = [&] {
    Progress progress("tables rewritten", 0, true);
    options.on_progress = [&](const ScrubProgress& now) { progress.update(now.tables); };
    return database.scrub(options, cancel);
  }();
  if (!receipt) return receipt.error();
  print_receipt(*receipt, out);
  return {};
}

}  // namespace cairn::tools
