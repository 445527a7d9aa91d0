// Bitmaps of postings and ranges, least recently used first out. What makes it safe without
// versions of its own is that an entry holds for an interval of commits:
//
//   commit        ..7   8   9   10   11..
//   entry A           [from 8 ........... open
//   entry B           [8 ..... 10)             commit 10 changed it; a snapshot of 9 still finds it
//
// - insert() takes only what a reader of the newest noted commit found, and opens its interval.
// - advance(c) runs after c is published and ends what c changed. A reader of c that comes
//   earlier asks with commit > commit_ and misses; it never sees a set from before c.
// - So no lock is needed around "publish and invalidate".
//
// One mutex for everything, held for map operations and never while the store is read; sets are
// handed out by sharing their containers. Open entries are indexed by name, so that a commit looks
// up each posting that it changed; ranges are few and asked one by one.
#include "engine/index/posting_cache.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace cairn::engine {
namespace {

constexpr std::size_t entry_overhead = 256;
constexpr std::size_t name_overhead = 48;
// Each is a field that is counted by its values.
constexpr std::size_t most_name_lists = 64;

}  // namespace

std::optional<codec::Bitmap> PostingCache::find(const KeyRange& range, std::uint64_t commit) {
  const std::lock_guard lock(mutex_);
  ++questions_;
  if (commit > commit_) return std::nullopt;  // what that commit changed is not noted yet
  const auto found = by_range_.find(range);
  if (found == by_range_.end()) return std::nullopt;
  const Entry& entry = *found->second;
  if (commit < entry.from || commit >= entry.until) return std::nullopt;
  entries_.splice(entries_.begin(), entries_, found->second);
  ++hits_;
  return entry.ids;
}

void PostingCache::insert(const KeyRange& range, Extent extent, std::uint64_t commit,
                          const codec::Bitmap& ids) {
  const std::size_t bytes =
      ids.memory_bytes() + range.first.size() + range.last.size() + entry_overhead;
  const std::lock_guard lock(mutex_);
  // A reader of an older commit must not speak for the present one, and a single set must not push
  // out everything else.
  if (commit != commit_ || bytes > budget_bytes_ / 4) return;
  // One entry a range: the new interval takes the place of the old one, whose snapshots scan again.
  if (const auto old = by_range_.find(range); old != by_range_.end()) erase(old->second);
  entries_.push_front({range, ids, commit, open_end, bytes});
  const auto entry = entries_.begin();
  by_range_.emplace(range, entry);
  if (extent == Extent::one_posting)
    // Keys point into the list's node, which stays in its place until it is erased.
    open_postings_.emplace(entry->range.first, entry);
  else
    open_ranges_.emplace(entry->range.first, entry);
  bytes_ += bytes;
  while (bytes_ > budget_bytes_ && !entries_.empty()) erase(std::prev(entries_.end()));
}

void PostingCache::advance(std::uint64_t commit, std::span<const std::string_view> changed) {
  // They have locks of their own, taken before this one and not within it.
  columns_.advance(commit, changed);
  orders_.advance(commit, changed);
  const std::lock_guard lock(mutex_);
  close_names(commit, changed);
  if (!entries_.empty()) {
    for (const std::string_view name : changed) {
      const auto found = open_postings_.find(name);
      if (found != open_postings_.end()) close(found->second, commit);
    }
    close_ranges(commit, changed);
  }
  commit_ = commit;  // last: where memory ends before, readers of the commit find nothing
}

void PostingCache::close_ranges(std::uint64_t commit, std::span<const std::string_view> changed) {
  std::vector<Entries::iterator> hit;
  for (const auto& [first, entry] : open_ranges_) {
    const auto name = std::lower_bound(changed.begin(), changed.end(), first);
    // Collected first: close() takes them out of the map that is walked.
    if (name != changed.end() && entry->range.contains(*name)) hit.push_back(entry);
  }
  for (const auto& entry : hit) close(entry, commit);
}

void PostingCache::close(Entries::iterator entry, std::uint64_t commit) {
  entry->until = commit;
  // A wider range may start with the same key as a posting.
  const auto posting = open_postings_.find(entry->range.first);
  if (posting != open_postings_.end() && posting->second == entry) open_postings_.erase(posting);
  const auto [begin, end] = open_ranges_.equal_range(entry->range.first);
  for (auto at = begin; at != end; ++at) {
    if (at->second != entry) continue;
    open_ranges_.erase(at);
    break;
  }
}

void PostingCache::erase(Entries::iterator entry) {
  // Out of the lists of open entries; the interval does not matter any more.
  if (entry->until == open_end) close(entry, 0);
  bytes_ -= entry->bytes;
  by_range_.erase(entry->range);
  entries_.erase(entry);
}

PostingCache::Names PostingCache::find_names(const KeyRange& range, std::uint64_t commit) {
  const std::lock_guard lock(mutex_);
  if (commit > commit_) return nullptr;
  const auto found = std::ranges::find(names_, range, &NamesEntry::range);
  if (found == names_.end() || commit < found->from || commit >= found->until) return nullptr;
  names_.splice(names_.begin(), names_, found);
  return found->names;
}

void PostingCache::insert_names(const KeyRange& range, std::uint64_t commit,
                                std::vector<std::string> names) {
  std::size_t bytes = entry_overhead;
  for (const std::string& name : names) bytes += name.capacity() + name_overhead;
  const std::lock_guard lock(mutex_);
  if (commit != commit_ || bytes > budget_bytes_ / 4) return;
  const auto old = std::ranges::find(names_, range, &NamesEntry::range);
  if (old != names_.end()) erase_names(old);
  names_.push_front({range, std::make_shared<const std::vector<std::string>>(std::move(names)),
                     commit, open_end, bytes});
  bytes_ += bytes;
  if (names_.size() > most_name_lists) erase_names(std::prev(names_.end()));
  // Postings make room: without the names none of them would be found again.
  while (bytes_ > budget_bytes_ && !entries_.empty()) erase(std::prev(entries_.end()));
}

void PostingCache::close_names(std::uint64_t commit, std::span<const std::string_view> changed) {
  for (NamesEntry& entry : names_) {
    if (entry.until != open_end) continue;
    auto name = std::lower_bound(changed.begin(), changed.end(), entry.range.first);
    for (; name != changed.end() && entry.range.contains(*name); ++name) {
      // A known name whose ids changed leaves the list of names true.
      if (std::ranges::binary_search(*entry.names, *name)) continue;
      entry.until = commit;
      break;
    }
  }
}

void PostingCache::erase_names(std::list<NamesEntry>::iterator entry) {
  bytes_ -= entry->bytes;
  names_.erase(entry);
}

std::size_t PostingCache::memory_bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_ + columns_.memory_bytes() + orders_.memory_bytes();
}

std::uint64_t PostingCache::hits() const {
  const std::lock_guard lock(mutex_);
  return hits_;
}

std::uint64_t PostingCache::misses() const {
  const std::lock_guard lock(mutex_);
  return questions_ - hits_;
}

}  // namespace cairn::engine
