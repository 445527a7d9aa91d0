#pragma once
// TextChanges: the changes of one full-text index when documents change: postings to add and
// remove, by term, and differences of the statistics. A commit writes them; a transaction reads
// through them.

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

/// Collects the changes of one commit or transaction to one index. Threads: one.
class TextChanges {
 public:
  /// Numbers terms by `book`, which must outlive this object and have no other user meanwhile.
  /// nullptr: this object makes its own dictionary.
  explicit TextChanges(std::size_t fields, TermDictionary* book = nullptr);

  /// Replaces the document `before` by `after`. `before` is nullptr for a new document, `after` for
  /// an erased one. Each document may come once, in ascending order of ids. A document never
  /// changes its namespace.
  void change(std::uint64_t id, const TextDocument* before, const TextDocument* after,
              std::uint32_t name_space = 0);
  /// Adds a new document. Cheaper than analysing it and calling change().
  void add(std::uint64_t id, const Analyzer& analyzer, const FieldTexts& texts,
           std::uint32_t name_space = 0);

  /// Visits all changes by ascending name (field:u8 term) and chunk. `changes` is valid until the
  /// next call of the visitor.
  using VisitChunk = std::function<void(std::string_view name, std::uint64_t chunk,
                                        const codec::TextPostings& changes)>;
  void for_each_chunk(const VisitChunk& visit) const;
  /// All changes as a segment; null if nothing changed.
  [[nodiscard]] TextSegmentPtr segment() const;
  /// Returns the statistics with these changes applied.
  [[nodiscard]] codec::TextStatistics applied_to(codec::TextStatistics statistics) const;
  /// The namespaces whose statistics change, except the default one. The number 0 stands for all of
  /// these together.
  [[nodiscard]] std::vector<std::uint32_t> name_spaces() const;
  /// Returns the statistics of one of name_spaces() with these changes applied.
  [[nodiscard]] codec::TextStatistics applied_to(codec::TextStatistics statistics,
                                                 std::uint32_t name_space) const;
  [[nodiscard]] bool empty() const noexcept { return changes_.empty(); }
  /// Forgets the postings, but not the differences of the statistics.
  void clear_postings();
  /// Estimated memory of the postings.
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

 private:
  /// A change of one document of one term: the new positions of the term, or none if it was
  /// removed.
  struct Change {
    std::uint32_t term = 0;
    std::uint32_t words = 0;  // new length of the field
    std::uint64_t id = 0;
    std::uint32_t first = 0;  // index of the first position in positions_
    std::uint32_t count = 0;
  };
  /// A difference of statistics.
  struct Difference {
    std::int64_t documents = 0;
    std::int64_t words = 0;
  };
  using Differences = std::vector<Difference>;  // by field
  using Order = std::vector<std::uint32_t>;

  /// Sets `name` to the name of a term in keys: the number of its field, from 1, and the term.
  void assign_name(std::string& name, std::uint32_t term) const;
  // The terms in ascending order of names.
  [[nodiscard]] Order sorted_terms() const;
  void put(std::uint32_t term, std::uint64_t id, std::uint32_t words,
           std::span<const std::uint32_t> positions);
  void change_field(std::uint64_t id, std::size_t field, const TextField& before,
                    const TextField& after, std::uint32_t name_space);
  void count(std::size_t field, const Difference& difference, std::uint32_t name_space);
  [[nodiscard]] static codec::TextStatistics applied(const Differences& differences,
                                                     codec::TextStatistics statistics);
  // Adds the terms of one field of a new document, from places_.
  void add_places(std::uint64_t id, std::uint32_t words);
  [[nodiscard]] std::uint64_t documents() const;
  /// Copies the changes of one chunk, from `begin` on, to `out`. Returns the beginning of the next
  /// chunk.
  Order::const_iterator gather(Order::const_iterator begin, Order::const_iterator end,
                               codec::TextPostings& out) const;

  Differences fields_;
  std::map<std::uint32_t, Differences> spaces_;  // by number of name_spaces()
  std::unique_ptr<TermDictionary> own_book_;
  TermDictionary* book_;
  std::uint32_t round_;          // current round of the dictionary
  std::vector<Change> changes_;  // in the order of documents
  std::vector<std::uint32_t> positions_;
  // The places of the terms of one field: term << 32 | position. A member only so that its memory
  // is reused.
  std::vector<std::uint64_t> places_;
};

}  // namespace cairn::engine
