#pragma once
// TextChanges: what happens to one full-text index when documents change: postings that come and go,
// by term, and the statistics. A commit writes them, a transaction reads through them.

#include "codec/catalog_entry.hpp"
#include "codec/text_posting.hpp"
#include "engine/fulltext/text_document.hpp"
#include "engine/store/store_batch.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cairn::engine {

/// One document of one term: where the term stands in it now; nowhere: it is gone.
struct TextChange {
  std::uint64_t id = 0;
  std::uint32_t words = 0;
  std::vector<std::uint32_t> positions;
};

class TextChanges {
 public:
  using ByName = std::map<std::string, std::vector<TextChange>, std::less<>>;

  explicit TextChanges(std::uint32_t index, std::size_t fields) : index_(index), fields_(fields) {}

  /// Documents must come by ascending id, each once; null where there is none before or after.
  void change(std::uint64_t id, const TextDocument* before, const TextDocument* after);

  /// By codec::text_term_prefix; the changes of a term by ascending id.
  [[nodiscard]] const ByName& postings() const noexcept { return postings_; }
  /// The statistics of before, brought up to date.
  [[nodiscard]] codec::TextStatistics applied_to(codec::TextStatistics statistics) const;
  [[nodiscard]] bool empty() const noexcept { return postings_.empty(); }
  void clear_postings() { postings_.clear(); }

 private:
  void change_field(std::uint64_t id, std::size_t field, const TextField& before,
                    const TextField& after);

  struct Difference {
    std::int64_t documents = 0;
    std::int64_t words = 0;
  };
  std::uint32_t index_;
  std::vector<Difference> fields_;
  ByName postings_;
};

/// The part of a term's changes that lies in one chunk, as an operand.
struct TextChunkChange {
  std::uint64_t chunk = 0;
  codec::TextPostings changes;
};
[[nodiscard]] std::vector<TextChunkChange> to_text_chunks(const std::vector<TextChange>& changes);

/// The changes of documents whose record may have changed, by ascending id. `before` may be null: there
/// was nothing. Texts that are the same are not analysed.
[[nodiscard]] Result<TextChanges> find_text_changes(std::uint32_t id,
                                                    const codec::IndexEntry& index,
                                                    std::span<const std::uint64_t> ids,
                                                    const RecordReader* before,
                                                    const RecordReader& after);

}  // namespace cairn::engine
