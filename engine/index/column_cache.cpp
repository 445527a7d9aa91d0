// The rule is rent or buy: a column is made when the time spent because it is missing has reached its cost. Then at most
// twice the cost of the cheaper way was paid, whatever is read afterwards.
//
// absent  --note(cost)--> absent, spent grows --spent >= price--> caller makes it, logged from begin() on --insert--> cached
// cached  --a commit changes postings in its range--> cached, with a longer log, which find() applies
// cached  --a long log--> long_log() tells one caller, who makes a new column of it --insert--> cached, with a short log
// cached  --a log that find() does not apply any more--> stale: note() returns base and changes once applying them pays
// any     --a log longer than 4,096 changes and a sixteenth of the column--> absent
//
// A reader makes a column outside of the lock, from its own state. insert() removes the changes
// that this state contains from the log and keeps the later ones, so that commits can continue
// while a column is made.
//
// There are at most 32 columns in one list, which is searched from the front. The lock is held for
// this search, for appending to logs, and for applying a log of at most 2,048 changes.
#include "engine/index/column_cache.hpp"

#include "engine/index/current_order.hpp"
#include "engine/index/instant_column.hpp"
#include "engine/index/sorted_column.hpp"

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

namespace cairn::engine {
namespace {

// Each column belongs to a path that is searched by date or by range.
constexpr std::size_t most_columns = 32;
// A column is dropped if its log has more changes than its entries divided by this number, and more
// than least_changes.
constexpr std::size_t column_part = 16;
constexpr std::size_t change_bytes = 96;  // estimated size of a change with the posting's name
constexpr std::size_t least_changes = 4'096;
// Applying a log takes about 0.2 microseconds a change, once after each commit that is read.
constexpr std::size_t most_applied = 2'048;

/// The length of a log at which a new column is made. With this length L and one change in each
/// commit, a commit costs 0.1 L microseconds on average to apply the log, which grows from 0 to L,
/// and 0.04 n / L microseconds as its share of a new column of n entries. The sum is least at
/// L = sqrt(0.4 n). `most` leaves room for changes while the column is made.
std::size_t long_log_length(std::size_t entries) {
  constexpr std::size_t least = 128;
  constexpr std::size_t most = most_applied / 2;
  const double cheapest = std::sqrt(0.4 * static_cast<double>(entries));
  return std::clamp(static_cast<std::size_t>(cheapest), least, most);
}

/// The number of changes up to a commit, as logs are in the order of commits.
std::size_t changes_until(const std::vector<ColumnChange>& log, std::uint64_t commit) {
  const auto later = [](std::uint64_t one, const ColumnChange& change) {
    return one < change.commit;
  };
  return static_cast<std::size_t>(std::upper_bound(log.begin(), log.end(), commit, later) -
                                  log.begin());
}

std::vector<std::string> names_of(const std::vector<ColumnChange>& log) {
  std::vector<std::string> names;
  names.reserve(log.size());
  for (const ColumnChange& change : log) names.push_back(change.posting);
  std::ranges::sort(names);
  const auto repeated = std::ranges::unique(names);
  names.erase(repeated.begin(), repeated.end());
  return names;
}

}  // namespace

template <class Column>
typename ColumnCache<Column>::Kept* ColumnCache<Column>::find_kept(const KeyRange& range,
                                                                   std::uint64_t commit) {
  // advance() has not recorded yet what this commit changed.
  if (commit > commit_) return nullptr;
  const auto found = std::ranges::find(kept_, range, &Kept::range);
  if (found == kept_.end() || found->column == nullptr || commit < found->from) return nullptr;
  kept_.splice(kept_.begin(), kept_, found);
  return &kept_.front();
}

template <class Column>
typename ColumnCache<Column>::View ColumnCache<Column>::find(const KeyRange& range,
                                                             std::uint64_t commit) {
  const std::lock_guard lock(mutex_);
  Kept* const kept = find_kept(range, commit);
  if (kept == nullptr) return nullptr;
  const std::size_t length = changes_until(kept->log, commit);
  if (length > most_applied) return nullptr;
  if (kept->has_view && kept->view_length == length) return kept->view;
  View view = with_changes(kept->column, std::span(kept->log).first(length));
  // A reader of an older commit must not replace the view that the other readers use.
  if (kept->has_view && length < kept->view_length) return view;
  kept->view = view;
  kept->view_length = length;
  kept->has_view = true;
  return view;
}

template <class Column>
typename ColumnCache<Column>::Kept& ColumnCache<Column>::touch(const KeyRange& range) {
  const auto found = std::ranges::find(kept_, range, &Kept::range);
  if (found != kept_.end()) {
    kept_.splice(kept_.begin(), kept_, found);
  } else {
    kept_.emplace_front().range = range;
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
  if (entry.column == nullptr) return {entry.spent, nullptr, {}};
  const auto changes = static_cast<double>(entry.log.size());
  if (entry.spent < changes * Column::microseconds_a_change) return {};
  return {entry.spent, entry.column, names_of(entry.log)};
}

template <class Column>
typename ColumnCache<Column>::Lack ColumnCache<Column>::long_log(const KeyRange& range,
                                                                 std::uint64_t commit) {
  const std::lock_guard lock(mutex_);
  Kept* const kept = find_kept(range, commit);
  if (kept == nullptr || kept->log.size() < kept->next_update) return {};
  // Only this caller has to make the new column. If it does not, another caller has to when the log
  // is twice as long.
  kept->next_update = 2 * kept->log.size();
  return {0, kept->column, names_of(kept->log)};
}

template <class Column>
void ColumnCache<Column>::begin(const KeyRange& range, std::uint64_t commit, std::size_t entries) {
  const std::lock_guard lock(mutex_);
  Kept& entry = touch(range);
  // A log that began for another reader has all changes that this reader needs, and the other
  // reader needs the beginning of the log, so nothing is done.
  if (commit != commit_ || entry.is_logged) return;
  entry.from = commit;
  entry.is_logged = true;
  entry.expected_entries = entries;
  entry.log.clear();
}

template <class Column>
void ColumnCache<Column>::stop_logging(Kept& entry) {
  entry.is_logged = false;
  entry.log = {};
  entry.view = nullptr;
  entry.has_view = false;
}

template <class Column>
bool ColumnCache<Column>::fits(std::size_t entries) const noexcept {
  return entries <= budget_bytes_ / Column::entry_bytes;
}

template <class Column>
void ColumnCache<Column>::insert(const KeyRange& range, std::uint64_t commit, Ptr column) {
  const std::lock_guard lock(mutex_);
  if (commit > commit_) return;
  Kept& entry = touch(range);
  if (column == nullptr || !fits(column->size()) || column->memory_bytes() > budget_bytes_) {
    entry.spent = 0;
    if (entry.column == nullptr) stop_logging(entry);
    return;
  }
  const bool has_all_changes = commit == commit_ || (entry.is_logged && entry.from <= commit);
  if (!has_all_changes) {
    // The new column is discarded. Another one is made when as much time has been spent again.
    entry.spent = 0;
    return;
  }
  const std::size_t has = entry.is_logged ? changes_until(entry.log, commit) : entry.log.size();
  entry.log.erase(entry.log.begin(), entry.log.begin() + static_cast<std::ptrdiff_t>(has));
  entry.column = std::move(column);
  entry.from = commit;
  entry.is_logged = true;
  entry.spent = 0;
  entry.next_update = entry.log.size() + long_log_length(entry.column->size());
  entry.view = nullptr;
  entry.has_view = false;
  while (bytes() > budget_bytes_ && kept_.size() > 1) kept_.pop_back();
}

template <class Column>
void ColumnCache<Column>::log_changes(Kept& entry, std::uint64_t commit, ChangedPostings changed) {
  // Counts the changes first, as a bulk load has many more than a log may have.
  std::size_t length = entry.log.size();
  for (const PostingWriteSet::Posting* posting : changed) length += posting->changes().size();
  const std::size_t entries =
      entry.column == nullptr ? entry.expected_entries : entry.column->size();
  if (length > std::max(least_changes, entries / column_part)) {
    entry.column = nullptr;
    stop_logging(entry);
    return;
  }
  // Copies the names, because `changed` refers to memory of a transaction that is about to end.
  for (const PostingWriteSet::Posting* posting : changed)
    for (const PostingWriteSet::Change& change : posting->changes())
      entry.log.push_back({commit, std::string(posting->name()), change.id, change.added});
}

template <class Column>
void ColumnCache<Column>::advance(std::uint64_t commit, ChangedPostings changed) {
  const std::lock_guard lock(mutex_);
  try {
    for (Kept& entry : kept_)
      if (entry.is_logged) log_changes(entry, commit, postings_in(entry.range, changed));
  } catch (const std::bad_alloc&) {
    kept_.clear();
  }
  commit_ = commit;
}

template <class Column>
std::size_t ColumnCache<Column>::bytes() const {
  std::size_t sum = 0;
  for (const Kept& entry : kept_) {
    sum += entry.log.size() * change_bytes;
    if (entry.column != nullptr) sum += entry.column->memory_bytes();
  }
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
