#pragma once
// Builds a full-text index over existing records. Its keys are written in batches before the commit
// that adds the index to the catalog. Keys of an index id that is in no catalog are never read, so
// the index appears completely with that commit or not at all. If the process dies before the
// commit, the keys are erased at the next opening.

#include "codec/bitmap.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/fulltext/text_changes.hpp"
#include "engine/fulltext/text_progress.hpp"
#include "engine/graph/graph_view.hpp"
#include "engine/graph/record_reader.hpp"
#include "engine/store/rocks_store.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <map>

namespace cairn::engine {

/// The index to build. `view` is the transaction's own, and `members` are the entities with the
/// index's labels. `piece_bytes` limits the postings held in memory, except that a document is
/// never split.
struct TextBuild {
  std::uint32_t id;
  const codec::IndexEntry& index;
  const codec::Bitmap& members;
  const GraphView& view;
  std::size_t piece_bytes;
};

/// Writes the postings of an index. The caller must hold the writer lock. Returns the statistics of
/// all texts, which it does not write, and puts the statistics by namespace into `last`, the batch
/// of the commit. `progress` advances with each member. After an error, keys that were written remain.
///
/// Errors: corruption if a record cannot be read; those of the store and of
/// TextProgress::advance(). Cost: reads every member.
[[nodiscard]] Result<codec::TextStatistics> build_text_index(RocksStore& store, WriteMode mode,
                                                             const TextBuild& build,
                                                             TextProgress& progress,
                                                             StoreBatch& last);

/// Erases the keys of one index in batches of `piece_bytes`, or of a few MiB if that is less. Cost:
/// reads each key.
[[nodiscard]] Status erase_text_keys(RocksStore& store, WriteMode mode, std::uint32_t id,
                                     std::size_t piece_bytes);

/// Erases the keys of all full-text indexes that are not in `catalog`. To be called before any
/// index is used. Cost: one seek for each index if there is nothing to erase.
[[nodiscard]] Status erase_unfinished_texts(RocksStore& store, WriteMode mode,
                                            const Catalog& catalog);

/// Rebuilds all full-text indexes from records, which must come in ascending order of ids.
class TextRebuild {
 public:
  explicit TextRebuild(const Catalog& catalog);

  [[nodiscard]] bool empty() const noexcept { return indexes_.empty(); }
  /// Reads the record's texts for each index. Collects their postings only if `keep` is true.
  template <class Record>
  [[nodiscard]] Status add(codec::EntityKind kind, std::uint64_t id, const Record& record,
                           const RecordReader& reader, bool keep);
  /// Puts the postings collected since the last call into `batch`.
  void put_postings(StoreBatch& batch);
  /// Estimated memory of the collected postings.
  [[nodiscard]] std::size_t memory_bytes() const noexcept;
  /// Drops the collected postings, if only the statistics are wanted.
  void forget_postings();
  /// Puts the statistics of all texts and by namespace into `batch`.
  [[nodiscard]] Status put_statistics(StoreBatch& batch) const;
  /// Puts only the statistics by namespace.
  [[nodiscard]] Status put_statistics_by_space(StoreBatch& batch) const;

 private:
  struct Index {
    codec::IndexEntry entry;
    Analyzer analyzer;
    TextChanges changes;
  };
  std::map<std::uint32_t, Index> indexes_;
};

}  // namespace cairn::engine
