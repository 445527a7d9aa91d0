// A view without an index has no columns, which is a valid answer.
#include "engine/index/path_instants.hpp"

#include "engine/index/property_index.hpp"
#include "engine/view/view.hpp"

namespace cairn::engine {

Result<InstantColumn::Ptr> path_instants(const View& view, codec::EntityKind kind,
                                         std::uint32_t path, double spent) {
  const PostingReader* const reader = view.index_reader();
  if (reader == nullptr) return InstantColumn::Ptr();
  return PropertyIndex(*reader, view.catalog()).instants(kind, path, spent);
}

}  // namespace cairn::engine
