#pragma once
// The full-text indexes of a database: what a commit writes to them, what a rebuild makes of them, and
// how a view searches them.

#include "engine/fulltext/text_changes.hpp"
#include "engine/fulltext/text_search.hpp"
#include "engine/graph/graph_view.hpp"
#include "engine/state.hpp"
#include "engine/write/operand_counter.hpp"
#include "engine/write/overlay.hpp"

#include <cairn/result.hpp>

#include <map>
#include <memory>

namespace cairn::engine {

/// Of every full-text index in the catalog. Errors: corruption.
[[nodiscard]] Result<TextStates> load_text_states(const RocksStore& store, const Catalog& catalog);

/// Puts what one commit changes in the full-text indexes, and their statistics into the next state.
class TextCommit {
 public:
  TextCommit(const RocksStore& store, OperandCounter& operands, StoreBatch& batch)
      : store_(store), operands_(operands), batch_(batch) {}

  /// `view` is the transaction's own. `next` has its new catalog already.
  [[nodiscard]] Status put(const GraphView& view, const Overlay& overlay, State& next);

 private:
  [[nodiscard]] Status drop_gone(const State& base, State& next);
  [[nodiscard]] Status put_new(std::uint32_t id, const codec::IndexEntry& index,
                               const GraphView& view, State& next);
  [[nodiscard]] Status put_changed(std::uint32_t id, const codec::IndexEntry& index,
                                   const GraphView& view, const Overlay& overlay, State& next);
  /// Operands, or the whole chunk where enough of them have gathered.
  [[nodiscard]] Status put_postings(const TextChanges& changes, bool are_counted);
  [[nodiscard]] Status put_folded(const std::string& key, const codec::TextPostings& changes);

  const RocksStore& store_;
  OperandCounter& operands_;
  StoreBatch& batch_;
};

/// Makes full-text indexes anew from records, which come by ascending id.
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
  void put_statistics(StoreBatch& batch) const;

 private:
  struct Index {
    codec::IndexEntry entry;
    Analyzer analyzer;
    TextChanges changes;
  };
  std::map<std::uint32_t, Index> indexes_;
};

/// Search one index as a view sees it: the transaction's own changes, where it has any, included.
/// Errors: not_found, unsupported for an index that the transaction itself made.
[[nodiscard]] Result<TextHits> search_text_index(const GraphView& view, const RocksStore& store,
                                                 const Overlay* overlay, std::uint32_t id,
                                                 const TextQuery& query);

}  // namespace cairn::engine
