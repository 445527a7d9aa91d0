#pragma once
// CurrentOrder: the ids of one path by value as of one commit: a sorted column, and what commits
// changed since it was made.

#include "codec/bitmap.hpp"
#include "engine/index/column_change.hpp"
#include "engine/index/sorted_column.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::engine {

/// A sorted column without the ids that changed since it was made, and a small column with the
/// current values of these ids. Immutable. Threads: any.
class CurrentOrder {
 public:
  using Ptr = std::shared_ptr<const CurrentOrder>;  // owners: the cache and readers
  using End = SortedColumn::End;
  using Ties = SortedColumn::Ties;

  /// A view of a column without changes.
  explicit CurrentOrder(SortedColumn::Ptr column);

  /// The ids with a value in [first, last), or from `first` on without `last`. Cost: that of
  /// SortedColumn::between().
  [[nodiscard]] codec::Bitmap between(std::string_view first,
                                      std::optional<std::string_view> last) const;
  /// The number of entries in the range.
  [[nodiscard]] std::uint64_t count(std::string_view first,
                                    std::optional<std::string_view> last) const;

  /// The first `wanted` of `ids` from one end of the order, like SortedColumn::first_of(). May
  /// return more ids, at most as many as have changed. Returns all of `ids` that have a value if
  /// these are fewer than wanted. Must be single_valued(). Cost: that of SortedColumn::first_of().
  [[nodiscard]] codec::Bitmap first_of(const codec::Bitmap& ids, std::uint64_t wanted, End end,
                                       Ties ties) const;
  /// Like first_of() for the intersection of `sets`, which is not computed.
  [[nodiscard]] codec::Bitmap first_common(std::span<const codec::Bitmap> sets,
                                           std::uint64_t wanted, End end, Ties ties) const;
  /// At most two of `ids`, one of which has the least or greatest value and is the lowest id that
  /// has it; none if no id has a value. Must be single_valued().
  [[nodiscard]] std::vector<std::uint64_t> extremes(const codec::Bitmap& ids, End end) const;
  /// True if first_common() is cheaper than first_of() for this number of ids.
  [[nodiscard]] bool walks_places(std::uint64_t ids, std::uint64_t wanted) const {
    return column_->walks_places(ids, wanted);
  }
  /// Estimated number of steps of first_of(), if the ids are spread evenly.
  [[nodiscard]] double steps_to_first(std::uint64_t ids, std::uint64_t wanted) const {
    return column_->steps_to_first(ids, wanted);
  }

  /// Like SortedColumn::read_value().
  [[nodiscard]] bool read_value(std::uint64_t id, std::string& value) const;

  /// All ids with a value.
  [[nodiscard]] const codec::Bitmap& all() const noexcept { return all_; }
  /// False if an id has two values.
  [[nodiscard]] bool single_valued() const noexcept { return column_->single_valued(); }
  /// The number of different values, or nearly.
  [[nodiscard]] std::size_t values() const noexcept { return column_->values(); }

 private:
  friend Ptr with_changes(const SortedColumn::Ptr& column, std::span<const ColumnChange> changes);

  /// The value of an id that changed; nullopt if it has none now.
  struct Recent {
    std::uint64_t id = 0;
    std::optional<std::string> value;
  };
  /// False if the values do not fit into a column.
  [[nodiscard]] bool take(std::vector<Recent> recent);
  [[nodiscard]] const Recent* find_recent(std::uint64_t id) const;

  SortedColumn::Ptr column_;
  std::vector<Recent> recent_;               // by id; read instead of `column_`
  codec::Bitmap ignored_;                    // the ids of `recent_` that `column_` has
  std::vector<std::string> ignored_values_;  // the values that they have there, ascending
  SortedColumn::Ptr order_;                  // the values in `recent_`; null if there are none
  codec::Bitmap all_;
};

}  // namespace cairn::engine
