#pragma once
// PostingWriteSet: a transaction's changes of postings, so that it finds its own writes through the
// indexes. The changes are relative to the commit from which the transaction began.

#include "codec/bitmap.hpp"
#include "engine/store/cursor.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::engine {

/// Memory for many names. It is allocated in blocks, so a transaction with one name takes 1 KiB.
class NameArena {
 public:
  /// Copies a name to an address that is valid as long as the arena.
  std::string_view keep(std::string_view name) {
    if (name.size() > free_) add_block(name.size());
    char* const at = blocks_.back().get() + used_;
    std::memcpy(at, name.data(), name.size());
    used_ += name.size();
    free_ -= name.size();
    return {at, name.size()};
  }

 private:
  static constexpr std::size_t least_block = 1'024;
  static constexpr std::size_t largest_block = 65'536;

  /// Each block is twice as large as the one before, so that memory follows use.
  void add_block(std::size_t bytes) {
    next_block_ = std::min(largest_block, blocks_.empty() ? least_block : 2 * next_block_);
    free_ = std::max(bytes, next_block_);
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(free_));
    used_ = 0;
  }

  std::vector<std::unique_ptr<char[]>> blocks_;
  std::size_t next_block_ = 0;
  std::size_t used_ = 0;  // used bytes of the last block
  std::size_t free_ = 0;  // free bytes of the last block
};

/// The changes of one transaction. Threads: one.
class PostingWriteSet {
 public:
  /// An id that was added to a posting or removed from it.
  struct Change {
    std::uint64_t id = 0;
    bool added = false;
  };

  /// The changes of one posting in the order in which they were made. For each id the last change
  /// counts.
  class Posting {
   public:
    Posting(std::string_view name, Change first) : name_(name), first_(first) {}

    /// Valid as long as the write set.
    [[nodiscard]] std::string_view name() const noexcept { return name_; }
    [[nodiscard]] std::span<const Change> changes() const noexcept {
      return all_.empty() ? std::span(&first_, 1) : std::span(all_);
    }

   private:
    friend class PostingWriteSet;
    /// The committed posting with the first `applied` changes.
    struct Merged {
      codec::Bitmap ids;
      std::size_t applied = 0;
    };

    std::string_view name_;
    // Most postings of a bulk load have one change and need no list.
    Change first_;
    std::vector<Change> all_;  // empty, or all changes if there are several
    std::unique_ptr<Merged> merged_;
  };

  /// Records a change. Cost: one hash lookup; nothing is sorted or merged before it is read.
  void change(std::string_view posting, Change change);
  [[nodiscard]] bool empty() const noexcept { return postings_.empty(); }
  /// All changed postings in the order of their first changes. Valid until the next change.
  [[nodiscard]] const std::vector<Posting>& postings() const noexcept { return postings_; }
  /// All changed postings by ascending name.
  [[nodiscard]] std::vector<const Posting*> by_name() const;
  /// The changes of a posting, or nullptr if the transaction did not change it.
  [[nodiscard]] const Posting* find(std::string_view posting) const;
  [[nodiscard]] bool contains(std::string_view posting) const { return find(posting) != nullptr; }

  /// The posting as the transaction sees it. `committed` returns the committed posting and is
  /// called at most once for each posting.
  template <class Committed>
  [[nodiscard]] auto merged(std::string_view posting, Committed&& committed)
      -> decltype(committed());

  /// The names of changed postings in a range of keys. Valid as long as the write set.
  [[nodiscard]] std::vector<std::string_view> changed_in(const KeyRange& range);
  [[nodiscard]] std::size_t memory_bytes() const noexcept { return memory_bytes_; }

 private:
  /// Applies the changes that `merged_` does not contain yet.
  static void catch_up(Posting& posting);
  /// The index in `slots_` of a posting, or of the free slot for it.
  [[nodiscard]] std::size_t slot_of(std::string_view posting, std::uint32_t hash) const;
  void grow();

  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t number = 0;  // number of the posting, from 1; 0 if the slot is free
  };

  NameArena names_;
  std::vector<Posting> postings_;
  std::vector<Slot> slots_;  // a power of two, at most half of them used
  // Sorted names for changed_in(), without the names of the latest postings.
  std::vector<std::string_view> sorted_;
  std::size_t memory_bytes_ = 0;
};

/// Postings that a commit changed, by ascending name.
using ChangedPostings = std::span<const PostingWriteSet::Posting* const>;
/// The changed postings in a range of keys. Cost: two binary searches.
[[nodiscard]] ChangedPostings postings_in(const KeyRange& range, ChangedPostings changed);

template <class Committed>
auto PostingWriteSet::merged(std::string_view posting, Committed&& committed)
    -> decltype(committed()) {
  auto* const found = const_cast<Posting*>(find(posting));
  if (found == nullptr) return committed();
  if (found->merged_ == nullptr) {
    auto below = committed();
    if (!below) return below;
    found->merged_ = std::make_unique<Posting::Merged>(Posting::Merged{std::move(*below), 0});
  }
  catch_up(*found);
  return found->merged_->ids;
}

}  // namespace cairn::engine
