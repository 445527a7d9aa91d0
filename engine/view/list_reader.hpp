#pragma once
// ListReader: reads the relationships of many nodes from the store, one node after the other.

#include "engine/view/view.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace cairn::engine {

/// Which relationships of a node to read.
struct ListRequest {
  std::uint64_t node = 0;
  /// If set, only relationships between `node` and this node.
  std::optional<std::uint64_t> other;
  Direction direction = Direction::both;
  std::span<const std::uint32_t> types;  ///< if not empty, only relationships of these types
  std::size_t limit = ~std::size_t{0};   ///< stop when the output has this many elements
};

/// Keeps its place in the store between two reads, which then cost less than calls of View::expand(). Must not outlive
/// its view. It keeps files and memory of the store in use, so it should live no longer than a statement. Threads: one
/// at a time.
class ListReader {
 public:
  ListReader() = default;
  ListReader(const ListReader&) = delete;
  ListReader& operator=(const ListReader&) = delete;
  virtual ~ListReader() = default;
  /// Appends relationships to `out`, in the order of View::expand() and View::expand_into().
  [[nodiscard]] virtual Status read(const ListRequest& request, std::vector<Adjacent>& out) = 0;
};

}  // namespace cairn::engine
