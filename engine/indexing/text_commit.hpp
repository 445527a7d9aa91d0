#pragma once
// TextCommit: what a commit writes to the full-text indexes.

#include "engine/fulltext/text_changes.hpp"
#include "engine/graph/graph_view.hpp"
#include "engine/graph/index_members.hpp"
#include "engine/graph/state.hpp"
#include "engine/indexing/text_indexing_state.hpp"
#include "engine/transaction/write_set.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <future>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::engine {

/// Puts changes of postings into `batch`, as merge operands for the chunks of their terms.
void put_text_operands(std::uint32_t id, const TextChanges& changes, StoreBatch& batch);
void put_text_statistics(std::uint32_t id, const codec::TextStatistics& statistics,
                         StoreBatch& batch);

/// Puts the changes of one commit to full-text indexes into its batch, and their new state into the
/// next State.
class TextCommit {
 public:
  /// `mode` and `piece_bytes` are used for a new index, which is written before the commit by
  /// build_text_index().
  TextCommit(RocksStore& store, WriteMode mode, std::size_t piece_bytes, TextIndexingState& writing,
             StoreBatch& batch)
      : store_(store), mode_(mode), piece_bytes_(piece_bytes), writing_(writing), batch_(batch) {}
  TextCommit(const TextCommit&) = delete;
  TextCommit& operator=(const TextCommit&) = delete;
  /// Waits for the analysing thread, which uses this object.
  ~TextCommit();

  /// Starts to analyse the texts of a large commit on another thread, for put() with the same view,
  /// write set and state. These may be read meanwhile, and must outlive this object.
  void begin(const GraphView& view, const WriteSet& write_set, const State& next);
  /// Erases the keys of index ids that are not in use, in batches of limited size. They remain from
  /// failed commits, and from commits that dropped an index and could not erase it. Errors: those
  /// of the store.
  [[nodiscard]] Status erase_unused();

  /// Puts all changes. `view` is the transaction's own; `next` already has the new catalog.
  [[nodiscard]] Status put(const GraphView& view, const WriteSet& write_set, State& next);
  /// Flushes all write buffers. To be called after put() of a write set without texts.
  [[nodiscard]] Status fold_all(State& next);

  /// To be called after the commit was written. Erases the keys of indexes that it dropped. If that
  /// fails, the commit is valid nevertheless.
  void finish();
  /// To be called if the commit will not be written.
  void withdraw(const State& base);

 private:
  using Operands = std::span<const std::string_view>;
  using Segments = std::vector<TextSegmentPtr>;

  /// The analysis of some of the changed texts.
  struct Part {
    TextChanges changes;
    TextSegmentPtr segment;  // null if nothing changed
  };
  using Parts = std::map<std::uint32_t, Result<Part>>;  // by index
  [[nodiscard]] Result<Part> analyse(const codec::IndexEntry& index, const GraphView& view,
                                     std::span<const TouchedText> touched,
                                     TermDictionary& book) const;

  // Removes indexes that `next` does not have any more.
  void drop_gone(const State& base, State& next);
  // Builds an index that is new in `next`.
  [[nodiscard]] Status put_new(std::uint32_t id, const codec::IndexEntry& index,
                               const GraphView& view, State& next);
  // Analyses changed texts and adds them to an existing index.
  [[nodiscard]] Status put_changed(std::uint32_t id, const codec::IndexEntry& index,
                                   const GraphView& view, const WriteSet& write_set, State& next);
  /// Adds segments to the write buffer and, if it is full, flushes it or starts a flush.
  [[nodiscard]] Status put_segments(std::uint32_t id, const Segments& segments,
                                    TextMemorySegment& log);
  /// True if the first `older` segments are worth a flush by a file.
  [[nodiscard]] bool is_for_file(const TextMemorySegment& log, std::size_t older) const;
  /// Adds the file of a running flush to the store, if enough segments have come since it was
  /// started.
  [[nodiscard]] Status end_fold(std::uint32_t id, TextMemorySegment& log);
  /// Flushes the whole write buffer into the batch.
  [[nodiscard]] Status fold(std::uint32_t id, TextMemorySegment& log);
  /// Stores the write buffer. `stored` segments of it are in the store; `has_lost` is true if some
  /// of these were removed.
  void put_log(std::uint32_t id, const TextMemorySegment& log, std::size_t stored, bool has_lost);
  /// Puts changes of a chunk as one merge operand, or as the whole chunk if many operands have
  /// accumulated.
  [[nodiscard]] Status put_chunk(const std::string& key, Operands operands, bool is_counted);
  // Puts the whole chunk with its changes.
  [[nodiscard]] Status put_folded(const std::string& key, Operands operands);

  RocksStore& store_;
  WriteMode mode_;
  std::size_t piece_bytes_;
  TextIndexingState& writing_;
  StoreBatch& batch_;
  std::vector<std::uint32_t> gone_;  // indexes that this commit drops
  // Indexes whose keys this commit has written ahead.
  std::vector<std::uint32_t> made_;
  // Results of the analysing thread, after begun_ was waited for.
  Parts first_halves_;
  std::future<Parts> begun_;  // the running analysis
};

}  // namespace cairn::engine
