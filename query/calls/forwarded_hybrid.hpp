#pragma once
// hybrid_search() as a message: its arguments and result as values, for the caller and for the host.

#include "engine/database/call_values.hpp"

#include <cairn/hybrid_search.hpp>

namespace cairn::query {

[[nodiscard]] Map hybrid_map(const HybridSearch& search);
/// Errors: those of filter_from(); io_error.
[[nodiscard]] Result<HybridSearch> read_hybrid(engine::CallReader& reader);

[[nodiscard]] Value hybrid_hits_value(const HybridHits& found);
[[nodiscard]] Result<HybridHits> read_hybrid_hits(const Value& value);

}  // namespace cairn::query
