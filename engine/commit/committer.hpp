#pragma once
// Committer: writes the changes of a transaction atomically to all column families.

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

/// The result of a commit, which is ready to be published.
struct Committed {
  std::shared_ptr<State> state;  ///< the next state, still without vectors
  VectorCommit vectors;          ///< changes to apply to the vector indexes
  /// The postings that changed, by ascending name. They are in the write set.
  std::vector<const PostingWriteSet::Posting*> postings;
  std::size_t bytes = 0;  ///< size of the record of the commit in the log
};

/// Threads: only the one that holds the writer lock.
class Committer {
 public:
  /// `piece_bytes`: a commit that creates an index writes its postings ahead, in pieces of about this size.
  Committer(RocksStore& store, IdAllocator& ids, WriteMode mode, std::size_t piece_bytes)
      : store_(store), ids_(ids), mode_(mode), piece_bytes_(piece_bytes) {}

  /// Writes the changes. `view` must be the view of the transaction.
  ///
  /// After an error nothing is changed, and a later commit may succeed. Two exceptions: the outcome is unknown if the
  /// store reports that its log failed, or if this call throws. Running out of memory before the write is an error,
  /// resource_limit, and not an exception. `folding` may be TextFolding::all only if the write set changes no texts.
  [[nodiscard]] Result<Committed> commit(const GraphView& view, const WriteSet& write_set,
                                         const CatalogEditor& catalog,
                                         TextFolding folding = TextFolding::when_full);

 private:
  /// Fills `batch`. Returns what is to be published once `batch` is written.
  [[nodiscard]] Result<Committed> put(const GraphView& view, const WriteSet& write_set,
                                      const CatalogEditor& catalog, TextFolding folding,
                                      StoreBatch& batch, TextCommit& texts);
  /// Writes the batch, and waits for the sync of the log if commits are durable.
  [[nodiscard]] Status write(StoreBatch& batch);
  /// Puts the changes of postings: merge operands, or whole chunks that the last commit folded.
  void put_postings(std::span<const PostingWriteSet::Posting* const> postings, StoreBatch& batch);
  /// Updates the state of the committer after a batch was written.
  void settle();
  /// Reads the chunks in `due_`, so that the next commit writes them as a whole. That folds their operands.
  [[nodiscard]] Status fold_due();
  /// Returns the changes to all vector indexes. Empty if the transaction touches no vector.
  [[nodiscard]] static Result<VectorCommit> vector_changes(const GraphView& view,
                                                           const WriteSet& write_set);

  RocksStore& store_;
  IdAllocator& ids_;
  WriteMode mode_;
  std::size_t piece_bytes_;
  OperandCounter operands_;
  std::vector<std::string> due_;  // keys of chunks that have enough operands to be folded
  std::map<std::string, codec::Container> folded_;  // whole chunks as of the newest commit, by key
  Status fold_failure_;                             // of fold_due(); the next commit reports it
  TextIndexingState texts_;
};

}  // namespace cairn::engine
