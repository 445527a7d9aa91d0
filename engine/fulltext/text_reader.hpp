#pragma once
// TextReader: reads postings and terms of one full-text index as of one snapshot. It merges the
// store with the write buffer, and with the changes of a transaction.

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

/// The inputs of a reader. Everything referenced must outlive it.
struct TextSources {
  /// Id of the index.
  std::uint32_t id = 0;
  const codec::IndexEntry& index;
  const RocksStore& store;
  const StoreSnapshot& snapshot;
  codec::TextStatistics statistics;       ///< with the transaction's own changes
  std::span<const TextSegmentPtr> log{};  ///< segments to merge with the store, oldest first
  /// True if the last segment of `log` contains the transaction's own changes.
  bool has_own = false;
  TextCache* cache = nullptr;  ///< may be nullptr
  std::uint64_t commit = 0;    ///< commit of the snapshot
  /// The documents that count for the frequency of a term, which are the documents of
  /// `name_spaces`. nullptr counts all.
  const codec::Bitmap* members = nullptr;
  std::span<const std::uint32_t> name_spaces{};
  /// The documents that have a text in one of these fields, which count from 1, hidden ones too. nullptr: none.
  using WithText = std::function<Result<codec::Bitmap>(std::span<const std::uint8_t> fields)>;
  const WithText* with_text = nullptr;
};

/// Threads: any number at once.
class TextReader {
 public:
  explicit TextReader(const TextSources& sources) : sources_(sources) {}

  [[nodiscard]] const TextSources& sources() const noexcept { return sources_; }
  /// The postings of a term. They have no blocks if no document has the term. Errors: corruption.
  [[nodiscard]] Result<TermPostingsPtr> postings(std::uint8_t field, std::string_view term) const;
  /// The number of counted documents that have a term. Errors: corruption. Cost: constant if all
  /// documents count; otherwise an iteration over counted documents with the term, cached until the
  /// term changes.
  [[nodiscard]] Result<std::uint64_t> documents(const TermPostings& postings) const;
  /// Visits the terms of a field that start with `beginning`, ascending, each once, until `visit`
  /// returns false. Some visited terms may have no documents any more.
  [[nodiscard]] Status for_each_term(std::uint8_t field, std::string_view beginning,
                                     const std::function<bool(std::string_view)>& visit) const;

 private:
  /// True if the transaction has changed the term.
  [[nodiscard]] bool is_own(std::string_view name) const;
  [[nodiscard]] Result<TermPostingsPtr> read(std::string_view name) const;

  TextSources sources_;
};

}  // namespace cairn::engine
