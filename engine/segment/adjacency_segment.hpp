#pragma once
// AdjacencySegment: the relationships of all nodes in one direction, as lists in memory.
//
// chunk := the lists of one type of 65,536 nodes
//          offsets        of each node of the chunk, or of those that have a list
//          neighbours     sorted by (neighbour, relationship)
//          relationships  in the same order

#include "engine/segment/segment.hpp"
#include "engine/segment/slot_index.hpp"
#include "engine/store/rocks_store.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace cairn::engine {

class AdjacencySegment final : public Segment {
 public:
  using Ptr = std::shared_ptr<const AdjacencySegment>;
  static constexpr std::uint64_t most_id = std::numeric_limits<std::uint32_t>::max();
  static constexpr double microseconds_a_relationship = 0.35;  ///< to build it

  /// The relationships of one type and node.
  struct List {
    std::span<const std::uint32_t> neighbours;
    std::span<const std::uint32_t> relationships;
    [[nodiscard]] std::size_t size() const noexcept { return neighbours.size(); }
    /// Those with one neighbour. Cost: a binary search.
    [[nodiscard]] List between(std::uint64_t neighbour) const noexcept;
  };

  /// Reads all of one family. Null where an id is above most_id, or it would be out of bounds.
  /// Errors: those of the store.
  [[nodiscard]] static Result<Ptr> build(const RocksStore& store, const StoreSnapshot& snapshot,
                                         bool outgoing, const SegmentBounds& bounds);

  /// The types that any node has, ascending.
  [[nodiscard]] std::span<const std::uint32_t> types() const noexcept { return types_; }
  /// Empty where the node has none. Cost: a few nanoseconds.
  [[nodiscard]] List list(std::uint64_t node, std::uint32_t type) const noexcept;

  [[nodiscard]] std::size_t memory_bytes() const noexcept override;
  [[nodiscard]] std::size_t ids() const noexcept override { return nodes_; }

 private:
  struct Chunk {
    SlotIndex slots;                     // of the nodes with a list; empty where dense
    std::vector<std::uint32_t> offsets;  // one more than lists
    std::vector<std::uint32_t> neighbours;
    std::vector<std::uint32_t> relationships;

    [[nodiscard]] List list(std::uint16_t slot) const noexcept;
    /// Bytes for each relationship, and for each node with a list.
    static constexpr std::size_t relationship_bytes = 2 * sizeof(std::uint32_t);
    static constexpr std::size_t node_bytes = sizeof(std::uint16_t) + sizeof(std::uint32_t);
  };
  class Builder;

  AdjacencySegment() = default;

  std::vector<std::uint32_t> types_;
  std::vector<std::vector<Chunk>> chunks_;  // by type as in types_, then by chunk number
  std::size_t nodes_ = 0;
};

}  // namespace cairn::engine
