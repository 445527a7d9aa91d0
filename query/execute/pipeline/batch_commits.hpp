#pragma once
// BatchCommits: the transactions of a statement with CALL { } IN TRANSACTIONS.

#include <cairn/result.hpp>
#include <cairn/statement.hpp>
#include <cairn/transaction.hpp>

#include <cstdint>
#include <functional>

namespace cairn::query {

/// What the statement has committed, and what failed.
struct BatchProgress {
  std::uint64_t rows = 0;  ///< the rows of the outer part whose changes are committed
  std::uint64_t transactions = 0;
  std::uint64_t failed_rows = 0;  ///< of batches that were rolled back, while the statement went on
  Changes changes;
  bool is_complete = false;  ///< nothing more will be committed
};

/// Threads: one.
struct BatchCommits {
  /// Called when a batch has begun its transaction, before its first change. An error ends the statement.
  std::function<Status()> at_begin;
  /// Called before each commit, with the progress once it is made. It may add to the commit.
  std::function<void(Transaction& transaction, const BatchProgress& after_commit)> before_commit;
  /// Called after an error that does not end the statement, before its batch is rolled back. An error ends the statement.
  std::function<Status(const BatchProgress& after_failure)> after_failure;
  /// Runs the batches for which no row was requested, as after a LIMIT. Set by the operator.
  std::function<Status()> run_rest;
  BatchProgress progress;
};

/// Adds the counts of `made` to those of `sum`.
inline void add_changes(Changes& sum, const Changes& made) {
  sum.nodes_created += made.nodes_created;
  sum.nodes_deleted += made.nodes_deleted;
  sum.relationships_created += made.relationships_created;
  sum.relationships_deleted += made.relationships_deleted;
  sum.properties_set += made.properties_set;
  sum.labels_added += made.labels_added;
  sum.labels_removed += made.labels_removed;
  sum.indexes_added += made.indexes_added;
  sum.indexes_removed += made.indexes_removed;
  sum.constraints_added += made.constraints_added;
  sum.constraints_removed += made.constraints_removed;
}

}  // namespace cairn::query
