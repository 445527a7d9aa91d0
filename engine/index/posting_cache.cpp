// An LRU cache of bitmaps of postings and ranges. Each entry is valid for an interval of commits, and holds a version for
// each commit in it that changed it (versioned_ids.hpp):
//
//   commit        ..7   8   9   10   11..
//   entry A           [from 8 ........... open
//   entry B           [8 ..... 9' ...10'. open     commits 9 and 10 changed it, and it followed them
//   entry C           [8 ..... 10)                 commit 10 changed it, and it did not follow
//
// - insert() accepts only results of readers of the newest noted commit, and opens their interval.
// - advance(c) runs after c was published. Entries that c changed follow c, or their interval ends.
//   The interval ends if nobody has read the entry for many commits, if c changed thousands of its
//   ids, or if c removed an id from a posting of a range: another posting of the range may still
//   have the id. A reader of c that runs before advance(c) has commit > commit_ and misses, so it
//   never sees a set from before c.
// - So no lock is needed around publishing and following.
//
// One mutex protects everything. It is held for map operations and while entries follow, never while the store is read.
// Results of find() share the containers of cached bitmaps. Open entries are indexed by name, so a
// commit looks up each posting that it changed; the few ranges are checked one by one.
#include "engine/index/posting_cache.hpp"

#include <algorithm>
#include <iterator>
#include <new>
#include <utility>

