#pragma once
// Cursor: the open result of one RUN, from which a client pulls rows in portions, and its summary.

#include "query/bolt/session.hpp"

#include <cairn/result.hpp>
#include <cairn/row.hpp>
#include <cairn/statement.hpp>
#include <cairn/value.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::query::bolt {

/// Properties of a statement that its result needs.
struct StatementKind {
  std::string_view type;  ///< "r", "w", "rw", or "s" for a statement that changes the schema
  bool wants_notifications = true;
};

/// Encoded rows that were produced before the client asked for them, in order.
class RowsAhead {
 public:
  [[nodiscard]] bool is_empty() const noexcept { return next_ == ends_.size(); }
  [[nodiscard]] std::size_t count() const noexcept { return ends_.size() - next_; }
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_.size(); }
  /// The first messages together, at most count().
  [[nodiscard]] std::string_view front(std::size_t messages) const noexcept;
  void add(std::string_view message);
  void drop_front(std::size_t messages) noexcept;

 private:
  std::string bytes_;
  std::vector<std::size_t> ends_;  // the end of each message in bytes_
  std::size_t next_ = 0;           // index of the first message
};

/// Threads: one at a time.
class Cursor {
 public:
  Cursor(Rows rows, const StatementKind& kind);

  /// Encodes a row as a message in chunks. The result is valid until the next call.
  using Encoder = std::function<std::string_view(const cairn::Row&)>;
  /// Takes one or more messages. Returns false to refuse them; the next call of Cursor::take() offers refused messages
  /// again.
  using Taker = std::function<bool(std::string_view)>;

  /// Passes at most `most` rows (-1: all) to `taker`. Returns true if there are more rows, or if the taker refused.
  /// Evaluates one row beyond the portion to know whether there are more; the next call returns an error of that row.
  [[nodiscard]] Result<bool> take(std::int64_t most, const Encoder& encode, const Taker& taker);
  /// Skips rows. Skipping all rows costs nothing, unless a profile must be completed.
  [[nodiscard]] Result<bool> drop(std::int64_t most);
  /// Produces rows for the next call while the client works on the last portion, at most as many as the last portion
  /// had. Stops if `enough` returns true, after 64 KiB, or if rows are slow, because rows that are never pulled would
  /// delay the next request.
  void prepare(const Encoder& encode, const std::function<bool()>& enough);

  /// True while rows remain to be computed. Only such a result holds its snapshot and is listed as running.
  [[nodiscard]] bool is_running() const noexcept { return is_running_; }
  /// Columns and results. The rows are read by the calls above.
  [[nodiscard]] const Rows& rows() const noexcept { return rows_; }
  [[nodiscard]] const StatementKind& kind() const noexcept { return kind_; }
  [[nodiscard]] bool has_given_rows() const noexcept { return has_given_rows_; }
  /// The time spent in the calls above.
  [[nodiscard]] std::chrono::nanoseconds time() const noexcept { return time_; }

 private:
  [[nodiscard]] Result<bool> take_untimed(std::int64_t most, const Encoder& encode,
                                          const Taker& taker);
  /// Produces at most `rows` rows in advance. Returns false at the end of the rows.
  [[nodiscard]] bool add_ahead(std::size_t rows, const Encoder& encode);
  /// Returns the next row without consuming it.
  [[nodiscard]] const Result<std::optional<cairn::Row>>& peek();
  /// Releases the snapshot if no row is left to compute. Called before a client may leave the result open for any time.
  void end_run();

  Rows rows_;
  StatementKind kind_;
  bool is_running_;
  RowsAhead ahead_;  // rows before next_
  std::optional<Result<std::optional<cairn::Row>>>
      next_;  // a row that was evaluated and not passed on
  bool has_given_rows_ = false;
  std::size_t last_count_ = 0;  // rows of the last portion
  std::chrono::nanoseconds time_{0};
};

// The summary of a result, which SUCCESS carries after the last row, and the plan of EXPLAIN and PROFILE in it.

/// Type, time, counters, plan and warnings. The caller adds the bookmark and the database.
[[nodiscard]] Map summary_of(const Cursor& cursor, Version version);

// The plan in the form that drivers expect: nested maps instead of the indented lines that the language prints.

/// A plan, with the last operator as root.
struct PlanMap {
  Map root;
  bool is_profile = false;
};

/// Parses the lines of a plan; nullopt if the text is empty. The children of an operator are the operators that feed it.
/// Each map has operatorType, identifiers, args and children; for a profile also rows, dbHits (ids and records read) and
/// time in nanoseconds.
[[nodiscard]] std::optional<PlanMap> plan_map(std::string_view text);

}  // namespace cairn::query::bolt
