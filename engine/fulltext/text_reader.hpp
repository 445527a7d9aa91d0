#pragma once
// TextReader: the postings and terms of one full-text index as of one snapshot, a transaction's own
// changes laid over them.

#include "codec/text_posting.hpp"
#include "engine/fulltext/text_changes.hpp"
#include "engine/store/rocks_store.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::engine {

/// All postings of one term in one field. Its blocks point into its chunks.
struct TermPostings {
  struct Block {
    std::uint64_t base = 0;  ///< of the chunk: what is added to the numbers of the block
    std::uint64_t last = 0;  ///< id
    codec::TextBlock block;
  };
  std::vector<std::unique_ptr<std::string>> chunks;  // each keeps its place when more are added
  std::vector<Block> blocks;
  std::uint64_t documents = 0;
};
using TermPostingsPtr = std::shared_ptr<const TermPostings>;  // owners: whoever searches

/// What a reader reads; `own` may be null. All must outlive it.
struct TextSources {
  std::uint32_t id = 0;
  const codec::IndexEntry& index;
  const RocksStore& store;
  const StoreSnapshot& snapshot;
  codec::TextStatistics statistics;  ///< with the transaction's own changes
  const TextChanges* own = nullptr;
};

class TextReader {
 public:
  explicit TextReader(const TextSources& sources) : sources_(sources) {}

  [[nodiscard]] const TextSources& sources() const noexcept { return sources_; }
  /// Of a term that nobody has: no blocks. Errors: corruption.
  [[nodiscard]] Result<TermPostingsPtr> postings(std::uint8_t field, std::string_view term) const;
  /// All terms of a field that start with `beginning`, ascending, each once; some may have lost their
  /// last document. `visit` returns false to stop.
  [[nodiscard]] Status for_each_term(std::uint8_t field, std::string_view beginning,
                                     const std::function<bool(std::string_view)>& visit) const;

 private:
  TextSources sources_;
};

/// Walks the postings of a term by ascending id, decoding blocks only where it stops.
class TermCursor {
 public:
  static constexpr std::uint64_t end = std::numeric_limits<std::uint64_t>::max();

  explicit TermCursor(TermPostingsPtr postings) : postings_(std::move(postings)) {
    if (postings_->blocks.empty())
      id_ = end;
    else
      load();
  }

  /// The document it stands on, or `end`.
  [[nodiscard]] std::uint64_t id() const noexcept { return id_; }
  [[nodiscard]] std::uint32_t frequency() const noexcept { return entries_[entry_].frequency; }
  [[nodiscard]] std::uint32_t length() const noexcept { return entries_[entry_].length; }
  /// To the next document.
  void next();
  /// To the first document from `id` on; never back.
  void advance(std::uint64_t id);
  /// The block in which `id` would be, without decoding it; null behind the last one.
  [[nodiscard]] const TermPostings::Block* block_of(std::uint64_t id);
  /// True where a block could not be decoded; the cursor is at the end then.
  [[nodiscard]] bool is_damaged() const noexcept { return damaged_; }

 private:
  void load();
  void stand();

  TermPostingsPtr postings_;
  std::vector<codec::TextEntry> entries_;
  std::size_t block_ = 0;    // that is decoded
  std::size_t shallow_ = 0;  // that block_of() found last
  std::size_t entry_ = 0;
  std::uint64_t id_ = 0;
  bool damaged_ = false;
};

}  // namespace cairn::engine
