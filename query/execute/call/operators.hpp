#pragma once
// The operators of this folder. Each is a class of its own file, seen by nobody else.

#include "query/execute/pipeline/physical_operator.hpp"

namespace cairn::query {

struct CallProcedure;
struct CallSubquery;

[[nodiscard]] OperatorPtr make_operator(const CallProcedure& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const CallSubquery& content, Parts parts);

}  // namespace cairn::query
