#pragma once
// SortedColumn: the ids of one path in the order of their values, in memory. A range of values is a range
// of places in it, so that comparing many distinct values touches no key each, and the first of an order
// are found from its end.

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

// ValueList: many byte strings in ascending order, in little memory: neighbours begin alike, and of each
// only what differs from the one before is stored.

// values := block*          a block begins at every 16th value; where, is in a table
// value  := shared:u8 rest:varint byte{rest}       the first of a block shares nothing
class ValueList {
 public:
  /// Values must come strictly ascending.
  void add(std::string_view value);
  void shrink_to_fit();

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// Put the value of this number in `out`. Cost: a look at up to 16 of them, one copy of the bytes.
  void read(std::size_t index, std::string& out) const;
  /// How many values are less than `bound`. Cost: a binary search over blocks, and one block.
  [[nodiscard]] std::size_t lower_bound(std::string_view bound) const;

  /// Call `visit(value)` for each in order; the view is valid during the call.
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

  /// Decodes one value after the other.
  struct Reader {
    const ValueList& list;
    std::size_t at;
    std::string value;
    std::string_view next();
  };
  /// The first value of a block lies there in one piece.
  [[nodiscard]] std::string_view head(std::size_t block) const;

  std::string bytes_;
  std::vector<std::size_t> blocks_;  // where in bytes_ each begins
  std::string last_;                 // the value added last
  std::size_t size_ = 0;
};

/// Threads: all calls from any; it does not change.
class SortedColumn {
 public:
  using Ptr = std::shared_ptr<const SortedColumn>;  // owners: the cache and readers
  /// The approximate bytes of an entry without its value.
  static constexpr std::size_t entry_bytes = 16;
  static constexpr double microseconds_a_change = 5;  ///< to bring it up to date

  /// Values come ascending, as the value bytes of index entries; each with its ids.
  class Builder {
   public:
    Builder();
    ~Builder();
    void add(std::string_view value, const codec::Bitmap& ids);
    [[nodiscard]] std::size_t memory_bytes() const noexcept;
    /// Null where the ids are spread too widely.
    [[nodiscard]] Ptr build();

   private:
    friend class SortedColumn;
    /// One value of another order with its ids.
    void take(std::string_view value, const SortedColumn& from, std::size_t index);
    std::unique_ptr<SortedColumn> order_;
    std::vector<std::uint64_t> ids_;
  };

  /// The ids with a value of [first, last); no `last`: to the end. Cost: where there are many, setting a
  /// bit for some thousands of them and one pass over a bitmap of all.
  [[nodiscard]] codec::Bitmap between(std::string_view first,
                                      std::optional<std::string_view> last) const;
  /// The number of entries in the range.
  [[nodiscard]] std::uint64_t count(std::string_view first,
                                    std::optional<std::string_view> last) const;

  enum class End : std::uint8_t { least, greatest };
  /// Those of `ids` that come first from one end: `wanted` of them and all with the value of the last
  /// one, or all where there are fewer. Must be single_valued. Cost: a bit test a place, up to the last
  /// one's, or a look at each of `ids`, whichever is less.
  [[nodiscard]] codec::Bitmap first_of(const codec::Bitmap& ids, std::uint64_t wanted,
                                       End end) const;
  /// The same of the ids that all of `sets` have, which are not made for it: a bit test a place and set.
  /// Worthwhile if walks_places() is true for their number.
  [[nodiscard]] codec::Bitmap first_common(std::span<const codec::Bitmap> sets,
                                           std::uint64_t wanted, End end) const;
  /// Whether so many ids lie so close that going through the places is less than looking at each.
  [[nodiscard]] bool walks_places(std::uint64_t ids, std::uint64_t wanted) const;
  /// About how many steps first_of() takes, if the ids are spread evenly.
  [[nodiscard]] double steps_to_first(std::uint64_t ids, std::uint64_t wanted) const;

  /// Put the value of an id in `value`, as the value bytes of its index entry. False where it has none here,
  /// or if values by id are not stored. Cost: about 0.1 microseconds.
  [[nodiscard]] bool read_value(std::uint64_t id, std::string& value) const;

  /// Every id with a value.
  [[nodiscard]] const codec::Bitmap& all() const noexcept { return all_; }
  /// False where some id has two values.
  [[nodiscard]] bool single_valued() const noexcept { return all_.cardinality() == ids_.size(); }
  /// The same with other ids for some values: ascending, empty for a value that nothing has now.
  struct Change {
    std::string_view value;
    codec::Bitmap ids;
  };
  [[nodiscard]] Ptr changed(const std::vector<Change>& changes) const;

  [[nodiscard]] std::size_t size() const noexcept { return ids_.size(); }
  /// How many different values there are.
  [[nodiscard]] std::size_t values() const noexcept { return values_.size(); }
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

 private:
  SortedColumn() = default;
  struct Places {
    std::size_t first = 0;
    std::size_t last = 0;
  };
  [[nodiscard]] Places places(std::string_view first, std::optional<std::string_view> last) const;
  [[nodiscard]] std::uint64_t id(std::size_t place) const { return base_ + ids_[place]; }
  [[nodiscard]] codec::Bitmap few_between(Places places) const;
  [[nodiscard]] codec::Bitmap from_words(const std::vector<std::uint64_t>& words) const;
  void set_bits(std::vector<std::uint64_t>& words, std::size_t first, std::size_t last) const;
  void clear_bits(std::vector<std::uint64_t>& words, std::size_t first, std::size_t last) const;
  void take_marks();
  void take_ordinals(std::uint64_t span);
  [[nodiscard]] std::uint32_t ordinal(std::uint64_t id) const;
  [[nodiscard]] codec::Bitmap first_by_ordinal(const codec::Bitmap& ids, std::uint64_t wanted,
                                               End end) const;

  ValueList values_;
  std::vector<std::uint32_t> starts_;  // of each value its first place, and the number of places
  std::uint64_t base_ = 0;             // a multiple of a chunk's size
  std::vector<std::uint32_t> ids_;     // less base_, by value, ascending within a value
  codec::Bitmap all_;
  // marks_[i]: bitmap of the ids in the places before (i + 1) * mark_step_, from base_ on. None where some id
  // has two values: then a difference of two would lose it.
  std::vector<std::vector<std::uint64_t>> marks_;
  std::size_t mark_step_ = 0;
  // By id, from base_ on: the number of its value and 1, 0 where it has none. Empty where some id has two
  // values, or most have none.
  std::vector<std::uint32_t> ordinals_;
  std::size_t words_ = 0;  // of a bitmap, whole chunks
};

}  // namespace cairn::engine
