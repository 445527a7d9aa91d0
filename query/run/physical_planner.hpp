#pragma once
// From an operator of a plan to the one that runs it.

#include "query/execute/pipeline/physical_operator.hpp"

namespace cairn::query {

struct Operator;

/// The operator points into `one`, which must not move while it lives.
[[nodiscard]] OperatorPtr make_physical_operator(const Operator& one, Parts parts);

}  // namespace cairn::query
