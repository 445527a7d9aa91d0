#pragma once
// Counts the values of a field over a set of nodes.

#include <cairn/facets.hpp>
#include <cairn/result.hpp>

namespace cairn::codec {
class Bitmap;
}

namespace cairn::query {

struct ExecutionContext;

/// Counts the values of one field in `ids`. Elements of lists count as values; vectors are not split.
/// Cost: an intersection for each value of the field in the database, or a read of each record if that is cheaper; in
/// addition a read of each record with a long list of numbers, whose elements are not indexed. The first count of a field
/// reads its posting lists.
/// Errors: invalid_argument for a field that is not a path.
[[nodiscard]] Result<Facet> count_facet(ExecutionContext& context, const codec::Bitmap& ids,
                                        const FacetRequest& request);

}  // namespace cairn::query
