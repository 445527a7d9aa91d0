#pragma once
// TextCache: a cache of the postings of recently used terms, for readers of the newest commit.

#include "engine/fulltext/term_postings.hpp"

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

namespace cairn::engine {

/// An entry is valid for readers from its commit on, until a commit that changes the term drops it.
/// Only readers of the latest changes add entries: postings of an older snapshot would be useless
/// to other readers. Threads: any.
class TextCache {
 public:
  explicit TextCache(std::size_t budget_bytes) : budget_bytes_(budget_bytes) {}

  /// The postings of a term as of `commit`, or nullptr. `name` is codec::text_term_prefix.
  [[nodiscard]] TermPostingsPtr find(std::string_view name, std::uint64_t commit);
  /// Adds postings that a reader of `commit` has read.
  void insert(std::string_view name, std::uint64_t commit, const TermPostingsPtr& postings);
  /// Drops the terms that `commit` changes. To be called before it is published. `for_each_name`
  /// calls its argument with the name of each such term; it is not called if the cache is empty.
  template <class ForEachName>
  void drop(std::uint64_t commit, const ForEachName& for_each_name) {
    const std::lock_guard lock(mutex_);
    changed_ = commit;
    if (!entries_.empty()) for_each_name([this](std::string_view name) { drop_one(name); });
  }
  /// Drops all terms, because `commit`, which is not published yet, changes whole indexes.
  void drop_all(std::uint64_t commit);
  /// To be called if `commit` failed after drop(): readers of the commit before may add entries
  /// again.
  void withdraw(std::uint64_t commit);

  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  struct Entry {
    std::string name;
    /// The commit from which on the entry is valid.
    std::uint64_t from = 0;
    TermPostingsPtr postings;
  };
  using Entries = std::list<Entry>;

  void drop_one(std::string_view name);
  void erase(Entries::iterator entry);
  [[nodiscard]] static std::size_t bytes_of(const Entry& entry);

  mutable std::mutex mutex_;  // guards the members below; no other lock is taken meanwhile
  Entries entries_;           // most recently used first
  std::unordered_map<std::string_view, Entries::iterator> by_name_;
  // The latest commit that changed any term.
  std::uint64_t changed_ = 0;
  std::size_t bytes_ = 0;
  std::size_t budget_bytes_;
};

}  // namespace cairn::engine
