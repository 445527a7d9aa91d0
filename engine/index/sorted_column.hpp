#pragma once
// SortedColumn: the ids of one path sorted by value, in memory. A range of values is a range of
// places in it, so a comparison needs no key access for each distinct value, and the first rows of
// an order are found at its ends.

#include "codec/bitmap.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::engine {

// ValueList: byte strings in ascending order with front coding: each value is stored without the
// beginning that it shares with the value before.
//
// values := block*          a block begins at every 16th value; a table has their offsets
// value  := shared:u8 rest:varint byte{rest}       the first value of a block shares no bytes

class ValueList {
 public:
  /// Appends a value. Values must be strictly ascending.
  void add(std::string_view value);
  void shrink_to_fit();

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// Stores the value with this number in `out`. Cost: reads up to 16 values' headers, and copies
  /// each byte once.
  void read(std::size_t index, std::string& out) const;
  /// The number of values less than `bound`. Cost: a binary search over blocks, and a scan of one
  /// block.
  [[nodiscard]] std::size_t lower_bound(std::string_view bound) const;

  /// Calls `visit(value)` for each value in order. The view is valid during the call.
  template <class Visit>
  void for_each(const Visit& visit) const {
    Reader reader{*this, 0, {}};
    for (std::size_t i = 0; i < size_; ++i) visit(reader.next());
  }

  [[nodiscard]] std::size_t memory_bytes() const noexcept {
    return bytes_.capacity() + blocks_.capacity() * sizeof(std::size_t) + last_.capacity();
  }

 private:
  static constexpr std::size_t block_values = 16;

  /// Decodes values in order.
  struct Reader {
    const ValueList& list;
    std::size_t at;
    std::string value;
    std::string_view next();
  };
  /// The first value of a block, which is stored in one piece.
  [[nodiscard]] std::string_view head(std::size_t block) const;

  std::string bytes_;
  std::vector<std::size_t> blocks_;  // offset of each block in bytes_
  std::string last_;                 // the last value added
  std::size_t size_ = 0;
};

/// The ids of one path sorted by value. Immutable. Threads: any.
class SortedColumn {
 public:
  using Ptr = std::shared_ptr<const SortedColumn>;  // owners: the cache and readers
  /// Estimated bytes of an entry without its value.
  static constexpr std::size_t entry_bytes = 16;
  /// Estimated time to apply one changed posting.
  static constexpr double microseconds_a_change = 5;

  /// Builds a column. Values are the value bytes of index entries, ascending, each with its ids.
  class Builder {
   public:
    Builder();
    ~Builder();
    void add(std::string_view value, const codec::Bitmap& ids);
    [[nodiscard]] std::size_t memory_bytes() const noexcept;
    /// Returns the column, or null if the ids do not fit into 32 bits.
    [[nodiscard]] Ptr build();

   private:
    friend class SortedColumn;
    /// Adds value number `index` of another column with its ids.
    void take(std::string_view value, const SortedColumn& from, std::size_t index);
    std::unique_ptr<SortedColumn> order_;
    std::vector<std::uint64_t> ids_;
  };

  /// The ids with a value in [first, last), or from `first` on without `last`. Cost: if there are
  /// many, setting some thousand bits and one pass over a bitmap of all ids.
  [[nodiscard]] codec::Bitmap between(std::string_view first,
                                      std::optional<std::string_view> last) const;
  /// The number of entries in the range.
  [[nodiscard]] std::uint64_t count(std::string_view first,
                                    std::optional<std::string_view> last) const;

