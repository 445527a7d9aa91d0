#pragma once
// The rows of a statement that runs in this process: produced while they are read, or all produced in advance.

#include "engine/database/handles.hpp"
#include "query/run/running_statement.hpp"

#include <cairn/statement.hpp>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cairn::query {

/// Rows of a running statement. The members are destroyed in reverse order: the run first, then the view and the
/// statement that it refers to.
class StreamedRows final : public Rows::Impl {
 public:
  /// Both are shared with the handles that they come from.
  StreamedRows(std::shared_ptr<const void> statement, std::shared_ptr<const engine::View> view,
               std::unique_ptr<RunningStatement> run)
      : statement_(std::move(statement)), view_(std::move(view)), run_(std::move(run)) {}

  const std::vector<std::string>& columns() const noexcept override { return run_->columns(); }
  Result<std::optional<std::span<const Value>>> next() override;
  const Changes& changes() const noexcept override { return run_->changes(); }
  const std::vector<std::string>& warnings() const override { return run_->warnings(); }
  std::string plan() const override { return run_->plan(); }

 private:
  std::shared_ptr<const void> statement_;
  std::shared_ptr<const engine::View> view_;
  std::unique_ptr<RunningStatement> run_;
};

/// Rows that outlive their run: those of a transaction or of a command.
class MadeRows final : public Rows::Impl {
 public:
  MadeRows() = default;
  /// The result of a finished command without rows.
  explicit MadeRows(const Changes& changes) : changes_(changes) {}
  /// The result of a call with one value.
  MadeRows(std::string column, Value value);
  /// The results of rows that were all read, without the rows.
  explicit MadeRows(const Rows& read);

  /// Appends a row, and moves its values.
  void add(std::span<Value> row);
  /// Takes columns, changes, warnings and plan from a run that has ended.
  void take_results(RunningStatement& run);

  const std::vector<std::string>& columns() const noexcept override { return columns_; }
  Result<std::optional<std::span<const Value>>> next() override;
  const Changes& changes() const noexcept override { return changes_; }
  const std::vector<std::string>& warnings() const override { return warnings_; }
  std::string plan() const override { return plan_; }
  const std::vector<List>* made() const noexcept override { return next_ == 0 ? &rows_ : nullptr; }

 private:
  std::vector<std::string> columns_;
  Changes changes_;
  std::vector<std::string> warnings_;
  std::string plan_;
  std::vector<List> rows_;
  std::size_t next_ = 0;
};

/// Reads all rows of a run, for statements that must finish before the caller sees any row. Errors: those of the run;
/// resource_limit.
[[nodiscard]] Result<std::unique_ptr<MadeRows>> drain(RunningStatement& run);

}  // namespace cairn::query
