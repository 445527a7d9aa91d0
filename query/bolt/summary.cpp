// Builds the metadata of SUCCESS: counters and warnings in the form of the Bolt version, and the plan as nested maps.
#include "codec/utf8.hpp"
#include "query/bolt/cursor.hpp"
#include "query/bolt/failure.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace cairn::query::bolt {
namespace {

constexpr std::string_view notification_code = "Neo.ClientNotification.Statement.Warning";
constexpr std::string_view notification_title = "A remark about the statement";

// The counters under their Neo4j names, without zeros.
Map counters_of(const Changes& changes) {
  const std::pair<std::string_view, std::uint64_t> all[] = {
      {"nodes-created", changes.nodes_created},
      {"nodes-deleted", changes.nodes_deleted},
      {"relationships-created", changes.relationships_created},
      {"relationships-deleted", changes.relationships_deleted},
      {"properties-set", changes.properties_set},
      {"labels-added", changes.labels_added},
      {"labels-removed", changes.labels_removed},
      {"indexes-added", changes.indexes_added},
      {"indexes-removed", changes.indexes_removed},
      {"constraints-added", changes.constraints_added},
      {"constraints-removed", changes.constraints_removed},
  };
  Map counters;
  for (const auto& [name, count] : all)
    if (count > 0) counters.emplace(name, count);
  if (!counters.empty()) counters.emplace("contains-updates", true);
  return counters;
}

// Warnings have no position, so they refer to the start of the statement.
Value first_place() { return map_of({{"offset", 0}, {"line", 1}, {"column", 1}}); }

// A warning in the form before Bolt 5.5.
Value notification_of(const std::string& warning) {
  return map_of({{"code", notification_code},
                 {"title", notification_title},
                 {"description", warning},
                 {"severity", "WARNING"},
                 {"category", "GENERIC"},
                 {"position", first_place()}});
}

// A warning in the form since Bolt 5.5. "01000" is the GQL status of warnings.
Value status_of(const std::string& warning) {
  Map record = diagnostic_record("GENERIC");
  record.emplace("_severity", "WARNING");
  record.emplace("_position", first_place());
  return map_of({{"gql_status", "01000"},
                 {"status_description", "warn: " + warning},
                 {"description", warning},
                 {"neo4j_code", notification_code},
                 {"title", notification_title},
                 {"diagnostic_record", std::move(record)}});
}

// The GQL status of the outcome: no columns, rows, or no rows.
Value outcome_status(const Cursor& cursor) {
  const auto status = [](std::string_view code, std::string_view text) {
    return map_of({{"gql_status", code}, {"status_description", text}});
  };
  if (cursor.rows().columns().empty())
    return status("00001", "note: successful completion - omitted result");
  if (cursor.has_given_rows()) return status("00000", "note: successful completion");
  return status("02000", "note: no data");
}

// GQL orders the statuses: "no data" comes before warnings, success after them.
List statuses_of(const Cursor& cursor, const std::vector<std::string>& warnings) {
  List statuses;
  for (const std::string& warning : warnings) statuses.push_back(status_of(warning));
  const bool is_empty = !cursor.rows().columns().empty() && !cursor.has_given_rows();
  statuses.insert(is_empty ? statuses.begin() : statuses.end(), outcome_status(cursor));
  return statuses;
}

// Bolt 5.5 replaced notifications with statuses.
void add_remarks(Map& summary, const Cursor& cursor, Version version) {
  const std::vector<std::string> warnings =
      cursor.kind().wants_notifications ? cursor.rows().warnings() : std::vector<std::string>();
  if (version >= Version{5, 5}) {
    summary.emplace("statuses", statuses_of(cursor, warnings));
  } else if (!warnings.empty()) {
    List notifications;
    std::ranges::transform(warnings, std::back_inserter(notifications), notification_of);
    summary.emplace("notifications", std::move(notifications));
  }
}

// Reading a plan. A line is indented by two spaces for each level, and its figures follow in columns
// (query/plan/explain.cpp). A line that begins with | is a part of its operator's filter, one with + a retriever of its
// search.

constexpr std::size_t figure_width = 11;
constexpr std::string_view unanswered_title = "conditions that no index answers: ";

// One line without its indentation.
struct PlanLine {
  std::size_t depth = 0;
  std::string_view text;
  std::string_view expected;
  std::array<std::string_view, 4>
      measured;  // rows, ids, records, milliseconds; empty without a profile
};

// An operator whose children are still being collected.
struct PlanNode {
  Map content;
  List filter;
  List retrievers;
  List children;
  std::size_t depth = 0;
};

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
  text.remove_prefix(begin);
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

// Parses a figure; "~" marks an estimate.
template <class Number>
Number number_of(std::string_view text) {
  if (text.starts_with('~')) text.remove_prefix(1);
  Number number{};
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// Reads a line of EXPLAIN. The estimate " ~N" is its last word; texts before it do not end like that.
PlanLine read_line(std::string_view line) {
  PlanLine read;
  const std::size_t mark = line.rfind(" ~");
  const bool has_estimate =
      mark != std::string_view::npos &&
      line.substr(mark + 2).find_first_not_of("0123456789.") == std::string_view::npos;
  read.text = has_estimate ? line.substr(0, mark) : line;
  if (has_estimate) read.expected = line.substr(mark + 1);
  return read;
}

// Reads a line of PROFILE. The header line determines the width of the text column.
PlanLine read_line(std::string_view line, std::size_t width) {
  PlanLine read;
  // Columns are counted in code points.
  const std::size_t end = codec::utf8_offset(line, static_cast<std::int64_t>(width));
  read.text = line.substr(0, end);
  line.remove_prefix(end);
  read.expected = trimmed(line.substr(0, figure_width));
  for (std::string_view& figure : read.measured) {
    line.remove_prefix(std::min(figure_width, line.size()));
    figure = trimmed(line.substr(0, figure_width));
  }
  return read;
}

// The figures of a profile. "dbHits" counts ids and records; drivers expect times in nanoseconds.
void add_figures(Map& content, const PlanLine& line) {
  const auto rows = number_of<std::int64_t>(line.measured[0]);
  const auto ids = number_of<std::int64_t>(line.measured[1]);
  const auto records = number_of<std::int64_t>(line.measured[2]);
  const auto milliseconds = number_of<double>(line.measured[3]);
  content.emplace("rows", rows);
  content.emplace("dbHits", ids + records);
  content.emplace("time", static_cast<std::int64_t>(milliseconds * 1e6));
  Map args = content["args"].as_map();
  args.emplace("Rows", rows);
  args.emplace("DbHits", ids + records);
  args.emplace("Ids", ids);
  args.emplace("Records", records);
  content["args"] = std::move(args);
}

// The first word of a line is the operator, the rest its details.
PlanNode node_of(const PlanLine& line) {
  const std::string_view kind = line.text.substr(0, line.text.find(' '));
  Map args{{"Details", trimmed(line.text.substr(kind.size()))}};
  if (!line.expected.empty()) args.emplace("EstimatedRows", number_of<double>(line.expected));
  return {{{"operatorType", kind}, {"identifiers", List()}, {"args", std::move(args)}},
          {},
          {},
          {},
          line.depth};
}

// Completes the map of an operator.
Map finished(PlanNode node) {
  Map args = node.content["args"].as_map();
  if (!node.filter.empty()) args.emplace("Filter", std::move(node.filter));
  if (!node.retrievers.empty()) args.emplace("Retrievers", std::move(node.retrievers));
  node.content["args"] = std::move(args);
  node.content.emplace("children", std::move(node.children));
  return std::move(node.content);
}

// Builds the tree: an operator is a child of the last operator above it with less indentation.
class PlanTree {
 public:
  // Adds a line: a part of the last operator, or a new operator.
  void add(const PlanLine& line, bool is_profile) {
    const bool is_part = line.text.starts_with("| ") || line.text.starts_with("+ ");
    if (is_part && !open_.empty()) {
      List& parts = line.text.starts_with('|') ? open_.back().filter : open_.back().retrievers;
      parts.emplace_back(line.text.substr(2));
      return;
    }
    close_down_to(line.depth);
    open_.push_back(node_of(line));
    if (is_profile) add_figures(open_.back().content, line);
  }

  // A plan has one root. Any further root would become a child of the first.
  std::optional<Map> root() {
    if (open_.empty()) return std::nullopt;
    while (open_.size() > 1) close_last();
    return finished(std::move(open_.back()));
  }

 private:
  void close_down_to(std::size_t depth) {
    while (open_.size() > 1 && open_.back().depth >= depth) close_last();
  }
  void close_last() {
    Map child = finished(std::move(open_.back()));
    open_.pop_back();
    open_.back().children.emplace_back(std::move(child));
  }

  std::vector<PlanNode> open_;
};

}  // namespace

// A profile begins with a header line, which shows how wide the text column is.
std::optional<PlanMap> plan_map(std::string_view text) {
  PlanTree tree;
  std::optional<std::size_t>
      width;  // width of the text column; set by the header line of a profile
  std::string_view unanswered;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const bool is_header = trimmed(line).starts_with("expected ") && trimmed(line).ends_with(" ms");
    if (is_header) {
      width = line.size() - 5 * figure_width;
    } else if (line.starts_with(unanswered_title)) {
      unanswered = line.substr(unanswered_title.size());
    } else {
      PlanLine read = width ? read_line(line, *width) : read_line(line);
      const std::size_t indent = std::min(read.text.find_first_not_of(' '), read.text.size());
      read.depth = indent / 2;
      read.text = trimmed(read.text);
      tree.add(read, width.has_value());
    }
  }
  auto root = tree.root();
  if (!root) return std::nullopt;
  if (!unanswered.empty()) {
    Map args = (*root)["args"].as_map();
    args.emplace("UnansweredConditions", unanswered);
    (*root)["args"] = std::move(args);
  }
  return PlanMap{*std::move(root), width.has_value()};
}

Map summary_of(const Cursor& cursor, Version version) {
  const auto time = std::chrono::duration_cast<std::chrono::milliseconds>(cursor.time());
  Map summary{{"type", cursor.kind().type}, {"t_last", std::int64_t{time.count()}}};
  if (Map counters = counters_of(cursor.rows().changes()); !counters.empty())
    summary.emplace("stats", std::move(counters));
  if (auto plan = plan_map(cursor.rows().plan()))
    summary.emplace(plan->is_profile ? "profile" : "plan", std::move(plan->root));
  add_remarks(summary, cursor, version);
  return summary;
}

}  // namespace cairn::query::bolt
