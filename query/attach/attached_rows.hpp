#pragma once
// Rows of a statement that runs in the host: pulled in portions, or all at once.

#include "engine/database/handles.hpp"
#include "query/attach/work.hpp"

#include <cairn/options.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cairn::query::attach {

/// Threads: as of Rows. Several of one work share its connection.
class AttachedRows final : public Rows::Impl {
 public:
  /// Run a statement. `all`: take all of its rows now, as what writes and what is in a transaction has made them already.
  /// Errors: as of the statement; those of a lost connection.
  [[nodiscard]] static Result<std::unique_ptr<AttachedRows>> run(
      std::shared_ptr<Work> work, const engine::ForwardedStatement& statement, bool all,
      const CommitNote* note = nullptr);
  /// Rows that are here already.
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
      work_;  // owners: this, other rows and the handle; null once all rows are here
  const StatementOptions options_;
  std::int64_t portion_ = -1;  // rows to ask for; -1: all
  std::vector<std::string> columns_;
  std::int64_t number_ = 0;       // of the result
  std::vector<List> rows_;        // of the last portion
  std::size_t next_ = 0;          // of them
  bool has_more_ = false;         // in the host
  std::optional<Error> failure_;  // behind the rows that are here
  bolt::RowsResults results_;
};

}  // namespace cairn::query::attach
