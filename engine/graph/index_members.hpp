#pragma once
// Which entities an index of labels or types is about.

#include <cairn/result.hpp>

namespace cairn::codec {
class Bitmap;
struct IndexEntry;
}  // namespace cairn::codec

namespace cairn::engine {

class View;

/// Every entity with one of the labels or types, as the view has them: hidden ones among them.
/// Cost: one posting for each label or type.
[[nodiscard]] Result<codec::Bitmap> index_members(const codec::IndexEntry& index, const View& view);

}  // namespace cairn::engine
