#pragma once
// Summaries: what SUCCESS says about a result behind its last row.

#include "query/bolt/cursor.hpp"
#include "query/bolt/session.hpp"

#include <cairn/value.hpp>

namespace cairn::query::bolt {

/// Type, time, counters, plan and remarks; the bookmark and the database are for who knows them.
[[nodiscard]] Map summary_of(const Cursor& cursor, Version version);

}  // namespace cairn::query::bolt
