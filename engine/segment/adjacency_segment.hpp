#pragma once
// AdjacencySegment: the relationships of all nodes in one direction, in memory in compressed sparse rows.
//
// chunk := the lists of one relationship type for 65,536 consecutive nodes
//          offsets        where the list of each node begins; only of nodes with a list, unless the chunk is dense
//          neighbours     sorted by (neighbour, relationship)
//          relationships  in the same order

#include "codec/bitmap.hpp"
#include "engine/segment/segment.hpp"
#include "engine/segment/slot_index.hpp"
#include "engine/store/rocks_store.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::engine {

/// Adjacency lists by node and relationship type.
class AdjacencySegment final : public Segment {
 public:
  using Ptr = std::shared_ptr<const AdjacencySegment>;
  /// Larger ids do not fit into the 32-bit arrays.
  static constexpr std::uint64_t most_id = std::numeric_limits<std::uint32_t>::max();
  static constexpr double microseconds_a_relationship = 0.2;  ///< the cost of a build

  /// The relationships of one node and type.
  struct List {
    std::span<const std::uint32_t> neighbours;
    std::span<const std::uint32_t> relationships;
    [[nodiscard]] std::size_t size() const noexcept { return neighbours.size(); }
    /// Returns the relationships with one neighbour. Cost: a binary search.
    [[nodiscard]] List between(std::uint64_t neighbour) const noexcept;
  };

  /// Builds the segment from all adjacency keys of one direction. Returns nullptr if an id exceeds most_id, or the
  /// segment exceeds the bounds.
  /// Errors: errors of the store.
  [[nodiscard]] static Result<Ptr> build(const RocksStore& store, const StoreSnapshot& snapshot,
                                         bool outgoing, const SegmentBounds& bounds);

  /// Returns newer lists, as of a snapshot in which only the lists of the nodes `changed` differ. Only chunks with such
  /// nodes are made again. Returns nullptr and errors as build() does.
  [[nodiscard]] Result<Ptr> updated(const RocksStore& store, const StoreSnapshot& snapshot,
                                    bool outgoing, const codec::Bitmap& changed,
                                    const SegmentBounds& bounds) const;

  /// Reads what append_to() has written. Returns nullptr if the segment exceeds `most_bytes`. Errors: corruption.
  [[nodiscard]] static Result<Ptr> read(std::string_view bytes, std::size_t most_bytes);

  /// The relationship types that occur, in ascending order; after an update also those that occurred before.
  [[nodiscard]] std::span<const std::uint32_t> types() const noexcept { return types_; }
  /// Returns the relationships of a node with one type, which may be none. Cost: a few nanoseconds.
  [[nodiscard]] List list(std::uint64_t node, std::uint32_t type) const noexcept;

  /// The number of chunks of a type, of `chunk_ids` ids each. Chunks with this number or a greater one have no lists of
  /// the type.
  [[nodiscard]] std::size_t chunks(std::uint32_t type) const noexcept;
  /// The nodes of a chunk with a list of a type, in ascending order; all nodes of the chunk if it is dense.
  [[nodiscard]] std::vector<std::uint64_t> nodes(std::uint32_t type, std::size_t chunk) const;
  /// True if both segments have the same lists of a type in a chunk. Cost: less than a nanosecond a relationship.
  [[nodiscard]] bool has_same_lists(const AdjacencySegment& other, std::uint32_t type,
                                    std::size_t chunk) const noexcept;

  [[nodiscard]] std::size_t memory_bytes() const noexcept override;
  [[nodiscard]] std::size_t ids() const noexcept override { return nodes_; }
  void append_to(std::string& out) const override;

 private:
  struct Chunk {
    SlotIndex slots;  // slots of the nodes with a list; empty if the chunk is dense
    // One more than there are lists; 65,537 if the chunk is dense.
    std::vector<std::uint32_t> offsets;
    std::vector<std::uint32_t> neighbours;
    std::vector<std::uint32_t> relationships;

    [[nodiscard]] List list(std::uint16_t slot) const noexcept;
    void append_to(std::string& out) const;
    /// The cursor fails at damage.
    [[nodiscard]] static Chunk read(codec::ByteCursor& cursor);
    /// True if the lists fill the arrays, and each is sorted.
    [[nodiscard]] bool is_sound() const noexcept;
    [[nodiscard]] std::size_t memory_bytes() const noexcept;
    /// Memory per relationship, and per node with a list.
    static constexpr std::size_t relationship_bytes = 2 * sizeof(std::uint32_t);
    static constexpr std::size_t node_bytes = sizeof(std::uint16_t) + sizeof(std::uint32_t);
    friend bool operator==(const Chunk&, const Chunk&) = default;
  };
  class Builder;

  /// A relationship type, and its lists in one chunk.
  using TypeLists = std::pair<std::uint32_t, const Chunk*>;

  AdjacencySegment() = default;
  [[nodiscard]] double microseconds_of(std::uint64_t) const noexcept override { return 2'000; }
  /// The types that have lists in a chunk, in ascending order.
  [[nodiscard]] std::vector<TypeLists> lists_in(std::uint64_t chunk) const;
  /// Replaces the lists of a chunk of all types by those of `lists`, which has no other chunks.
  void replace(std::uint64_t chunk, AdjacencySegment& lists);
  /// The chunks of a type. nullptr: the type does not occur.
  [[nodiscard]] const std::vector<Chunk>* chunks_of(std::uint32_t type) const noexcept;

  std::vector<std::uint32_t> types_;
  // Indexed by the position of the type in types_, then by chunk number.
  std::vector<std::vector<Chunk>> chunks_;
  std::size_t nodes_ = 0;  // nodes with a relationship
};

}  // namespace cairn::engine
