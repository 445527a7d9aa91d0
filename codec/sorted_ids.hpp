#pragma once
// Operations on ids: seeking ascending ids in a set, testing ids in any order, intersecting several sets, and sorting.

#include "codec/bitmap.hpp"
#include "codec/container.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

namespace cairn::codec {

// IdSeeker: finds the next member of a set at or after an id, for a sequence of ascending ids.

/// A forward-only cursor over a set. It searches from its current place, so near members are found
/// in few steps. The set must outlive the seeker and must not change.
class IdSeeker {
 public:
  static constexpr std::uint64_t end = std::numeric_limits<std::uint64_t>::max();

  explicit IdSeeker(const Bitmap& set) : chunks_(set.chunks()) {}

  /// Returns the first member not below `id`, or `end`. No id may be below the id of an earlier
  /// call.
  std::uint64_t seek(std::uint64_t id) {
    if (id > found_ || !has_begun_) find(id);
    return found_;
  }
  /// True if `id` is a member. The rules of seek() apply.
  bool contains(std::uint64_t id) { return seek(id) == id; }

 private:
  void find(std::uint64_t id);
  /// Returns a value not below `low` in the current chunk, or Container::capacity if all values are
  /// below.
  std::uint32_t find_low(std::uint32_t low);

  std::span<const Bitmap::Chunk> chunks_;
  std::size_t chunk_ = 0;
  std::size_t place_ = 0;  // in the array or runs of the chunk; everything before it is too small
  std::uint64_t found_ = 0;
  bool has_begun_ = false;
};

// IdMembership: tests whether ids are in a set, for many ids in any order. SpreadArrays: bitmaps
// that it may keep for later ids.

/// Bitmaps of sorted arrays that were tested so often that the conversion pays: at most 512 KiB.
class SpreadArrays {
 public:
  struct Chunk {
    std::shared_ptr<const Container> array;
    std::uint32_t questions = 0;
    std::vector<std::uint64_t> words;  ///< empty: not spread
  };

  /// Returns the chunk of a key. If the array has changed, the chunk starts empty again.
  [[nodiscard]] Chunk& chunk(std::uint64_t key, const std::shared_ptr<const Container>& array);
  /// Counts a test. Returns the bitmap, or nullptr if there is none.
  const std::uint64_t* ask(Chunk& chunk) {
    constexpr std::uint32_t enough = 4'096;
    if (++chunk.questions == enough) spread(chunk);
    return chunk.words.empty() ? nullptr : chunk.words.data();
  }

 private:
  static constexpr std::size_t most = 64;

  void spread(Chunk& chunk);

  std::unordered_map<std::uint64_t, Chunk> chunks_;
  std::size_t spread_ = 0;  // number of chunks with words
};

/// Remembers the chunk of the last id, because ids that are tested one after the other are often
/// close to each other. The set must outlive this object and must not change. `spread`, if not
/// nullptr, must outlive this object too.
class IdMembership {
 public:
  explicit IdMembership(const Bitmap& set, SpreadArrays* spread = nullptr)
      : set_(&set), spread_(spread) {}

  [[nodiscard]] bool contains(std::uint64_t id) {
    if (id >= first_ && id < end_) return true;
    if (id >> 16 != key_) find(id >> 16);
    if (words_ != nullptr) return test_bit(words_, static_cast<std::uint16_t>(id));
    return container_ != nullptr && is_in_container(static_cast<std::uint16_t>(id));
  }

 private:
  void find(std::uint64_t key) {
    key_ = key;
    first_ = end_ = 0;
    const auto chunks = set_->chunks();
    const auto chunk = std::ranges::lower_bound(chunks, key, {}, &Bitmap::Chunk::key);
    const bool is_there = chunk != chunks.end() && chunk->key == key;
    container_ = is_there ? chunk->container.get() : nullptr;
    const bool has_words = is_there && container_->form() == Container::Form::bitmap;
    words_ = has_words ? container_->words().data() : nullptr;
    array_ = nullptr;
    if (spread_ == nullptr || !is_there || container_->form() != Container::Form::array) return;
    array_ = &spread_->chunk(key, chunk->container);
    if (!array_->words.empty()) words_ = array_->words.data();
  }

  /// Remembers the run of the id, if the container has runs.
  [[nodiscard]] bool is_in_container(std::uint16_t low) {
    if (array_ != nullptr) words_ = spread_->ask(*array_);
    if (container_->form() != Container::Form::runs) return container_->contains(low);
    const auto runs = container_->runs();
    const auto run = std::ranges::lower_bound(runs, low, {}, &Container::Run::last);
    if (run == runs.end() || run->first > low) return false;
    first_ = key_ << 16 | run->first;
    end_ = (key_ << 16 | run->last) + 1;
    return true;
  }

  const Bitmap* set_;
  SpreadArrays* spread_;
  SpreadArrays::Chunk* array_ = nullptr;  // of the container, if it is an array that may be spread
  std::uint64_t key_ = std::numeric_limits<std::uint64_t>::max();  // no id has this key
  const Container* container_ = nullptr;  // nullptr: no id of the chunk is in the set
  const std::uint64_t* words_ = nullptr;  // nullptr unless the container is a bitmap, or spread
  // The run of an earlier id: [first_, end_).
  std::uint64_t first_ = 0;
  std::uint64_t end_ = 0;
};

// Intersections of several bitmaps, chunk by chunk, without intermediate sets.

/// Returns the ids that are in all sets; there must be at least one set. Cost: for each chunk that
/// all sets have, proportional to the smallest container; full containers cost nothing.
[[nodiscard]] Bitmap intersect_all(std::span<const Bitmap> sets);
/// Returns the size of intersect_all() without making that set.
[[nodiscard]] std::uint64_t intersection_cardinality(std::span<const Bitmap> sets);

// Sorting of ids that were collected in any order, for Bitmap and BitmapBuilder. Ids of a database
// are dense small numbers, so a radix sort is faster than comparisons.

/// Sorts ids into strictly ascending order and removes repeated ids. Cost: linear.
void sort_ids(std::vector<std::uint64_t>& ids);

}  // namespace cairn::codec
