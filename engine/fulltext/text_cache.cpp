// An LRU cache limited by bytes. It is simpler than the posting cache on purpose. An entry is valid
// from a commit on, and a commit drops the terms that it changes before it is published. Readers of
// older snapshots neither find newer entries nor add their own; they read the store, which is
// correct but slow. Snapshots that are held long are rare.
#include "engine/fulltext/text_cache.hpp"

namespace cairn::engine {

TermPostingsPtr TextCache::find(std::string_view name, std::uint64_t commit) {
  const std::lock_guard lock(mutex_);
  const auto found = by_name_.find(name);
  if (found == by_name_.end() || found->second->from > commit) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return found->second->postings;
}

void TextCache::insert(std::string_view name, std::uint64_t commit,
                       const TermPostingsPtr& postings) {
  const std::lock_guard lock(mutex_);
  // A reader of an older commit may have missed changes. If two readers read the same term, the
  // first entry stays.
  if (commit < changed_ || by_name_.contains(name)) return;
  entries_.push_front({std::string(name), commit, postings});
  by_name_.emplace(entries_.front().name, entries_.begin());
  bytes_ += bytes_of(entries_.front());
  while (bytes_ > budget_bytes_) erase(std::prev(entries_.end()));
}

void TextCache::drop_all(std::uint64_t commit) {
  const std::lock_guard lock(mutex_);
  changed_ = commit;
  by_name_.clear();
  entries_.clear();
  bytes_ = 0;
}

// Readers of the commit before may add terms again. The dropped terms are not restored: readers
// read them from the store again.
void TextCache::withdraw(std::uint64_t commit) {
  const std::lock_guard lock(mutex_);
  if (changed_ == commit) changed_ = commit - 1;
}

std::size_t TextCache::memory_bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

void TextCache::drop_one(std::string_view name) {
  const auto found = by_name_.find(name);
  if (found != by_name_.end()) erase(found->second);
}

void TextCache::erase(Entries::iterator entry) {
  bytes_ -= bytes_of(*entry);
  by_name_.erase(entry->name);
  entries_.erase(entry);
}

std::size_t TextCache::bytes_of(const Entry& entry) {
  return sizeof(Entry) + 64 + entry.name.size() + entry.postings->most_memory_bytes();
}

}  // namespace cairn::engine
