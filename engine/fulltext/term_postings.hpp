#pragma once
// TermPostings: all postings of one term in one field, decoded block by block where someone looks;
// TermCursor walks them.

#include "codec/bitmap.hpp"
#include "codec/text_posting.hpp"

#include <cairn/result.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace cairn::engine {

/// Threads: any number of readers; a block is decoded once and cached for all of them.
class TermPostings : public std::enable_shared_from_this<TermPostings> {
 public:
  struct Block {
    std::uint64_t base = 0;  ///< of the chunk: what is added to the numbers of the block
    std::uint64_t last = 0;  ///< id
    codec::TextBlock block;  ///< points into the chunks
  };
  using Chunks = std::map<std::uint64_t, std::string>;  ///< encoded, by number

  /// Errors: corruption.
  [[nodiscard]] static Result<std::shared_ptr<const TermPostings>> make(Chunks chunks);
  ~TermPostings();
  TermPostings(const TermPostings&) = delete;
  TermPostings& operator=(const TermPostings&) = delete;

  [[nodiscard]] const std::vector<Block>& blocks() const noexcept { return blocks_; }
  [[nodiscard]] std::uint64_t documents() const noexcept { return documents_; }
  /// The entries of block `i`, never empty; null if it is damaged.
  using Entries = std::vector<codec::TextEntry>;
  [[nodiscard]] const Entries* entries(std::size_t i) const {
    const Entries* known = decoded_[i].load(std::memory_order_acquire);
    return known != nullptr ? known : decode(i);
  }
  /// How many documents are of these namespaces, whose entities are `members`. Counted once for as long as the postings
  /// are in memory: a document stays in its namespace. Errors: corruption.
  [[nodiscard]] Result<std::uint64_t> count_among(std::span<const std::uint32_t> name_spaces,
                                                  const codec::Bitmap& members) const;
  /// The size with every block decoded.
  [[nodiscard]] std::size_t most_memory_bytes() const noexcept { return most_memory_bytes_; }

 private:
  TermPostings() = default;
  [[nodiscard]] Status add_chunk(std::uint64_t chunk, std::string_view bytes);
  [[nodiscard]] const Entries* decode(std::size_t i) const;

  Chunks chunks_;
  std::vector<Block> blocks_;
  std::uint64_t documents_ = 0;
  std::size_t most_memory_bytes_ = 0;
  mutable std::unique_ptr<std::atomic<const Entries*>[]> decoded_;

  struct Count {
    std::vector<std::uint32_t> name_spaces;
    std::uint64_t documents = 0;
  };
  mutable std::mutex counts_mutex_;  // guards what follows; taken alone
  mutable std::vector<Count> counts_;
};
using TermPostingsPtr = std::shared_ptr<const TermPostings>;  // owners: the cache and searches

/// Walks the postings of a term by ascending id, decoding blocks only where it stops.
class TermCursor {
 public:
  static constexpr std::uint64_t end = std::numeric_limits<std::uint64_t>::max();

  explicit TermCursor(TermPostingsPtr postings) : postings_(std::move(postings)) { load(); }

  /// The document it stands on, or `end`.
  [[nodiscard]] std::uint64_t id() const noexcept { return id_; }
  [[nodiscard]] std::uint32_t frequency() const noexcept { return entry_->frequency; }
  [[nodiscard]] std::uint32_t length() const noexcept { return entry_->length; }
  [[nodiscard]] const TermPostings& postings() const noexcept { return *postings_; }
  /// Moves to the next document.
  void next() {
    if (id_ == end) return;
    if (++entry_ != entries_end_) {
      id_ = base_ | entry_->low;
    } else {
      ++block_;
      load();
    }
  }
  /// Moves to the first document from `id` on; never back.
  void advance(std::uint64_t id) {
    if (id_ < id) advance_further(id);
  }
  /// The block in which `id` would be, without decoding it; null behind the last one. Ids must ascend.
  [[nodiscard]] const TermPostings::Block* block_of(std::uint64_t id);
  /// True where a block could not be decoded; the cursor is at the end then.
  [[nodiscard]] bool is_damaged() const noexcept { return damaged_; }

 private:
  void load();
  void advance_further(std::uint64_t id);

  TermPostingsPtr postings_;
  const codec::TextEntry* entry_ = nullptr;  // in a block that the postings keep
  const codec::TextEntry* entries_end_ = nullptr;
  std::uint64_t base_ = 0;
  std::uint64_t id_ = 0;
  std::size_t block_ = 0;    // that it is in
  std::size_t shallow_ = 0;  // that block_of() found last
  bool damaged_ = false;
};

}  // namespace cairn::engine
