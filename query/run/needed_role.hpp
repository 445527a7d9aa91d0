#pragma once
// What a caller must be allowed to do before a statement runs.

#include "query/bind/bound_query.hpp"

#include <cairn/tokens.hpp>

namespace cairn::query {

/// The least role that may run a statement. It allocates nothing.
[[nodiscard]] Role needed_role(const BoundStatement& statement) noexcept;

}  // namespace cairn::query