namespace cairn::engine {
namespace {

constexpr std::size_t entry_overhead = 256;
constexpr std::size_t name_overhead = 48;
// Each list has the values of a property that queries count by.
constexpr std::size_t most_name_lists = 64;
// A longer list of names is not copied to add a name.
constexpr std::size_t most_followed_names = 1'024;
// Following a commit takes about a microsecond, and more if it changed many ids; reading a posting
// again takes some hundred microseconds. So at most about twice the cost of the cheaper strategy is
// spent on an entry, whether it is read again or not.
constexpr std::size_t most_unread = 256;
constexpr std::size_t ids_like_a_commit = 32;
// A commit that changes more postings of a range ends its interval.
constexpr std::size_t most_changed_in_range = 1'024;

/// The ids that a commit added to a set and removed from it, ascending.
struct ChangedIds {
  std::vector<std::uint64_t> added;
  std::vector<std::uint64_t> removed;
};

using Change = PostingWriteSet::Change;

/// Removes all but the last change of each id from changes that ascend by id.
void keep_last(std::vector<Change>& changes) {
  const auto rest = std::unique(changes.rbegin(), changes.rend(),
                                [](const Change& a, const Change& b) { return a.id == b.id; });
  changes.erase(changes.begin(), rest.base());
}

/// Within a posting, the last change of an id counts. If several postings changed an id, an
/// addition counts, as a range has the ids of all its postings.
ChangedIds changed_ids(ChangedPostings postings) {
  std::vector<Change> all;
  for (const PostingWriteSet::Posting* posting : postings) {
    std::vector<Change> own(posting->changes().begin(), posting->changes().end());
    std::ranges::stable_sort(own, {}, &Change::id);
    keep_last(own);
    all.insert(all.end(), own.begin(), own.end());
  }
  std::ranges::sort(all, {}, [](const Change& one) { return std::pair(one.id, one.added); });
  keep_last(all);
  ChangedIds ids;
  for (const Change& one : all) (one.added ? ids.added : ids.removed).push_back(one.id);
  return ids;
}

}  // namespace

std::optional<codec::Bitmap> PostingCache::find(const KeyRange& range, std::uint64_t commit) {
  const std::lock_guard lock(mutex_);
  ++questions_;
  // advance() has not recorded yet what this commit changed.
  if (commit > commit_) return std::nullopt;
  const auto found = by_range_.find(range);
  if (found == by_range_.end()) return std::nullopt;
  Entry& entry = *found->second;
  if (commit >= entry.until) return std::nullopt;
  auto ids = entry.ids.at(commit);
  if (!ids) return std::nullopt;
  entry.unread = 0;
  entries_.splice(entries_.begin(), entries_, found->second);
  ++hits_;
  return ids;
}

void PostingCache::insert(const KeyRange& range, Extent extent, std::uint64_t commit,
                          const codec::Bitmap& ids) {
  const std::size_t bytes =
      ids.memory_bytes() + range.first.size() + range.last.size() + entry_overhead;
  const std::lock_guard lock(mutex_);
  // A result of an older commit may be outdated, and one large set must not evict everything else.
  if (commit != commit_ || bytes > budget_bytes_ / 4) return;
  // A range has one entry. The new interval replaces the old one, so older snapshots must scan
  // again.
  if (const auto old = by_range_.find(range); old != by_range_.end()) erase(old->second);
  entries_.push_front({range, extent, VersionedIds(ids, commit), open_end, bytes, 0});
  const auto entry = entries_.begin();
  by_range_.emplace(range, entry);
  if (extent == Extent::one_posting)
    // The keys refer to the list's node, which stays at its address until it is erased.
    open_postings_.emplace(entry->range.first, entry);
  else
    open_ranges_.emplace(entry->range.first, entry);
  bytes_ += bytes;
  evict();
}

void PostingCache::evict() {
  while (bytes_ > budget_bytes_ && !entries_.empty()) erase(std::prev(entries_.end()));
}

void PostingCache::advance(std::uint64_t commit, ChangedPostings changed) {
  // The columns have locks of their own, which are not taken while this lock is held.
  columns_.advance(commit, changed);
  orders_.advance(commit, changed);
  const std::lock_guard lock(mutex_);
  // The commit is published, so it must not fail any more.
  try {
    follow_names(commit, changed);
    follow_postings(commit, changed);
    follow_ranges(commit, changed);
  } catch (const std::bad_alloc&) {
    forget_all();
  }
  evict();
  commit_ = commit;
}

void PostingCache::forget_all() {
  open_postings_.clear();
  open_ranges_.clear();
  by_range_.clear();
  entries_.clear();
  names_.clear();
  bytes_ = 0;
}

// An entry that cannot follow the commit stays valid for older readers, up to this commit.
void PostingCache::follow_postings(std::uint64_t commit, ChangedPostings changed) {
  if (open_postings_.empty()) return;
  for (std::size_t i = 0; i < changed.size(); ++i) {
    const auto found = open_postings_.find(changed[i]->name());
    if (found == open_postings_.end()) continue;
    const auto entry = found->second;
    if (!follow(*entry, commit, changed.subspan(i, 1))) close(entry, commit);
  }
}

void PostingCache::follow_ranges(std::uint64_t commit, ChangedPostings changed) {
  std::vector<Entries::iterator> left_behind;
  for (const auto& [first, entry] : open_ranges_) {
    const ChangedPostings own = postings_in(entry->range, changed);
    // Collects entries first, because close() removes them from the map that is iterated.
    if (!own.empty() && !follow(*entry, commit, own)) left_behind.push_back(entry);
  }
  for (const auto& entry : left_behind) close(entry, commit);
}

bool PostingCache::follow(Entry& entry, std::uint64_t commit, ChangedPostings changed) {
  if (changed.size() > most_changed_in_range) return false;
  std::size_t changes = 0;
  for (const PostingWriteSet::Posting* posting : changed) changes += posting->changes().size();
  entry.unread += 1 + changes / ids_like_a_commit;
  if (entry.unread > most_unread) return false;
  const ChangedIds ids = changed_ids(changed);
  const auto is_member = [&](std::uint64_t id) { return entry.ids.newest().contains(id); };
  if (entry.extent == Extent::many_postings && std::ranges::any_of(ids.removed, is_member))
    return false;
  const std::size_t before = entry.ids.memory_bytes();
  entry.ids.follow(commit, ids.added, ids.removed);
  entry.bytes += entry.ids.memory_bytes() - before;
  bytes_ += entry.ids.memory_bytes() - before;
  return true;
}

void PostingCache::close(Entries::iterator entry, std::uint64_t commit) {
  entry->until = commit;
  // A range may begin with the same key as a posting.
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
  // Closing removes the entry from the maps of open entries; its interval no longer matters.
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
  // Evicts postings, not names: without the names no posting would be found again.
  evict();
}

// A list may have names of postings that are empty as of an older commit, so lists need no
// versions.
void PostingCache::follow_names(std::uint64_t commit, ChangedPostings changed) {
  for (NamesEntry& entry : names_) {
    if (entry.until != open_end) continue;
    std::vector<std::string> added;
    const auto is_long = [&] { return entry.names->size() + added.size() > most_followed_names; };
    for (const PostingWriteSet::Posting* posting : postings_in(entry.range, changed)) {
      // If only the ids of a known name changed, the list of names stays valid.
      if (std::ranges::binary_search(*entry.names, posting->name())) continue;
      added.emplace_back(posting->name());
      if (is_long()) break;
    }
    if (added.empty()) continue;
    if (is_long()) {
      entry.until = commit;
      continue;
    }
    std::size_t bytes = 0;
    for (const std::string& one : added) bytes += one.capacity() + name_overhead;
    std::vector<std::string> names(entry.names->begin(), entry.names->end());
    names.insert(names.end(), std::make_move_iterator(added.begin()),
                 std::make_move_iterator(added.end()));
    std::ranges::sort(names);
    entry.names = std::make_shared<const std::vector<std::string>>(std::move(names));
    entry.bytes += bytes;
    bytes_ += bytes;
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
