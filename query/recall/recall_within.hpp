#pragma once
// recall() within a statement that runs: over its view, its visible records and its budget.

#include <cairn/hit.hpp>
#include <cairn/recall.hpp>
#include <cairn/result.hpp>

#include <string_view>
#include <vector>

namespace cairn::query {

struct ExecutionContext;
struct RankedRecord;

/// As cairn::recall(). `options` is valid for the call.
[[nodiscard]] Result<std::vector<RankedRecord>> recall_within(ExecutionContext& context,
                                                              std::string_view question,
                                                              const RecallOptions& options);

}  // namespace cairn::query
