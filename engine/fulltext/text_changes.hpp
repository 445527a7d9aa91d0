#pragma once
// TextChanges: what happens to one full-text index when documents change: postings that come and go,
// by term, and the statistics. A commit writes them, a transaction reads through them.

#include "codec/catalog_entry.hpp"
#include "codec/text_posting.hpp"
#include "engine/fulltext/term_dictionary.hpp"
#include "engine/fulltext/text_document.hpp"
#include "engine/fulltext/text_memory_segment.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::engine {

class TextChanges {
 public:
  /// Numbers its terms by `book`, which must outlive it and have no other user meanwhile; null makes its
  /// own.
  explicit TextChanges(std::size_t fields, TermDictionary* book = nullptr);

  /// Documents must come by ascending id, each once; null if absent before or after. A document stays in its namespace.
  void change(std::uint64_t id, const TextDocument* before, const TextDocument* after,
              std::uint32_t name_space = 0);
  /// Add a new document. Cost: less than analysis and change().
  void add(std::uint64_t id, const Analyzer& analyzer, const FieldTexts& texts,
           std::uint32_t name_space = 0);

  /// Everything, by ascending name (field:u8 term) and chunk. `changes` lives until the next call.
  using VisitChunk = std::function<void(std::string_view name, std::uint64_t chunk,
                                        const codec::TextPostings& changes)>;
  void for_each_chunk(const VisitChunk& visit) const;
  /// The same as a segment; null where nothing changes.
  [[nodiscard]] TextSegmentPtr segment() const;
  /// The earlier statistics with these changes applied.
  [[nodiscard]] codec::TextStatistics applied_to(codec::TextStatistics statistics) const;
  /// The namespaces but the default one whose statistics differ, and 0 for all of these together.
  [[nodiscard]] std::vector<std::uint32_t> name_spaces() const;
  /// The statistics of one of these, brought up to date.
  [[nodiscard]] codec::TextStatistics applied_to(codec::TextStatistics statistics,
                                                 std::uint32_t name_space) const;
  [[nodiscard]] bool empty() const noexcept { return changes_.empty(); }
  void clear_postings();
  /// About what the postings take.
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

 private:
  /// One document of one term: where the term is in it now; nowhere: it is gone.
  struct Change {
    std::uint32_t term = 0;
    std::uint32_t words = 0;
    std::uint64_t id = 0;
    std::uint32_t first = 0;  // in positions_
    std::uint32_t count = 0;
  };
  struct Difference {
    std::int64_t documents = 0;
    std::int64_t words = 0;
  };
  using Differences = std::vector<Difference>;  // by field
  using Order = std::vector<std::uint32_t>;

  /// The name of a term in the keys: its field, counted from 1, and its letters.
  void assign_name(std::string& name, std::uint32_t term) const;
  [[nodiscard]] Order sorted_terms() const;
  void put(std::uint32_t term, std::uint64_t id, std::uint32_t words,
           std::span<const std::uint32_t> positions);
  void change_field(std::uint64_t id, std::size_t field, const TextField& before,
                    const TextField& after, std::uint32_t name_space);
  void count(std::size_t field, const Difference& difference, std::uint32_t name_space);
  [[nodiscard]] static codec::TextStatistics applied(const Differences& differences,
                                                     codec::TextStatistics statistics);
  void add_places(std::uint64_t id, std::uint32_t words);
  [[nodiscard]] std::uint64_t documents() const;
  /// Copies the changes of one chunk from `begin` on; returns where the next one begins.
  Order::const_iterator gather(Order::const_iterator begin, Order::const_iterator end,
                               codec::TextPostings& out) const;

  Differences fields_;
  std::map<std::uint32_t, Differences> spaces_;  // as name_spaces() has them
  std::unique_ptr<TermDictionary> own_book_;
  TermDictionary* book_;
  std::uint32_t round_;          // of the book
  std::vector<Change> changes_;  // in the order of documents
  std::vector<std::uint32_t> positions_;
  std::vector<std::uint64_t> places_;  // of one field: term << 32 | position; reused for its memory
};

}  // namespace cairn::engine
