#pragma once
// A full-text index made over what is there already: its keys are written in pieces ahead of the commit
// that makes it. Nobody reads the keys of a number that no catalog has, so that the index is there
// whole with that commit or not at all; what a process leaves that died before it is erased at the next
// opening.

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

/// What is made: `view` is the transaction's own, `members` what it has of the index's labels.
/// `piece_bytes`: held in memory at a time, with one document more.
struct TextBuild {
  std::uint32_t id;
  const codec::IndexEntry& index;
  const codec::Bitmap& members;
  const GraphView& view;
  std::size_t piece_bytes;
};

/// Within the writer's turn. Returns the statistics of all, which it does not write, and leaves those by namespace in
/// `last`, which the commit writes. `progress` advances with each member.
/// Errors: corruption where a record cannot be read, those of the store. Cost: reads every member.
[[nodiscard]] Result<codec::TextStatistics> build_text_index(RocksStore& store, WriteMode mode,
                                                             const TextBuild& build,
                                                             TextProgress& progress,
                                                             StoreBatch& last);

/// Erases the keys of one index in batches of `piece_bytes`, or a few MiB if that is less.
/// Cost: reads each key.
[[nodiscard]] Status erase_text_keys(RocksStore& store, WriteMode mode, std::uint32_t id,
                                     std::size_t piece_bytes);

/// Erases the keys of all full-text indexes that `catalog` does not have. Before any is used.
/// Cost: one seek for each index, where there is nothing to erase.
[[nodiscard]] Status erase_unfinished_texts(RocksStore& store, WriteMode mode,
                                            const Catalog& catalog);

// TextRebuild: full-text indexes rebuilt from records.

/// Records come by ascending id.
class TextRebuild {
 public:
  explicit TextRebuild(const Catalog& catalog);

  [[nodiscard]] bool empty() const noexcept { return indexes_.empty(); }
  /// Reads what the record has for each index; gathers its postings only to `keep` them.
  template <class Record>
  [[nodiscard]] Status add(codec::EntityKind kind, std::uint64_t id, const Record& record,
                           const RecordReader& reader, bool keep);
  /// What has gathered since the last time.
  void put_postings(StoreBatch& batch);
  /// The size of the gathered postings.
  [[nodiscard]] std::size_t memory_bytes() const noexcept;
  /// Without writing it: only the statistics are wanted.
  void forget_postings();
  [[nodiscard]] Status put_statistics(StoreBatch& batch) const;
  /// Those by namespace alone.
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
