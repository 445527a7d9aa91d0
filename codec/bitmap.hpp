#pragma once
// Bitmap: a set of 64-bit ids and its operations, used by every filter. Ids are split into chunks
// by their upper 48 bits. Each chunk holds its lower 16 bits in one container.
//
// set   := chunk* in ascending order of key, no empty container
// chunk := key:(id >> 16) container
//
// Containers are shared between sets and never change while they are shared (copy on write). So
// copying a set costs one pointer per chunk, and a cached posting list can be used without copying
// its ids.

#include "codec/container.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace cairn::codec {

/// A set of ids. A copy shares the containers and costs one pointer per chunk. Threads: any number
/// may read a set at once. A change needs exclusive access and does not affect copies.
class Bitmap {
 public:
  /// The ids with the same upper 48 bits, which are `key`.
  struct Chunk {
    std::uint64_t key = 0;
    std::shared_ptr<const Container> container;  // owners: the sets that share it
  };

  Bitmap() = default;
  /// Makes a set of strictly ascending ids.
  [[nodiscard]] static Bitmap from_sorted(std::span<const std::uint64_t> ids);
  /// Makes a set of ids in any order, possibly repeated.
  [[nodiscard]] static Bitmap from_unsorted(std::vector<std::uint64_t> ids);
  /// Makes a set of all ids in [first, last). Cost: one chunk per 65,536 ids.
  [[nodiscard]] static Bitmap of_range(std::uint64_t first, std::uint64_t last);

  /// Appends a chunk; `key` must be greater than every key in the set. An empty container is
  /// ignored.
  void append_chunk(std::uint64_t key, std::shared_ptr<const Container> container);
  /// Adds an id. Cost: copies the container of the id; use a BitmapBuilder for many ids.
  void add(std::uint64_t id);
  void remove(std::uint64_t id);

  [[nodiscard]] bool contains(std::uint64_t id) const noexcept;
  [[nodiscard]] bool empty() const noexcept { return chunks_.empty(); }
  [[nodiscard]] std::uint64_t cardinality() const noexcept;
  [[nodiscard]] std::optional<std::uint64_t> first() const noexcept;
  [[nodiscard]] std::optional<std::uint64_t> last() const noexcept;
  [[nodiscard]] std::span<const Chunk> chunks() const noexcept { return chunks_; }
  [[nodiscard]] std::vector<std::uint64_t> to_vector() const;
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

  /// Calls `visit(id)` for every id in ascending order.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (const Chunk& chunk : chunks_)
      chunk.container->for_each([&](std::uint16_t low) { visit(chunk.key << 16 | low); });
  }

  friend bool operator==(const Bitmap& a, const Bitmap& b) noexcept;

 private:
  void apply(std::uint64_t id, std::span<const std::uint16_t> added,
             std::span<const std::uint16_t> removed);

  std::vector<Chunk> chunks_;
};

[[nodiscard]] Bitmap intersect(const Bitmap& a, const Bitmap& b);
[[nodiscard]] Bitmap unite(const Bitmap& a, const Bitmap& b);
[[nodiscard]] Bitmap subtract(const Bitmap& a, const Bitmap& b);  ///< a without b
/// Returns the size of the intersection without making it.
[[nodiscard]] std::uint64_t intersection_cardinality(const Bitmap& a, const Bitmap& b);
/// Returns the union of many sets. Cost: reads each set once, however many there are.
[[nodiscard]] Bitmap unite_all(std::span<const Bitmap> sets);

/// Reads a set in ascending order, in pieces. The set must outlive the cursor.
class IdCursor {
 public:
  explicit IdCursor(const Bitmap& set) : set_(&set) {}
  /// Fills `out` with the next ids; returns their number, 0 at the end.
  std::size_t next(std::span<std::uint64_t> out);

 private:
  const Bitmap* set_;
  std::size_t chunk_ = 0;
  std::uint32_t position_ = 0;  ///< the next low value to check in the chunk
};

// BitmapBuilder: the union of many ids and containers that come in any order, as a scan over many
// small postings reads them. It only collects; build() does all work once.

class BitmapBuilder {
 public:
  void add(std::uint64_t id) { ids_.push_back(id); }
  void add(const Bitmap& set);
  void add_chunk(std::uint64_t key, std::shared_ptr<const Container> container);
  /// Returns the memory held until build(), for memory limits.
  [[nodiscard]] std::size_t memory_bytes() const noexcept;
  /// Returns the set of everything added; the builder is empty afterwards.
  [[nodiscard]] Bitmap build();

 private:
  std::vector<std::uint64_t> ids_;
  std::vector<Bitmap::Chunk> chunks_;
};

}  // namespace cairn::codec
