#pragma once
// Which nodes can be among the first by the value of a property.

#include <cairn/result.hpp>

#include <cstdint>
#include <span>

namespace cairn::codec {
class Bitmap;
}

namespace cairn::query {

struct IndexMinMax;
struct IndexTopN;
class GraphReader;

/// Those of the intersection of `sets` that are among the first `wanted` in the order of ORDER BY, and at least
/// all with the same value as the last of them; more, up to all, where the order is not kept or would cost
/// more than reading the records. Cost: a bit test for each set and place of the order up to the last one
/// wanted; where that is far, the intersection is made.
[[nodiscard]] Result<codec::Bitmap> index_top_n(GraphReader& graph,
                                                std::span<const codec::Bitmap> sets,
                                                const IndexTopN& first, std::uint64_t wanted);

/// Of each property one of `ids` with the least value and one with the greatest, as far as they are asked for: of
/// those with an equal value the first. None where no id has a value; all where an order is not kept or does not
/// tell.
[[nodiscard]] Result<codec::Bitmap> index_min_max(GraphReader& graph, const codec::Bitmap& ids,
                                                  std::span<const IndexMinMax> wanted);

}  // namespace cairn::query
