#pragma once
// Procedures of searches: vectors, facets, recall.

#include "engine/database/call_values.hpp"
#include "query/bolt/attached.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

namespace cairn::query::attach {

[[nodiscard]] Result<Value> search_vectors_for(engine::CallReader& arguments,
                                               const bolt::CallPlace& place);
[[nodiscard]] Result<Value> faceted_search_for(engine::CallReader& arguments,
                                               const bolt::CallPlace& place);
[[nodiscard]] Result<Value> recall_for(engine::CallReader& arguments, const bolt::CallPlace& place);

}  // namespace cairn::query::attach
