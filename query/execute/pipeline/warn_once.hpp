#pragma once
// Warnings of a statement, each once, however many rows give it.

#include "query/execute/pipeline/execution_context.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace cairn::query {

inline void warn_once(ExecutionContext& context, std::string warning) {
  if (std::ranges::count(context.warnings, warning) == 0)
    context.warnings.push_back(std::move(warning));
}

}  // namespace cairn::query
