#pragma once
// faceted_search(), count_values() and property_paths() as messages: their arguments and results as values, for the
// caller and for the host.

#include "engine/database/call_values.hpp"

#include <cairn/facets.hpp>

#include <string>
#include <vector>

namespace cairn::query {

[[nodiscard]] Map request_map(const FacetRequest& request);
[[nodiscard]] FacetRequest read_request(engine::CallReader& reader);
[[nodiscard]] Value facet_value(const Facet& facet);
[[nodiscard]] Facet read_facet(engine::CallReader& reader);

/// The result of property_paths().
[[nodiscard]] Value paths_value(const std::vector<std::vector<std::string>>& paths);
[[nodiscard]] Result<std::vector<std::vector<std::string>>> read_paths(const Value& value);

[[nodiscard]] Map facets_map(const FacetedSearch& search);
/// Errors: those of filter_from(); io_error for a malformed message.
[[nodiscard]] Result<FacetedSearch> read_facets(engine::CallReader& reader);

[[nodiscard]] Value page_value(const FacetedPage& page);
[[nodiscard]] Result<FacetedPage> read_page(const Value& value);

}  // namespace cairn::query
