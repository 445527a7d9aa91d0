#pragma once
// Cursor: the open result of one RUN, of which a client takes rows when it wants them.

#include <cairn/result.hpp>
#include <cairn/row.hpp>
#include <cairn/statement.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::query::bolt {

/// What a cursor knows of its statement.
struct StatementKind {
  std::string_view type;  ///< "r", "w", "rw", or "s" for one that changes indexes and their like
  bool wants_notifications = true;
};

/// "r", "w", "rw" or "s", by what a statement does and whether it has columns.
[[nodiscard]] std::string_view type_of(const Statement& statement, const Rows& rows) noexcept;

/// Messages of rows that were evaluated before their client asked for them, in chunks and in order.
class RowsAhead {
 public:
  [[nodiscard]] bool is_empty() const noexcept { return next_ == ends_.size(); }
  [[nodiscard]] std::size_t count() const noexcept { return ends_.size() - next_; }
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_.size(); }
  /// The first ones together, at most count().
  [[nodiscard]] std::string_view front(std::size_t messages) const noexcept;
  void add(std::string_view message);
  void drop_front(std::size_t messages) noexcept;

 private:
  std::string bytes_;
  std::vector<std::size_t> ends_;  // of each message in it
  std::size_t next_ = 0;
};

/// Threads: one at a time.
class Cursor {
 public:
  Cursor(Rows rows, const StatementKind& kind) : rows_(std::move(rows)), kind_(kind) {}

  /// The message of a row, in chunks. It need not stay valid beyond the next one.
  using Encoder = std::function<std::string_view(const Row&)>;
  /// Takes one or more messages; false where no more are wanted, and then these stay the next ones.
  using Taker = std::function<bool(std::string_view)>;

  /// Give at most `most` rows, -1: all, and say whether there are more; true also where the taker wanted no more. It
  /// evaluates one row beyond them; an error of that one comes with the next call.
  [[nodiscard]] Result<bool> take(std::int64_t most, const Encoder& encode, const Taker& taker);
  /// The same without giving them. All of them cost nothing, but of a profile.
  [[nodiscard]] Result<bool> drop(std::int64_t most);
  /// Evaluate rows for the next call, as many as the last one gave, while its client works on those. It stops where there is
  /// `enough`, after 64 KiB, and after some 2 ms, where rows are slow: those that are never asked for would hold up
  /// what comes instead.
  void prepare(const Encoder& encode, const std::function<bool()>& enough);

  [[nodiscard]] const Rows& rows() const noexcept { return rows_; }
  [[nodiscard]] const StatementKind& kind() const noexcept { return kind_; }
  [[nodiscard]] bool has_given_rows() const noexcept { return has_given_rows_; }
  /// Spent in the calls above.
  [[nodiscard]] std::chrono::nanoseconds time() const noexcept { return time_; }

 private:
  [[nodiscard]] Result<bool> take_untimed(std::int64_t most, const Encoder& encode,
                                          const Taker& taker);
  /// Evaluate at most `rows` for later; false where there are no more.
  [[nodiscard]] bool add_ahead(std::size_t rows, const Encoder& encode);
  /// The next row, which stays the next one.
  [[nodiscard]] const Result<std::optional<Row>>& peek();

  Rows rows_;
  StatementKind kind_;
  RowsAhead ahead_;                                 // those before next_
  std::optional<Result<std::optional<Row>>> next_;  // what was evaluated and not given
  bool has_given_rows_ = false;
  std::size_t last_count_ = 0;  // rows of the last portion
  std::chrono::nanoseconds time_{0};
};

}  // namespace cairn::query::bolt
