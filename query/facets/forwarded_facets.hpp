#pragma once
// faceted_search() as a message: its argument and its result as values, for both ends.

#include "engine/database/call_values.hpp"

#include <cairn/facets.hpp>

namespace cairn::query {

[[nodiscard]] Map facets_map(const FacetedSearch& search);
/// Errors: as of filter_from(); io_error.
[[nodiscard]] Result<FacetedSearch> read_facets(engine::CallReader& reader);

[[nodiscard]] Value page_value(const FacetedPage& page);
[[nodiscard]] Result<FacetedPage> read_page(const Value& value);

}  // namespace cairn::query
