#pragma once
// DenseOrdinals: from ids to ranks, which are places in an ascending list of ids. Where ids lie close, a
// set of them becomes ranks by copying words of bits, without a look at any single id.

#include "codec/bitmap.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace cairn::engine {

class DenseOrdinals {
 public:
  DenseOrdinals() = default;
  /// `ids` ascend, and stay where they are as long as the map lives.
  explicit DenseOrdinals(std::span<const std::uint64_t> ids);

  [[nodiscard]] std::optional<std::uint32_t> find(std::uint64_t id) const noexcept;
  /// Set the bits of the ranks of `set` in `bits`, which has a zero for each rank; returns how many.
  /// Cost: about 3 us for each 65,536 ids that lie close; else like for_each_of().
  std::size_t mark(const codec::Bitmap& set, std::span<std::uint64_t> bits) const;
  /// The ranks of `set`, ascending. Cost: a few nanoseconds for each id of the set.
  [[nodiscard]] std::vector<std::uint32_t> list(const codec::Bitmap& set) const;
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

 private:
  static constexpr std::size_t words = codec::Container::bitmap_words;

  /// Which of 65,536 ids are there, and how many before each word.
  struct Table {
    std::uint64_t present[words];
    std::uint32_t before[words];
  };
  struct Chunk {
    std::uint64_t key = 0;
    std::uint32_t first = 0;  ///< rank
    std::uint32_t count = 0;
    bool is_whole = false;         ///< ids without a gap
    std::unique_ptr<Table> table;  ///< null where it would be larger than the ids
  };

  void add_chunk(std::size_t first, std::size_t last);
  [[nodiscard]] std::optional<std::uint32_t> find(const Chunk& chunk,
                                                  std::uint16_t low) const noexcept;
  std::size_t mark_words(const Chunk& chunk, std::span<const std::uint64_t> allowed,
                         std::span<std::uint64_t> bits) const;
  void shift_array(const Chunk& chunk, std::span<const std::uint16_t> values,
                   std::vector<std::uint32_t>& ranks) const;
  template <class Visit>
  void for_each_pair(const codec::Bitmap& set, Visit&& visit) const;
  template <class Visit>
  void for_each_rank(const Chunk& chunk, const codec::Container& values, Visit&& visit) const;

  std::span<const std::uint64_t> ids_;
  std::vector<Chunk> chunks_;  // ascending
};

}  // namespace cairn::engine
