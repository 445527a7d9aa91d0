#pragma once
// The rows of a statement that runs in another process: pulled in portions, or all at once.

#include "engine/database/handles.hpp"
#include "query/attach/work.hpp"

#include <cairn/options.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cairn::query::attach {

/// Threads: those of Rows. Several results of one Work share its connection.
class AttachedRows final : public Rows::Impl {
 public:
  /// Runs a statement. `all` pulls all rows at once: the serving process has produced them already, if the statement
  /// writes or belongs to a transaction.
  /// Errors: those of the statement; those of a lost connection.
  [[nodiscard]] static Result<std::unique_ptr<AttachedRows>> run(
      std::shared_ptr<Work> work, const engine::ForwardedStatement& statement, bool all,
      const CommitNote* note = nullptr);
  /// Rows that were already received.
  AttachedRows(std::vector<std::string> columns, Work::Portion all);
  ~AttachedRows() override;

  const std::vector<std::string>& columns() const noexcept override { return columns_; }
  Result<std::optional<std::span<const Value>>> next() override;
  const Changes& changes() const noexcept override { return results_.changes; }
  const std::vector<std::string>& warnings() const override { return results_.warnings; }
  std::string plan() const override { return results_.plan; }

 private:
  AttachedRows(std::shared_ptr<Work> work, StatementOptions options, std::int64_t portion)
      : work_(std::move(work)), options_(std::move(options)), portion_(portion) {}

  void take(Work::Portion portion);

  std::shared_ptr<Work>
      work_;  // owners: this, other rows and the handle; nullptr once all rows are here
  const StatementOptions options_;
  std::int64_t portion_ = -1;  // number of rows to pull next; -1: all
  std::vector<std::string> columns_;
  std::int64_t number_ = 0;       // identifies the result within a transaction
  std::vector<List> rows_;        // the last portion
  std::size_t next_ = 0;          // index of the next row in rows_
  bool has_more_ = false;         // more rows can be pulled
  std::optional<Error> failure_;  // returned after the rows that are here
  bolt::RowsResults results_;
};

}  // namespace cairn::query::attach
