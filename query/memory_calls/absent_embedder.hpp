#pragma once
// The embedder of a memory whose vectors a program has made by a model of its own.

#include <cairn/embedder.hpp>
#include <cairn/result.hpp>
#include <cairn/snapshot.hpp>

#include <memory>

namespace cairn::query {

/// One that has the name and the dimension of the memory's model and refuses texts: what needs no vectors works by it. Null
/// where the built-in embedder fits. Errors: those of the snapshot.
[[nodiscard]] Result<std::shared_ptr<const Embedder>> absent_embedder(const Snapshot& snapshot);

}  // namespace cairn::query
