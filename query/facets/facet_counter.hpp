#pragma once
// Counts of values over a set of nodes, by intersecting it with the postings of each value.

#include <cairn/facets.hpp>
#include <cairn/result.hpp>

namespace cairn::codec {
class Bitmap;
}

namespace cairn::query {

struct ExecutionContext;

/// Count the values of one field in `ids`, the elements of lists among them; vectors are not taken
/// apart. Cost: an intersection for each value of the field in the whole database, or one read a record
/// where those are fewer; and the records with a list of many numbers, which is not indexed by its
/// elements. The first count of a field reads its postings.
/// Errors: invalid_argument for a field that is not a path.
[[nodiscard]] Result<Facet> count_facet(ExecutionContext& context, const codec::Bitmap& ids,
                                        const FacetRequest& request);

}  // namespace cairn::query