  enum class End : std::uint8_t { least, greatest };
  /// Which ids with the same value as the last wanted one are taken: all, or the lowest ones, up to
  /// the wanted number.
  enum class Ties : std::uint8_t { all, lowest_ids };
  /// The first `wanted` of `ids` from one end of the order. Returns all of `ids` that have a value
  /// if these are fewer. The column must be single_valued().
  ///
  /// Cost: a bit test for each place up to the last one returned, or a lookup for each of `ids`,
  /// whichever is cheaper.
  [[nodiscard]] codec::Bitmap first_of(const codec::Bitmap& ids, std::uint64_t wanted, End end,
                                       Ties ties) const;
  /// Like first_of() for the intersection of `sets`, without computing the intersection. Cost: a
  /// bit test for each place and set. Use it if walks_places() is true for the number of ids.
  [[nodiscard]] codec::Bitmap first_common(std::span<const codec::Bitmap> sets,
                                           std::uint64_t wanted, End end, Ties ties) const;
  /// True if iterating over places is cheaper than a lookup for each of `ids`.
  [[nodiscard]] bool walks_places(std::uint64_t ids, std::uint64_t wanted) const;
  /// Estimated number of steps of first_of(), if the ids are spread evenly.
  [[nodiscard]] double steps_to_first(std::uint64_t ids, std::uint64_t wanted) const;

  /// Stores the value of an id in `value`, as the value bytes of its index entry. Returns false if
  /// the id has no value here, or if the column does not store values by id. Cost: about 0.1
  /// microseconds.
  [[nodiscard]] bool read_value(std::uint64_t id, std::string& value) const;

  /// True if read_value() finds all values: ids are dense and have one value each.
  [[nodiscard]] bool reads_values() const noexcept { return !ordinals_.empty(); }
  /// All ids with a value.
  [[nodiscard]] const codec::Bitmap& all() const noexcept { return all_; }
  /// False if an id has two values.
  [[nodiscard]] bool single_valued() const noexcept { return all_.cardinality() == ids_.size(); }
  /// New ids of a value; empty if no id has the value now.
  struct Change {
    std::string_view value;
    codec::Bitmap ids;
  };
  /// Returns a copy with other ids for some values. `changes` must ascend by value.
  [[nodiscard]] Ptr changed(const std::vector<Change>& changes) const;

  [[nodiscard]] std::size_t size() const noexcept { return ids_.size(); }
  /// The number of different values.
  [[nodiscard]] std::size_t values() const noexcept { return values_.size(); }
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

 private:
  SortedColumn() = default;
  /// A range of places.
  struct Places {
    std::size_t first = 0;
    std::size_t last = 0;
  };
  [[nodiscard]] Places places(std::string_view first, std::optional<std::string_view> last) const;
  [[nodiscard]] std::uint64_t id(std::size_t place) const { return base_ + ids_[place]; }
  [[nodiscard]] codec::Bitmap few_between(Places places) const;
  [[nodiscard]] codec::Bitmap from_words(const std::vector<std::uint64_t>& words) const;
  // Sets, or clears, the bits of the ids in the places [first, last).
  void set_bits(std::vector<std::uint64_t>& words, std::size_t first, std::size_t last) const;
  void clear_bits(std::vector<std::uint64_t>& words, std::size_t first, std::size_t last) const;
  void take_marks();
  void take_ordinals(std::uint64_t span);
  [[nodiscard]] std::uint32_t ordinal(std::uint64_t id) const;
  [[nodiscard]] codec::Bitmap first_by_ordinal(const codec::Bitmap& ids, std::uint64_t wanted,
                                               End end, Ties ties) const;

  ValueList values_;
  std::vector<std::uint32_t> starts_;  // first place of each value, and the number of places
  std::uint64_t base_ = 0;             // a multiple of the size of a bitmap chunk
  std::vector<std::uint32_t> ids_;     // minus base_, by value, ascending within a value
  codec::Bitmap all_;
  // marks_[i] is a bitmap, from base_ on, of the ids in the places before (i + 1) * mark_step_.
  // Empty if an id has two values, because the difference of two marks would lose it.
  std::vector<std::vector<std::uint64_t>> marks_;
  std::size_t mark_step_ = 0;
  // By id, from base_ on: the number of its value plus 1, or 0 if it has none. Empty if an id has
  // two values, or if most ids have none.
  std::vector<std::uint32_t> ordinals_;
  std::size_t words_ = 0;  // words of a bitmap of all ids, in whole chunks
};

}  // namespace cairn::engine
