#pragma once
// ColumnChange: an element of the logs by which columns follow commits.

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace cairn::engine {

class InstantColumn;
class CurrentOrder;
class SortedColumn;

/// An id that a commit added to a posting of a column's range, or removed from it.
struct ColumnChange {
  std::uint64_t commit = 0;
  std::string posting;
  std::uint64_t id = 0;
  bool added = false;
};

/// What readers get of a column that has followed commits.
template <class Column>
struct FollowedColumn;

template <>
struct FollowedColumn<InstantColumn> {
  using Ptr = std::shared_ptr<const InstantColumn>;
};

template <>
struct FollowedColumn<SortedColumn> {
  using Ptr = std::shared_ptr<const CurrentOrder>;
};

/// Returns the column with the changes applied in their order, which is that of commits; null if
/// they cannot be applied. Without changes, returns a view of the column alone. Cost: linear in the
/// changes.
[[nodiscard]] std::shared_ptr<const InstantColumn> with_changes(
    const std::shared_ptr<const InstantColumn>& column, std::span<const ColumnChange> changes);
[[nodiscard]] std::shared_ptr<const CurrentOrder> with_changes(
    const std::shared_ptr<const SortedColumn>& column, std::span<const ColumnChange> changes);

}  // namespace cairn::engine
