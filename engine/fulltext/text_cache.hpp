#pragma once
// TextCache: the postings of recently used terms, for readers of the newest commit.

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

/// An entry is valid from the commit of its reader on, until a commit that changes its term drops it.
/// Only readers of the last commit with changes add entries: those of an older snapshot would be
/// useless to other readers. Threads: all calls from any.
class TextCache {
 public:
  explicit TextCache(std::size_t budget_bytes) : budget_bytes_(budget_bytes) {}

  /// Postings by codec::text_term_prefix, as of a commit, or null.
  [[nodiscard]] TermPostingsPtr find(std::string_view name, std::uint64_t commit);
  /// Remember what a reader of `commit` found.
  void insert(std::string_view name, std::uint64_t commit, const TermPostingsPtr& postings);
  /// `commit`, which nobody reads yet, changes the terms whose names `for_each_name` calls its argument
  /// with. Cost: nothing is called if nothing is cached.
  template <class ForEachName>
  void drop(std::uint64_t commit, const ForEachName& for_each_name) {
    const std::lock_guard lock(mutex_);
    changed_ = commit;
    if (!entries_.empty()) for_each_name([this](std::string_view name) { drop_one(name); });
  }
  /// `commit`, which nobody reads yet, changes whole indexes.
  void drop_all(std::uint64_t commit);
  /// `commit` failed, and changed nothing.
  void withdraw(std::uint64_t commit);

  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  struct Entry {
    std::string name;
    std::uint64_t from = 0;
    TermPostingsPtr postings;
  };
  using Entries = std::list<Entry>;

  void drop_one(std::string_view name);
  void erase(Entries::iterator entry);
  [[nodiscard]] static std::size_t bytes_of(const Entry& entry);

  mutable std::mutex mutex_;  // guards everything below; taken last and alone
  Entries entries_;           // most recently used first
  std::unordered_map<std::string_view, Entries::iterator> by_name_;
  std::uint64_t changed_ = 0;  // the last commit that changed anything
  std::size_t bytes_ = 0;
  std::size_t budget_bytes_;
};

}  // namespace cairn::engine
