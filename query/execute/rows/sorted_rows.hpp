#pragma once
// SortedRows: rows in the order of an ORDER BY. Several threads may each sort a part of the rows; then one of them merges the
// parts.

#include "query/bind/bound_query.hpp"
#include "query/execute/expression/property_batch.hpp"
#include "query/execute/pipeline/execution_context.hpp"
#include "query/execute/row_batch.hpp"
#include "query/execute/rows/shared_run.hpp"
#include "query/execute/rows/sort_run.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace cairn::query {

/// What to sort, and how much of it.
struct Sorting {
  const ProjectClause& clause;
  std::size_t width = 0;   ///< of the rows
  std::size_t wanted = 0;  ///< rows after the first `wanted` ones may be dropped
  bool is_limited = false;
  /// True if several threads sort: rows of an earlier morsel come before equal ones of a later morsel.
  bool is_divided = false;
};

/// Rows are collected in runs, which are sorted and then merged while rows are returned. So the statement can be cancelled
/// within the time of one run. Threads: one at a time.
class SortedRows final : public ThreadPart {
 public:
  SortedRows(const Sorting& sorting, ExecutionContext& context);

  /// Adds the rows of a batch, and moves them out of it.
  [[nodiscard]] Status add(RowBatch& rows, std::uint64_t morsel) override;
  [[nodiscard]] Status finish() override;
  /// Takes the rows of several finished parts. Precondition: this has no rows.
  [[nodiscard]] Status join(std::span<SortedRows* const> parts);
  /// Appends the next rows. Precondition: finish() or join() came before.
  [[nodiscard]] Status give(RowBatch& out);

 private:
  // Sorting this many rows takes about 5 ms if keys are short. Comparisons of long keys check the
  // clock themselves.
  static constexpr std::size_t run_rows = 8'192;
  // A run with a few large rows is truncated before too many of them are held.
  static constexpr std::size_t run_bytes = std::size_t{16} << 20;

  // The next row to read from a run.
  struct Head {
    std::size_t run = 0;
    std::size_t position = 0;
  };

  /// A key that is a column of the row need not be stored separately.
  [[nodiscard]] static bool is_column(const SortKey& key);
  [[nodiscard]] Budget& budget() { return context_.budget; }
  [[nodiscard]] std::size_t keys() const {
    return evaluated_.size() + (sorting_.is_divided ? 1 : 0);
  }
  [[nodiscard]] SortRun empty_run() { return {keys() + sorting_.width, budget()}; }

  [[nodiscard]] int compare(Row a, Row b);
  [[nodiscard]] bool may_walk(const Value& first, const Value& second);
  [[nodiscard]] Row at(const Head& head) { return runs_[head.run].sorted(head.position); }
  [[nodiscard]] bool comes_later(const Head& a, const Head& b);

  void drop_late(RowBatch& rows);
  [[nodiscard]] Status add_all(RowBatch& rows, std::uint64_t morsel);
  [[nodiscard]] Status tell_scan();
  [[nodiscard]] Status close_full_run();
  [[nodiscard]] Status sort(SortRun& run);
  void push(Head head);
  [[nodiscard]] Status give_least(RowBatch& out);

  Sorting sorting_;
  ExecutionContext& context_;
  std::vector<const Expression*> evaluated_;  // keys that are not columns of the row
  // For each key, its cell in a row of a run and whether it descends.
  struct Key {
    std::size_t cell = 0;
    bool descending = false;
  };
  std::vector<Key> keys_;
  PropertyBatch properties_;
  SortRun run_;  // gets further rows
  std::vector<SortRun> runs_;
  std::vector<Head> heads_;
  // For drop_late(): enough rows are known whose first key does not come after this one.
  std::optional<std::int64_t> latest_;
  Status stopped_;  // the first error of a comparison
};

}  // namespace cairn::query
