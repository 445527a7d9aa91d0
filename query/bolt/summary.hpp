#pragma once
// The summary of a result, which SUCCESS carries after the last row, and the plan of EXPLAIN and PROFILE in it.

#include "query/bolt/cursor.hpp"
#include "query/bolt/session.hpp"

#include <cairn/value.hpp>

#include <optional>
#include <string_view>

namespace cairn::query::bolt {

/// Type, time, counters, plan and warnings. The caller adds the bookmark and the database.
[[nodiscard]] Map summary_of(const Cursor& cursor, Version version);

// The plan in the form that drivers expect: nested maps instead of the indented lines that the language prints.

/// A plan, with the last operator as root.
struct PlanMap {
  Map root;
  bool is_profile = false;
};

/// Parses the lines of a plan; nullopt if the text is empty. The children of an operator are the operators that feed it.
/// Each map has operatorType, identifiers, args and children; for a profile also rows, dbHits (ids and records read) and
/// time in nanoseconds.
[[nodiscard]] std::optional<PlanMap> plan_map(std::string_view text);

}  // namespace cairn::query::bolt
