#pragma once
// Sets of ids for lookups within one statement: SeenIds for many ids, IdHashSet for few.

#include "query/execute/holding.hpp"

#include <cairn/result.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

namespace cairn::query {

/// A bitmap of the ids that were seen, in chunks of 65,536 ids. A chunk is allocated with its first
/// id.
class SeenIds {
 public:
  explicit SeenIds(Budget& budget) : held_(budget) {}

  [[nodiscard]] bool contains(std::uint64_t id) {
    const Chunk* const chunk = find(id >> 16);
    return chunk != nullptr && ((*chunk)[word(id)] >> (id % 64) & 1U) != 0;
  }
  /// Errors: resource_limit, cancelled.
  [[nodiscard]] Status add(std::uint64_t id) {
    Chunk* chunk = find(id >> 16);
    if (chunk == nullptr) {
      CAIRN_TRY(held_.add_bytes(sizeof(Chunk)));
      chunk = (chunks_[id >> 16] = std::make_unique<Chunk>()).get();
      last_ = chunk;
      last_number_ = id >> 16;
    }
    (*chunk)[word(id)] |= std::uint64_t{1} << (id % 64);
    return {};
  }
  void clear() {
    chunks_.clear();
    last_ = nullptr;
    held_.clear();
  }

 private:
  using Chunk = std::array<std::uint64_t, (std::size_t{1} << 16) / 64>;

  static std::size_t word(std::uint64_t id) noexcept { return (id & 0xffff) / 64; }
  /// Caches the last chunk, because ids of neighbours are often close to each other.
  [[nodiscard]] Chunk* find(std::uint64_t number) {
    if (last_ != nullptr && last_number_ == number) return last_;
    const auto found = chunks_.find(number);
    if (found == chunks_.end()) return nullptr;
    last_ = found->second.get();
    last_number_ = number;
    return last_;
  }

  std::unordered_map<std::uint64_t, std::unique_ptr<Chunk>> chunks_;
  Chunk* last_ = nullptr;
  std::uint64_t last_number_ = 0;
  Holding held_;
};

/// A hash table with the ids of one list.
class IdHashSet {
 public:
  explicit IdHashSet(Budget& budget) : held_(budget) {}

  /// Clears the set and makes room for `most` ids.
  /// Errors: resource_limit, cancelled.
  [[nodiscard]] Status assign(std::size_t most) {
    const std::size_t places = std::bit_ceil(2 * most + 1);
    if (places > table_.size())
      CAIRN_TRY(held_.grow(table_.size() * sizeof(std::uint64_t), places * sizeof(std::uint64_t)));
    table_.assign(places, 0);
    return {};
  }
  /// Precondition: not more ids than announced to assign().
  void add(std::span<const std::uint32_t> ids) {
    for (const std::uint32_t id : ids) table_[place_of(id)] = id + std::uint64_t{1};
  }
  [[nodiscard]] bool contains(std::uint64_t id) const { return table_[place_of(id)] != 0; }

 private:
  /// Linear probing: returns the position of the id, or the empty position where it belongs.
  [[nodiscard]] std::size_t place_of(std::uint64_t id) const {
    const std::size_t mask = table_.size() - 1;
    std::size_t place = (id * 0x9e37'79b9'7f4a'7c15ULL >> 32) & mask;
    while (table_[place] != 0 && table_[place] != id + 1) place = (place + 1) & mask;
    return place;
  }

  std::vector<std::uint64_t> table_;  // an id + 1, or 0 if empty; at most half full
  Holding held_;
};

}  // namespace cairn::query
