#pragma once
// Summaries: what SUCCESS says about a result behind its last row.

#include "query/bolt/cursor.hpp"
#include "query/bolt/session.hpp"

#include <cairn/value.hpp>

#include <optional>
#include <string_view>

namespace cairn::query::bolt {

/// Type, time, counters, plan and remarks; the bookmark and the database are for who knows them.
[[nodiscard]] Map summary_of(const Cursor& cursor, Version version);

// The plan of EXPLAIN and PROFILE as drivers have it: nested maps, from the tree of lines that the language gives.

struct PlanMap {
  Map root;
  bool is_profile = false;
};

/// The last operator is the root, and what gives it rows its children. Each has operatorType, identifiers, args and
/// children; of a profile also rows, dbHits (ids and records looked at) and time in nanoseconds. Nothing without a plan.
[[nodiscard]] std::optional<PlanMap> plan_map(std::string_view text);

}  // namespace cairn::query::bolt
