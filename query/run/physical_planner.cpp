#include "query/run/physical_planner.hpp"

#include "query/execute/call/operators.hpp"
#include "query/execute/read/operators.hpp"
#include "query/execute/rows/operators.hpp"
#include "query/execute/write/operators.hpp"
#include "query/plan/logical_plan.hpp"

#include <utility>
#include <variant>

namespace cairn::query {

OperatorPtr make_physical_operator(const Operator& one, Parts parts) {
  return std::visit([&](const auto& content) { return make_operator(content, std::move(parts)); },
                    one.content);
}

}  // namespace cairn::query
