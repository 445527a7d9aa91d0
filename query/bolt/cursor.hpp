#pragma once
// Cursor: the open result of one RUN, of which a client takes rows when it wants them.

#include <cairn/result.hpp>
#include <cairn/row.hpp>
#include <cairn/statement.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace cairn::query::bolt {

/// What a cursor knows of its statement.
struct StatementKind {
  std::string_view type;  ///< "r", "w", "rw", or "s" for one that changes indexes and their like
  bool wants_notifications = true;
};

/// "r", "w", "rw" or "s", by what a statement does and whether it has columns.
[[nodiscard]] std::string_view type_of(const Statement& statement, const Rows& rows) noexcept;

/// Threads: one at a time.
class Cursor {
 public:
  Cursor(Rows rows, const StatementKind& kind) : rows_(std::move(rows)), kind_(kind) {}

  /// Takes a row; false where no more are wanted.
  using Taker = std::function<bool(const Row&)>;

  /// Give at most `most` rows, -1: all, and say whether there are more; true also where the taker wanted no more. It
  /// evaluates one row beyond them; an error of that one comes with the next call.
  [[nodiscard]] Result<bool> take(std::int64_t most, const Taker& taker);
  /// The same without giving them. All of them cost nothing, but of a profile.
  [[nodiscard]] Result<bool> drop(std::int64_t most);

  [[nodiscard]] const Rows& rows() const noexcept { return rows_; }
  [[nodiscard]] const StatementKind& kind() const noexcept { return kind_; }
  [[nodiscard]] bool has_given_rows() const noexcept { return has_given_rows_; }
  /// Spent in the two calls above.
  [[nodiscard]] std::chrono::nanoseconds time() const noexcept { return time_; }

 private:
  [[nodiscard]] Result<bool> take_untimed(std::int64_t most, const Taker& taker);
  /// The next row, which stays the next one.
  [[nodiscard]] const Result<std::optional<Row>>& peek();

  Rows rows_;
  StatementKind kind_;
  std::optional<Result<std::optional<Row>>> next_;  // what was evaluated and not given
  bool has_given_rows_ = false;
  std::chrono::nanoseconds time_{0};
};

}  // namespace cairn::query::bolt
