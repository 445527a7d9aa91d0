#include "query/bolt/summary.hpp"

#include "query/bolt/failure.hpp"
#include "query/bolt/plan_map.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace cairn::query::bolt {
namespace {

constexpr std::string_view notification_code = "Neo.ClientNotification.Statement.Warning";
constexpr std::string_view notification_title = "A remark about the statement";

// The counters by their Neo4j names, without zeros.
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

// Remarks know no place: that of the whole statement.
Value first_place() { return map_of({{"offset", 0}, {"line", 1}, {"column", 1}}); }

Value notification_of(const std::string& warning) {
  return map_of({{"code", notification_code},
                 {"title", notification_title},
                 {"description", warning},
                 {"severity", "WARNING"},
                 {"category", "GENERIC"},
                 {"position", first_place()}});
}

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

// Success, no rows, or nothing that could have rows.
Value outcome_status(const Cursor& cursor) {
  const auto status = [](std::string_view code, std::string_view text) {
    return map_of({{"gql_status", code}, {"status_description", text}});
  };
  if (cursor.rows().columns().empty())
    return status("00001", "note: successful completion - omitted result");
  if (cursor.has_given_rows()) return status("00000", "note: successful completion");
  return status("02000", "note: no data");
}

// No data comes before warnings, success behind them.
List statuses_of(const Cursor& cursor, const std::vector<std::string>& warnings) {
  List statuses;
  for (const std::string& warning : warnings) statuses.push_back(status_of(warning));
  const bool is_empty = !cursor.rows().columns().empty() && !cursor.has_given_rows();
  statuses.insert(is_empty ? statuses.begin() : statuses.end(), outcome_status(cursor));
  return statuses;
}

// Statuses took the place of notifications with 5.5.
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

}  // namespace

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
