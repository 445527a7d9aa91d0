#pragma once
// The rows of a statement that runs in this process: made while they are asked for, or all made before.

#include "engine/database/handles.hpp"
#include "query/run/running_statement.hpp"

#include <cairn/statement.hpp>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cairn::query {

/// A run that goes on. What it points into is owned in the order in which it may go: the run first.
class StreamedRows final : public Rows::Impl {
 public:
  /// Owners of statement and view: this and the handles they are of.
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

/// Rows that outlive their run: a transaction's, or those of a command.
class MadeRows final : public Rows::Impl {
 public:
  MadeRows() = default;
  /// Of a command that gives no rows and is done.
  explicit MadeRows(const Changes& changes) : changes_(changes) {}
  /// Of a call that gives one value.
  MadeRows(std::string column, Value value);

  void add(std::span<Value> row);
  /// Columns, changes, warnings and plan of a run that has ended.
  void take_results(RunningStatement& run);
  /// The same of other rows, which have all been taken.
  void take_results(const Rows& rows);

  const std::vector<std::string>& columns() const noexcept override { return columns_; }
  Result<std::optional<std::span<const Value>>> next() override;
  const Changes& changes() const noexcept override { return changes_; }
  const std::vector<std::string>& warnings() const override { return warnings_; }
  std::string plan() const override { return plan_; }

 private:
  std::vector<std::string> columns_;
  Changes changes_;
  std::vector<std::string> warnings_;
  std::string plan_;
  std::vector<std::vector<Value>> rows_;
  std::size_t next_ = 0;
};

}  // namespace cairn::query
