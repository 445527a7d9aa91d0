#pragma once
// TextChanges: what happens to one full-text index when documents change: postings that come and go,
// by term, and the statistics. A commit writes them, a transaction reads through them.

#include "codec/catalog_entry.hpp"
#include "codec/text_posting.hpp"
#include "codec/text_segment.hpp"
#include "engine/fulltext/term_dictionary.hpp"
#include "engine/fulltext/text_document.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::engine {

// The log of a full-text index: segments of the last commits whose changes the chunks of their terms do
// not have yet. Readers lay them over the chunks; a commit that finds enough of them folds them.

using TextSegmentPtr = std::shared_ptr<const codec::TextSegment>;  // owners: states, transactions

/// As of one commit: what one published state holds of an index besides its statistics.
class TextMemorySegment {
 public:
  /// Older first. In the store, segment `i` has the number `i`.
  [[nodiscard]] const std::vector<TextSegmentPtr>& segments() const noexcept { return segments_; }
  void add(TextSegmentPtr segment) { segments_.push_back(std::move(segment)); }
  void clear() noexcept { segments_.clear(); }
  /// The oldest ones, which have been folded.
  void drop_first(std::size_t count);
  /// Enough that writing each term once for all of them costs little, and no more than readers and
  /// memory bear: a term that is not cached is sought in every segment.
  [[nodiscard]] bool is_full() const { return has_share(0, 1); }
  /// From its segment `first` on: a quarter of what makes it full.
  [[nodiscard]] bool is_quarter_full(std::size_t first) const { return has_share(first, 4); }
  [[nodiscard]] std::uint64_t documents(std::size_t first = 0) const;
  [[nodiscard]] std::size_t memory_bytes(std::size_t first = 0) const;

 private:
  /// One of so many equal parts, from a segment on.
  [[nodiscard]] bool has_share(std::size_t first, std::size_t parts) const;

  std::vector<TextSegmentPtr> segments_;
};

/// Walks the entries of several segments as one list by ascending name and chunk. The segments must
/// outlive it. Cost: a step is logarithmic in their number.
class SegmentMerge {
 public:
  /// From the first entry on whose name is not less than `first`.
  explicit SegmentMerge(std::span<const TextSegmentPtr> segments, std::string_view first = {});

  [[nodiscard]] bool valid() const noexcept { return !operands_.empty(); }
  [[nodiscard]] std::string_view name() const noexcept { return name_; }
  [[nodiscard]] std::uint64_t chunk() const noexcept { return chunk_; }
  /// Of this chunk, older first.
  [[nodiscard]] const std::vector<std::string_view>& operands() const noexcept { return operands_; }
  void next();
  /// Past all chunks of the name.
  void next_name();

 private:
  /// Where it is in one segment, which is not its end.
  struct Place {
    codec::TextSegmentEntry entry;
    std::size_t segment = 0;
    std::size_t at = 0;
  };
  [[nodiscard]] static bool is_later(const Place& a, const Place& b);
  void push(std::size_t segment, std::size_t at);
  void take();

  std::span<const TextSegmentPtr> segments_;
  std::vector<Place> heap_;  // the earliest entry first
  std::string_view name_;
  std::uint64_t chunk_ = 0;
  std::vector<std::string_view> operands_;  // empty at the end
};

class TextChanges {
 public:
  /// Numbers its terms by `book`, which must outlive it and serve nobody else meanwhile; null is a book
  /// of its own.
  explicit TextChanges(std::size_t fields, TermDictionary* book = nullptr);

  /// Documents must come by ascending id, each once; null if absent before or after.
  void change(std::uint64_t id, const TextDocument* before, const TextDocument* after);
  /// A document that was not there before. Cost: less than to make it and to change().
  void add(std::uint64_t id, const Analyzer& analyzer, const FieldTexts& texts);

  /// Everything, by ascending name (field:u8 term) and chunk. `changes` lives until the next call.
  using VisitChunk = std::function<void(std::string_view name, std::uint64_t chunk,
                                        const codec::TextPostings& changes)>;
  void for_each_chunk(const VisitChunk& visit) const;
  /// The same as a segment; null where nothing changes.
  [[nodiscard]] TextSegmentPtr segment() const;
  /// The statistics of before, brought up to date.
  [[nodiscard]] codec::TextStatistics applied_to(codec::TextStatistics statistics) const;
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
  using Order = std::vector<std::uint32_t>;

  /// The name of a term in the keys: its field, counted from 1, and its letters.
  void assign_name(std::string& name, std::uint32_t term) const;
  [[nodiscard]] Order sorted_terms() const;
  void put(std::uint32_t term, std::uint64_t id, std::uint32_t words,
           std::span<const std::uint32_t> positions);
  void change_field(std::uint64_t id, std::size_t field, const TextField& before,
                    const TextField& after);
  void add_places(std::uint64_t id, std::uint32_t words);
  [[nodiscard]] std::uint64_t documents() const;
  /// Copies the changes of one chunk from `begin` on; returns where the next one begins.
  Order::const_iterator gather(Order::const_iterator begin, Order::const_iterator end,
                               codec::TextPostings& out) const;

  std::vector<Difference> fields_;
  std::unique_ptr<TermDictionary> own_book_;
  TermDictionary* book_;
  std::uint32_t round_;          // of the book
  std::vector<Change> changes_;  // in the order of documents
  std::vector<std::uint32_t> positions_;
  std::vector<std::uint64_t> places_;  // of one field: term << 32 | position; reused for its memory
};

}  // namespace cairn::engine
