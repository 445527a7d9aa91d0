#include "engine/index/instant_column_cache.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace cairn::engine {
namespace {

// Each is a path that people search by date.
constexpr std::size_t most_columns = 32;
// Of more changes than this share of a column it is made anew.
constexpr std::size_t column_part = 16;
constexpr std::size_t least_changes = 1'024;

}  // namespace

InstantColumn::Ptr InstantColumnCache::find(const KeyRange& range, std::uint64_t commit) {
  const std::lock_guard lock(mutex_);
  if (commit > commit_) return nullptr;  // what that commit changed is not noted yet
  const auto found = std::ranges::find(kept_, range, &Kept::range);
  if (found == kept_.end() || commit < found->from || commit >= found->until) return nullptr;
  kept_.splice(kept_.begin(), kept_, found);
  return found->column;
}

InstantColumnCache::Kept& InstantColumnCache::touch(const KeyRange& range) {
  const auto found = std::ranges::find(kept_, range, &Kept::range);
  if (found != kept_.end()) {
    kept_.splice(kept_.begin(), kept_, found);
  } else {
    kept_.push_front({range, nullptr, 0, 0, {}, 0});
    if (kept_.size() > most_columns) kept_.pop_back();
  }
  return kept_.front();
}

InstantColumnCache::Lack InstantColumnCache::note(const KeyRange& range, std::uint64_t commit,
                                                  double microseconds) {
  const std::lock_guard lock(mutex_);
  if (commit != commit_) return {};
  Kept& entry = touch(range);
  entry.spent += microseconds;
  Lack lack{entry.spent, entry.column, entry.changed};
  std::ranges::sort(lack.changed);
  const auto repeated = std::ranges::unique(lack.changed);
  lack.changed.erase(repeated.begin(), repeated.end());
  return lack;
}

void InstantColumnCache::insert(const KeyRange& range, std::uint64_t commit,
                                InstantColumn::Ptr column) {
  const std::lock_guard lock(mutex_);
  if (commit != commit_ || !fits(column->size())) return;
  touch(range) = {range, std::move(column), commit, open_end, {}, 0};
  while (bytes() > budget_bytes_ && kept_.size() > 1) kept_.pop_back();
}

void InstantColumnCache::advance(std::uint64_t commit, std::span<const std::string> changed) {
  const std::lock_guard lock(mutex_);
  commit_ = commit;
  for (Kept& entry : kept_) {
    if (entry.column == nullptr) continue;
    const auto begin = std::lower_bound(changed.begin(), changed.end(), entry.range.first);
    const auto end = std::find_if_not(
        begin, changed.end(), [&](const std::string& name) { return entry.range.contains(name); });
    if (begin == end) continue;
    if (entry.until == open_end) entry.until = commit;
    entry.changed.insert(entry.changed.end(), begin, end);
    if (entry.changed.size() <= std::max(least_changes, entry.column->size() / column_part))
      continue;
    entry.column = nullptr;
    entry.until = entry.from;
    entry.changed = {};
  }
}

std::size_t InstantColumnCache::bytes() const {
  std::size_t sum = 0;
  for (const Kept& entry : kept_)
    if (entry.column != nullptr) sum += entry.column->memory_bytes();
  return sum;
}

std::size_t InstantColumnCache::memory_bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes();
}

}  // namespace cairn::engine
