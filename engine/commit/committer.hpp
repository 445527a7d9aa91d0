#pragma once
// Committer: the changes of one transaction as one atomic write over all families.

#include "codec/posting.hpp"
#include "engine/commit/vector_index_manager.hpp"
#include "engine/graph/graph_view.hpp"
#include "engine/graph/state.hpp"
#include "engine/indexing/text_indexing_state.hpp"
#include "engine/store/rocks_store.hpp"
#include "engine/store/store_batch.hpp"
#include "engine/transaction/catalog_editor.hpp"
#include "engine/transaction/write_set.hpp"
#include "engine/write/id_allocator.hpp"

#include <cairn/result.hpp>

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::engine {

class TextCommit;

/// What a commit made true, to be published.
struct Committed {
  std::shared_ptr<State> state;  ///< without vectors
  VectorCommit vectors;
  std::vector<std::string_view>
      postings;           ///< names of those that changed, ascending; the write_set's
  std::size_t bytes = 0;  ///< of its record in the log
};

/// Threads: the holder of the writer's turn only.
class Committer {
 public:
  /// `piece_bytes`: what is written ahead of a commit that makes an index, a piece.
  Committer(RocksStore& store, IdAllocator& ids, WriteMode mode, std::size_t piece_bytes)
      : store_(store), ids_(ids), mode_(mode), piece_bytes_(piece_bytes) {}

  /// `view` is the transaction's own. An error leaves all as it was, so that a later commit may succeed; unless the
  /// store says that its log failed: then the outcome is unknown. It is unknown after an exception too: of memory that is
  /// missing before anything is written an error is made, resource_limit.
  /// All texts are folded only with a write set that has none.
  [[nodiscard]] Result<Committed> commit(const GraphView& view, const WriteSet& write_set,
                                         const CatalogEditor& catalog,
                                         TextFolding folding = TextFolding::when_full);

 private:
  /// Everything up to the write. Gives what is true once `batch` is written.
  [[nodiscard]] Result<Committed> put(const GraphView& view, const WriteSet& write_set,
                                      const CatalogEditor& catalog, TextFolding folding,
                                      StoreBatch& batch, TextCommit& texts);
  /// Logged, in memory and, where commits wait for it, on the disk.
  [[nodiscard]] Status write(StoreBatch& batch);
  /// Operands, or whole chunks where the commit before has folded them.
  void put_postings(std::span<const PostingWriteSet::Posting* const> postings, StoreBatch& batch);
  /// What was put is written.
  void settle();
  /// Of the chunks of which enough operands have gathered, for the next commit to put.
  [[nodiscard]] Status fold_due();
  /// Empty for nearly every commit: most touch no vector.
  [[nodiscard]] static Result<VectorCommit> vector_changes(const GraphView& view,
                                                           const WriteSet& write_set);

  RocksStore& store_;
  IdAllocator& ids_;
  WriteMode mode_;
  std::size_t piece_bytes_;
  OperandCounter operands_;
  std::vector<std::string> due_;                    // keys that this commit found to be folded
  std::map<std::string, codec::Container> folded_;  // by key, as of the newest commit
  Status fold_failure_;                             // reported by the next commit
  TextIndexingState texts_;
};

}  // namespace cairn::engine
