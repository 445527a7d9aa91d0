#pragma once
// TextReader: the postings and terms of one full-text index as of one snapshot, merged with the
// changes still in the log, a transaction's own last.

#include "codec/bitmap.hpp"
#include "codec/catalog_entry.hpp"
#include "codec/text_posting.hpp"
#include "engine/fulltext/term_postings.hpp"
#include "engine/fulltext/text_cache.hpp"
#include "engine/fulltext/text_memory_segment.hpp"
#include "engine/store/rocks_store.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace cairn::engine {

/// The sources of a reader, which they must outlive; `cache` may be null.
struct TextSources {
  std::uint32_t id = 0;
  const codec::IndexEntry& index;
  const RocksStore& store;
  const StoreSnapshot& snapshot;
  codec::TextStatistics statistics;       ///< with the transaction's own changes
  std::span<const TextSegmentPtr> log{};  ///< to be laid over the store, the oldest first
  bool has_own = false;                   ///< the last of the log is the transaction's own
  TextCache* cache = nullptr;
  std::uint64_t commit = 0;  ///< of the snapshot
  /// The documents that count for how rare a term is; null: all. They are those of `name_spaces`.
  const codec::Bitmap* members = nullptr;
  std::span<const std::uint32_t> name_spaces{};
};

class TextReader {
 public:
  explicit TextReader(const TextSources& sources) : sources_(sources) {}

  [[nodiscard]] const TextSources& sources() const noexcept { return sources_; }
  /// The postings of a term; without blocks if no document has it. Errors: corruption.
  [[nodiscard]] Result<TermPostingsPtr> postings(std::uint8_t field, std::string_view term) const;
  /// How many documents have a term, of those that count. Errors: corruption. Cost: where not all count, a walk over
  /// those that do and have it, once for each change of the term.
  [[nodiscard]] Result<std::uint64_t> documents(const TermPostings& postings) const;
  /// All terms of a field that start with `beginning`, ascending, each once; some may have lost their
  /// last document. `visit` returns false to stop.
  [[nodiscard]] Status for_each_term(std::uint8_t field, std::string_view beginning,
                                     const std::function<bool(std::string_view)>& visit) const;

 private:
  /// Whether the transaction itself changes the term.
  [[nodiscard]] bool is_own(std::string_view name) const;
  [[nodiscard]] Result<TermPostingsPtr> read(std::string_view name) const;

  TextSources sources_;
};

}  // namespace cairn::engine
