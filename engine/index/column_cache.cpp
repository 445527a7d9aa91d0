// The rule is that of renting and buying: a column is made when what was spent for want of it has
// come to its price. Whatever is asked afterwards, at most twice the cheaper course was paid.
//
// absent  --note(cost)--> absent, spent grows --spent >= price--> caller makes it --insert--> kept
// kept    --a commit changes postings in its range--> stale: a base, and the names that changed
// stale   --note(cost)--> base and names come back once they pay --insert--> kept
// stale   --more changes than a sixteenth of it--> absent
//
// Intervals of commits as in PostingCache: [from, until). A stale column still serves snapshots of
// its own interval. The maker reads outside of the lock; insert() takes the result only if no
// commit has come meanwhile, as what such a one changed was not noted for it.
//
// One small list, searched from the front: 32 columns at most. The lock is held for that and for
// appending names, never while a column is made.
#include "engine/index/column_cache.hpp"

#include "engine/index/instant_column.hpp"
#include "engine/index/sorted_column.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace cairn::engine {
namespace {

// Each is a path that people search by date or by range.
constexpr std::size_t most_columns = 32;
// Of more changes than this share of a column it is rebuilt.
constexpr std::size_t column_part = 16;
constexpr std::size_t change_bytes = 64;  // of a posting's name, about
constexpr std::size_t least_changes = 1'024;

}  // namespace

template <class Column>
typename ColumnCache<Column>::Ptr ColumnCache<Column>::find(const KeyRange& range,
                                                            std::uint64_t commit) {
  const std::lock_guard lock(mutex_);
  if (commit > commit_) return nullptr;  // what that commit changed is not noted yet
  const auto found = std::ranges::find(kept_, range, &Kept::range);
  if (found == kept_.end() || commit < found->from || commit >= found->until) return nullptr;
  kept_.splice(kept_.begin(), kept_, found);
  return found->column;
}

template <class Column>
typename ColumnCache<Column>::Kept& ColumnCache<Column>::touch(const KeyRange& range) {
  const auto found = std::ranges::find(kept_, range, &Kept::range);
  if (found != kept_.end()) {
    kept_.splice(kept_.begin(), kept_, found);
  } else {
    kept_.push_front({range, nullptr, 0, 0, {}, 0});
    if (kept_.size() > most_columns) kept_.pop_back();
  }
  return kept_.front();
}

template <class Column>
typename ColumnCache<Column>::Lack ColumnCache<Column>::note(const KeyRange& range,
                                                             std::uint64_t commit,
                                                             double microseconds) {
  const std::lock_guard lock(mutex_);
  if (commit != commit_) return {};
  Kept& entry = touch(range);
  entry.spent += microseconds;
  const auto changes = static_cast<double>(entry.changed.size());
  if (entry.spent < changes * Column::microseconds_a_change) return {};
  Lack lack{entry.spent, entry.column, entry.changed};
  std::ranges::sort(lack.changed);
  const auto repeated = std::ranges::unique(lack.changed);
  lack.changed.erase(repeated.begin(), repeated.end());
  return lack;
}

template <class Column>
bool ColumnCache<Column>::fits(std::size_t entries) const noexcept {
  return entries <= budget_bytes_ / Column::entry_bytes;
}

template <class Column>
void ColumnCache<Column>::insert(const KeyRange& range, std::uint64_t commit, Ptr column) {
  const std::lock_guard lock(mutex_);
  if (commit != commit_) return;
  if (column == nullptr || !fits(column->size()) || column->memory_bytes() > budget_bytes_) {
    touch(range).spent = 0;
    return;
  }
  touch(range) = {range, std::move(column), commit, open_end, {}, 0};
  while (bytes() > budget_bytes_ && kept_.size() > 1) kept_.pop_back();
}

template <class Column>
void ColumnCache<Column>::advance(std::uint64_t commit, std::span<const std::string_view> changed) {
  const std::lock_guard lock(mutex_);
  for (Kept& entry : kept_) {
    if (entry.column == nullptr) continue;
    const auto begin = std::lower_bound(changed.begin(), changed.end(), entry.range.first);
    const auto end = std::find_if_not(
        begin, changed.end(), [&](std::string_view name) { return entry.range.contains(name); });
    if (begin == end) continue;
    if (entry.until == open_end) entry.until = commit;
    // Copied: the names of `changed` are those of a transaction that is about to end. Repetitions
    // go when they are asked for.
    entry.changed.insert(entry.changed.end(), begin, end);
    if (entry.changed.size() <= std::max(least_changes, entry.column->size() / column_part))
      continue;
    entry.column = nullptr;
    // An empty interval: no snapshot finds it any more.
    entry.until = entry.from;
    entry.changed = {};
  }
  commit_ = commit;  // last: where memory ends before, readers of the commit find nothing
}

template <class Column>
std::size_t ColumnCache<Column>::bytes() const {
  std::size_t sum = 0;
  for (const Kept& entry : kept_)
    if (entry.column != nullptr)
      sum += entry.column->memory_bytes() + entry.changed.size() * change_bytes;
  return sum;
}

template <class Column>
std::size_t ColumnCache<Column>::memory_bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes();
}

template class ColumnCache<InstantColumn>;
template class ColumnCache<SortedColumn>;

}  // namespace cairn::engine
