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

/// Merges what has changed into the chunks of its terms.
void put_text_operands(std::uint32_t id, const TextChanges& changes, StoreBatch& batch);
void put_text_statistics(std::uint32_t id, const codec::TextStatistics& statistics,
                         StoreBatch& batch);

/// Puts what one commit changes in the full-text indexes, and their state into the next one.
class TextCommit {
 public:
  /// `mode` and `piece_bytes`: of a new index, which is written ahead as build_text_index() says.
  TextCommit(RocksStore& store, WriteMode mode, std::size_t piece_bytes, TextIndexingState& writing,
             StoreBatch& batch)
      : store_(store), mode_(mode), piece_bytes_(piece_bytes), writing_(writing), batch_(batch) {}
  TextCommit(const TextCommit&) = delete;
  TextCommit& operator=(const TextCommit&) = delete;
  /// Waits: the thread beside looks at this.
  ~TextCommit();

  /// Begins to analyse the texts of a large commit on a thread of its own, for put() with the same view,
  /// write_set and state. They may be read meanwhile, and must outlive this.
  void begin(const GraphView& view, const WriteSet& write_set, const State& next);
  /// The keys of numbers that no index has, in batches of bounded size: what commits before left, which were
  /// refused, or which dropped an index and had no room to erase it. Errors: those of the store.
  [[nodiscard]] Status erase_unused();

  /// `view` is the transaction's own. `next` has its new catalog already.
  [[nodiscard]] Status put(const GraphView& view, const WriteSet& write_set, State& next);
  /// After put() of a write set without texts: merge all logs.
  [[nodiscard]] Status fold_all(State& next);

  /// Once the commit is written: erase the keys of indexes that it dropped. The commit stands whatever becomes of
  /// that.
  void finish();
  /// It will not be written.
  void withdraw(const State& base);

 private:
  using Operands = std::span<const std::string_view>;
  using Segments = std::vector<TextSegmentPtr>;

  /// What some of the touched texts come to.
  struct Part {
    TextChanges changes;
    TextSegmentPtr segment;  // null where nothing changes
  };
  using Parts = std::map<std::uint32_t, Result<Part>>;  // by index
  [[nodiscard]] Result<Part> analyse(const codec::IndexEntry& index, const GraphView& view,
                                     std::span<const TouchedText> touched,
                                     TermDictionary& book) const;

  void drop_gone(const State& base, State& next);
  [[nodiscard]] Status put_new(std::uint32_t id, const codec::IndexEntry& index,
                               const GraphView& view, State& next);
  [[nodiscard]] Status put_changed(std::uint32_t id, const codec::IndexEntry& index,
                                   const GraphView& view, const WriteSet& write_set, State& next);
  /// Into the log, or with all of it into the chunks.
  [[nodiscard]] Status put_segments(std::uint32_t id, const Segments& segments,
                                    TextMemorySegment& log);
  /// Whether its first `older` segments are worth a file.
  [[nodiscard]] bool is_for_file(const TextMemorySegment& log, std::size_t older) const;
  /// Takes in the file that has the first segments, if enough has come since it was begun.
  [[nodiscard]] Status end_fold(std::uint32_t id, TextMemorySegment& log);
  /// All of it, in the batch.
  [[nodiscard]] Status fold(std::uint32_t id, TextMemorySegment& log);
  /// The log as it is, where `stored` segments of it were written and it lost some of them or none.
  void put_log(std::uint32_t id, const TextMemorySegment& log, std::size_t stored, bool has_lost);
  /// One operand, or the whole chunk where enough of them have gathered.
  [[nodiscard]] Status put_chunk(const std::string& key, Operands operands, bool is_counted);
  [[nodiscard]] Status put_folded(const std::string& key, Operands operands);

  RocksStore& store_;
  WriteMode mode_;
  std::size_t piece_bytes_;
  TextIndexingState& writing_;
  StoreBatch& batch_;
  std::vector<std::uint32_t> gone_;  // indexes that this commit drops
  std::vector<std::uint32_t> made_;  // and those of which it has written keys ahead
  Parts first_halves_;               // once they were waited for
  std::future<Parts> begun_;         // the thread at them
};

}  // namespace cairn::engine
