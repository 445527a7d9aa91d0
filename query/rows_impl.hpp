#pragma once
// What is behind a Rows handle: a run that is still going on, or all of its rows.

#include "query/run/running_statement.hpp"

#include <cairn/statement.hpp>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cairn {

class Rows::Impl {
 public:
  Impl() = default;
  /// Of a command that gives no rows and is done.
  explicit Impl(const Changes& changes) : changes_(changes) {}
  /// A run that goes on, with what it reads from. Owners of both: this and the handles they are of.
  Impl(std::shared_ptr<const void> statement, std::shared_ptr<const engine::View> view,
       std::unique_ptr<query::RunningStatement> run);

  void add(std::span<Value> row);
  /// Columns, changes, warnings and plan of a run that has ended.
  void take_results(query::RunningStatement& run);

  [[nodiscard]] const std::vector<std::string>& columns() const noexcept;
  [[nodiscard]] Result<std::optional<std::span<const Value>>> next();
  [[nodiscard]] const Changes& changes() const noexcept;
  [[nodiscard]] const std::vector<std::string>& warnings() const;
  [[nodiscard]] std::string plan() const;

 private:
  std::shared_ptr<const void> statement_;
  std::shared_ptr<const engine::View> view_;
  std::unique_ptr<query::RunningStatement> run_;  // null where everything is below
  std::vector<std::string> columns_;
  Changes changes_;
  std::vector<std::string> warnings_;
  std::string plan_;
  std::vector<std::vector<Value>> rows_;
  std::size_t next_ = 0;
};

}  // namespace cairn
