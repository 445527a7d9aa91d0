#pragma once
// How long the rows of a part must be. All operators of a part, up to the next WITH or RETURN, use
// rows of one length, so that a row is made once and never grows.

#include "query/bind/bound_query.hpp"

#include <cstdint>
#include <span>

namespace cairn::query {

/// The rows that `clauses` begin with: slots that the binder gave out, and behind them those in
/// which MERGE keeps the values of its properties.
struct RowWidth {
  std::uint32_t visible = 0;
  std::uint32_t merge_slots = 0;
};
[[nodiscard]] RowWidth row_width(std::span<const Clause> clauses);

}  // namespace cairn::query
