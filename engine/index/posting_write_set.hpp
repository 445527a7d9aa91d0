#pragma once
// PostingWriteSet: what one transaction changed in the postings, so that it finds its own writes
// through the indexes too. It lies over what was committed when the transaction began.

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

/// Cost: an allocation for many names; a transaction of one name takes a kibibyte.
class NameArena {
 public:
  /// A copy that stays where it is while the arena lives.
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

  /// Each twice the one before, so that what is asked for follows what is used.
  void add_block(std::size_t bytes) {
    next_block_ = std::min(largest_block, blocks_.empty() ? least_block : 2 * next_block_);
    free_ = std::max(bytes, next_block_);
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(free_));
    used_ = 0;
  }

  std::vector<std::unique_ptr<char[]>> blocks_;
  std::size_t next_block_ = 0;
  std::size_t used_ = 0;  // of the last block
  std::size_t free_ = 0;
};

class PostingWriteSet {
 public:
  struct Change {
    std::uint64_t id = 0;
    bool added = false;
  };

  /// One posting's changes in the order they were made; of one id the last counts.
  class Posting {
   public:
    Posting(std::string_view name, Change first) : name_(name), first_(first) {}

    /// Lives as long as the write_set.
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
    Change first_;             // most postings of a load have one change, and need no list
    std::vector<Change> all_;  // from the second change on
    std::unique_ptr<Merged> merged_;
  };

  /// Cost: one hash lookup; nothing is sorted or merged before it is asked for.
  void change(std::string_view posting, Change change);
  [[nodiscard]] bool empty() const noexcept { return postings_.empty(); }
  /// In the order of their first changes; valid until the next change.
  [[nodiscard]] const std::vector<Posting>& postings() const noexcept { return postings_; }
  /// The same by ascending name.
  [[nodiscard]] std::vector<const Posting*> by_name() const;
  /// Null where the transaction did not change it.
  [[nodiscard]] const Posting* find(std::string_view posting) const;
  [[nodiscard]] bool contains(std::string_view posting) const { return find(posting) != nullptr; }

  /// The posting as the transaction sees it; `committed` gives what lies below and is asked once.
  template <class Committed>
  [[nodiscard]] auto merged(std::string_view posting, Committed&& committed)
      -> decltype(committed());

  /// Names of the changed postings in a range of keys; they live as long as the write_set.
  [[nodiscard]] std::vector<std::string_view> changed_in(const KeyRange& range);
  [[nodiscard]] std::size_t memory_bytes() const noexcept { return memory_bytes_; }

 private:
  /// Apply what `merged` does not have yet.
  static void catch_up(Posting& posting);
  /// Where the posting is in `slots_`, or the free slot where it would.
  [[nodiscard]] std::size_t slot_of(std::string_view posting, std::uint32_t hash) const;
  void grow();

  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t number = 0;  // of the posting, counted from 1; 0: nobody's
  };

  NameArena names_;
  std::vector<Posting> postings_;
  std::vector<Slot> slots_;  // a power of two, at most half of them taken
  std::vector<std::string_view>
      sorted_;  // names, for ranges; those of the last postings are missing
  std::size_t memory_bytes_ = 0;
};

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
