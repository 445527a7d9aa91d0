#pragma once
// TermPostings: all postings of one term in one field, decoded block by block on demand.
// TermCursor: iterates over them by ascending id.

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

/// Immutable except for caches. Threads: any number of readers; each block is decoded once for all
/// of them.
class TermPostings : public std::enable_shared_from_this<TermPostings> {
 public:
  /// Up to 128 postings.
  struct Block {
    std::uint64_t base = 0;  ///< first id of its chunk, to be added to the ids of the block
    std::uint64_t last = 0;  ///< greatest id
    codec::TextBlock block;  ///< refers to the chunks' bytes
  };
  using Chunks = std::map<std::uint64_t, std::string>;  ///< encoded, by the chunk's number

  /// Reads the headers of all blocks. Errors: corruption.
  [[nodiscard]] static Result<std::shared_ptr<const TermPostings>> make(Chunks chunks);
  ~TermPostings();
  TermPostings(const TermPostings&) = delete;
  TermPostings& operator=(const TermPostings&) = delete;

  [[nodiscard]] const std::vector<Block>& blocks() const noexcept { return blocks_; }
  /// Number of documents with the term.
  [[nodiscard]] std::uint64_t documents() const noexcept { return documents_; }
  /// The entries of block `i`, which is never empty; nullptr if it is damaged.
  using Entries = std::vector<codec::TextEntry>;
  [[nodiscard]] const Entries* entries(std::size_t i) const {
    const Entries* known = decoded_[i].load(std::memory_order_acquire);
    return known != nullptr ? known : decode(i);
  }
  /// The number of documents that belong to these namespaces, whose entities are `members`. Cached
  /// as long as the postings are in memory, because a document never changes its namespace. Errors:
  /// corruption.
  [[nodiscard]] Result<std::uint64_t> count_among(std::span<const std::uint32_t> name_spaces,
                                                  const codec::Bitmap& members) const;
  /// Memory if every block were decoded.
  [[nodiscard]] std::size_t most_memory_bytes() const noexcept { return most_memory_bytes_; }

 private:
  TermPostings() = default;
  [[nodiscard]] Status add_chunk(std::uint64_t chunk, std::string_view bytes);
  [[nodiscard]] const Entries* decode(std::size_t i) const;

  Chunks chunks_;
  std::vector<Block> blocks_;
  std::uint64_t documents_ = 0;
  std::size_t most_memory_bytes_ = 0;
  mutable std::unique_ptr<std::atomic<const Entries*>[]> decoded_;  ///< by block; set once

  /// A cached result of count_among().
  struct Count {
    std::vector<std::uint32_t> name_spaces;
    std::uint64_t documents = 0;
  };
  mutable std::mutex counts_mutex_;  // guards counts_; no other lock is taken meanwhile
  mutable std::vector<Count> counts_;
};
using TermPostingsPtr = std::shared_ptr<const TermPostings>;  // owners: the cache and searches

/// Iterates over the postings of a term by ascending id. Decodes only blocks in which it stops.
class TermCursor {
 public:
  static constexpr std::uint64_t end = std::numeric_limits<std::uint64_t>::max();

  explicit TermCursor(TermPostingsPtr postings) : postings_(std::move(postings)) { load(); }

  /// The current document, or `end`.
  [[nodiscard]] std::uint64_t id() const noexcept { return id_; }
  [[nodiscard]] std::uint32_t frequency() const noexcept { return entry_->frequency; }
  [[nodiscard]] std::uint32_t length() const noexcept { return entry_->length; }
  /// Owned by this cursor and others.
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
  /// Moves to the first document with an id of at least `id`. Never moves backwards.
  void advance(std::uint64_t id) {
    if (id_ < id) advance_further(id);
  }
  /// The block that would contain `id`, without decoding it; nullptr if `id` is after the last
  /// block. Ids must ascend from call to call.
  [[nodiscard]] const TermPostings::Block* block_of(std::uint64_t id);
  /// True if a block could not be decoded. The cursor is at the end then.
  [[nodiscard]] bool is_damaged() const noexcept { return damaged_; }

 private:
  // Loads the current block and moves to its first entry.
  void load();
  void advance_further(std::uint64_t id);

  TermPostingsPtr postings_;
  const codec::TextEntry* entry_ = nullptr;  // in a block that the postings own
  const codec::TextEntry* entries_end_ = nullptr;
  std::uint64_t base_ = 0;
  std::uint64_t id_ = 0;
  std::size_t block_ = 0;    // the current block
  std::size_t shallow_ = 0;  // the last result of block_of()
  bool damaged_ = false;
};

}  // namespace cairn::engine
