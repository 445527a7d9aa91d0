#pragma once
// Statement: query text, parsed once, run with parameters. Rows: its result, pulled row by row.
//
//     CAIRN_ASSIGN(const auto search, Statement::parse(
//         "MATCH (m:Memory) SEARCH m IN (VECTOR INDEX memories FOR $q WHERE m.topic IN $topics LIMIT 5) "
//         "SCORE AS s RETURN m.text, s"));
//     CAIRN_ASSIGN(Rows rows, search.run(database, {{"q", query}, {"topics", list_of({"rust"})}}));
//     for (const Result<Row>& row : rows) {
//       CAIRN_TRY(row);
//       std::cout << (*row)["m.text"].to_text() << " " << (*row)["s"].to_text() << "\n";
//     }
//
// A statement that only writes needs no rows: all of its work is done when run() returns.
//
//     CAIRN_TRY(execute(database, "CREATE (:Person {name: $name})", {{"name", "Ada"}}));
//
// The language is described in LANGUAGE.md.

#include <cairn/database.hpp>
#include <cairn/options.hpp>
#include <cairn/result.hpp>
#include <cairn/row.hpp>
#include <cairn/snapshot.hpp>
#include <cairn/transaction.hpp>
#include <cairn/value.hpp>
#include <cairn/visibility.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {

enum class Role : std::uint8_t;  // tokens.hpp

/// What a statement changed. Only what was different afterwards is counted: a property that is set to
/// the value it has counts as set, a label that was there already does not count.
struct Changes {
  std::uint64_t nodes_created = 0;
  std::uint64_t nodes_deleted = 0;
  std::uint64_t relationships_created = 0;
  std::uint64_t relationships_deleted = 0;
  std::uint64_t properties_set = 0;
  std::uint64_t labels_added = 0;
  std::uint64_t labels_removed = 0;
  /// By CREATE INDEX and its like; IF NOT EXISTS on one that is there counts nothing.
  std::uint64_t indexes_added = 0;
  std::uint64_t indexes_removed = 0;
  std::uint64_t constraints_added = 0;
  std::uint64_t constraints_removed = 0;

  friend bool operator==(const Changes&, const Changes&) = default;
};

/// The rows of a running statement.
///
/// Lifetime: keeps its snapshot alive. A writing statement has done all its writes, and in
/// auto-commit its commit, before the first row is handed out. Threads: one at a time.
///
///     for (const Result<Row>& row : rows) {
///       CAIRN_TRY(row);
///       use((*row)["name"]);
///     }
///
/// On a snapshot rows are made while they are asked for: an unread rest costs nothing. In a
/// transaction, and of a writing statement, all are there already and count towards
/// StatementOptions::memory_bytes.
class CAIRN_EXPORT Rows {
 public:
  Rows(Rows&&) noexcept;
  Rows& operator=(Rows&&) noexcept;
  ~Rows();

  /// Column names, in order; none for a statement without RETURN.
  /// "AS" names or the text of the expression.
  /// Lifetime: as long as these rows.
  [[nodiscard]] const std::vector<std::string>& columns() const noexcept;

  /// The next row, or nullopt after the last; the row is valid until the next call.
  /// Errors: type_error and the like from evaluating the row, resource_limit, cancelled.
  /// One value a column; nodes and relationships are loaded.
  /// Cost: what the plan does for a row; sorting and grouping do all of it before the first one.
  [[nodiscard]] Result<std::optional<Row>> next();

  class Iterator;
  /// For `for (const Result<Row>& row : rows)`: the rows that are left, each as next() gives it. An error
  /// is the last element. One pass: what was read is not read again.
  [[nodiscard]] Iterator begin();
  [[nodiscard]] static std::default_sentinel_t end() noexcept { return {}; }

  /// All rows that are left. Memory: theirs, beyond the statement's own limit; next() holds one.
  /// Errors: as of next(); the rows read before one are dropped.
  [[nodiscard]] Result<std::vector<std::vector<Value>>> all();

  /// What the statement changed.
  /// Complete when run() has returned.
  /// Lifetime: as long as these rows.
  [[nodiscard]] const Changes& changes() const noexcept;
  /// Remarks that are no errors: an unknown label with the nearest name, hits discarded late.
  /// Complete after the last row.
  /// Lifetime: as long as these rows. Cost: names are looked up when this is asked first.
  [[nodiscard]] const std::vector<std::string>& warnings() const;
  /// The plan as a tree of lines, for EXPLAIN and PROFILE; PROFILE's is complete after the last row.
  /// Empty for other statements. EXPLAIN runs nothing, and so may explain a writing statement
  /// anywhere.
  [[nodiscard]] std::string plan() const;

  class Impl;

 private:
  friend struct Access;
  friend class Statement;
  explicit Rows(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Goes through rows; see Rows::begin(). Valid while its Rows are and are not moved.
class Rows::Iterator {
 public:
  using iterator_concept = std::input_iterator_tag;
  using value_type = Result<Row>;
  using difference_type = std::ptrdiff_t;

  explicit Iterator(Rows& rows) : rows_(&rows) { read(); }

  /// The row at which it stands, or the error that ended the rows.
  [[nodiscard]] const Result<Row>& operator*() const { return *row_; }
  [[nodiscard]] const Result<Row>* operator->() const { return &*row_; }
  Iterator& operator++() {
    read();
    return *this;
  }
  void operator++(int) { read(); }
  friend bool operator==(const Iterator& iterator, std::default_sentinel_t) noexcept {
    return !iterator.row_.has_value();
  }

 private:
  CAIRN_EXPORT void read();

  Rows* rows_;
  std::optional<Result<Row>> row_;  ///< nothing behind the last one
};

inline Rows::Iterator Rows::begin() { return Iterator(*this); }

/// A parsed statement. Parsing happens once; names are bound at each run, and the plan is made then where the text
/// alone does not settle it.
///
/// Threads: one statement may run from several threads at once.
/// Lifetime: it needs no database and outlives any; rows keep what they need of it.
class CAIRN_EXPORT Statement {
 public:
  /// Parse one statement. Errors: parse_error with the range in the text and what was expected.
  /// Variables and functions are checked here; labels and properties that no record
  /// has are no errors but Rows::warnings().
  [[nodiscard]] static Result<Statement> parse(std::string_view text);
  /// The same for a statement that may call the functions and procedures of this database's program, as they
  /// are registered now. It keeps them, wherever it runs.
  [[nodiscard]] static Result<Statement> parse(std::string_view text, const Database& database);

  Statement(Statement&&) noexcept;
  Statement& operator=(Statement&&) noexcept;
  ~Statement();

  /// Run it: a reading statement on a snapshot of now, a writing one as a transaction.
  ///
  /// A writing one commits before this returns, once and only if all of it succeeded.
  /// Errors of every run: invalid_argument for a parameter that is needed and not given and for an
  /// invalid filter; type_error and the like of evaluating; resource_limit and cancelled by
  /// `options`; io_error, corruption. Of a writing one also those of Database::begin() and
  /// Transaction::commit().
  [[nodiscard]] Result<Rows> run(Database& database, const Parameters& parameters = {},
                                 const StatementOptions& options = {}) const;
  /// Run it inside a transaction. An error of a writing statement leaves it for rollback only.
  /// It sees the changes of the transaction and of statements before it.
  /// Errors: also conflict after the transaction's end, invalid_argument for a writing statement in
  /// a reading transaction.
  [[nodiscard]] Result<Rows> run(Transaction& transaction, const Parameters& parameters = {},
                                 const StatementOptions& options = {}) const;
  /// Run it on a snapshot. Errors: invalid_argument for a writing statement.
  /// Several statements on one snapshot see the same data. Threads: any number at once.
  [[nodiscard]] Result<Rows> run(const Snapshot& snapshot, const Parameters& parameters = {},
                                 const StatementOptions& options = {}) const;

  /// Whether it holds a clause that changes something, and so needs a writing transaction.
  /// Not with EXPLAIN before it; with PROFILE, which runs it, it has.
  [[nodiscard]] bool is_writing() const noexcept;
  /// The least role that may run it, by the highest of its clauses and procedures. Needs <cairn/tokens.hpp>.
  ///
  /// read: nothing changes, and EXPLAIN of whatever. write: records are made and changed. forget: DELETE, db.expire(),
  /// and SET of @expires_at, by which a record goes, too. admin: indexes, namespaces, tagging rules, files (LOAD CSV,
  /// BACKUP TO), and a procedure that is unknown or of the program. Functions of the program count nothing.
  /// Threads: any.
  [[nodiscard]] Role needed_role() const noexcept;

  class Impl;

 private:
  explicit Statement(std::shared_ptr<const Impl> impl);
  std::shared_ptr<const Impl> impl_;  // owners: this handle and the rows that run it
};

/// Parse and run in one call.
///
/// Errors: those of Statement::parse and Statement::run. Cost: parsing and planning at
/// each call; a statement that runs often is worth keeping.
///
///     CAIRN_ASSIGN(Rows rows, execute(database, "MATCH (p:Person) RETURN p.name AS name"));
[[nodiscard]] CAIRN_EXPORT Result<Rows> execute(Database& database, std::string_view text,
                                                const Parameters& parameters = {},
                                                const StatementOptions& options = {});

/// Read a literal of the language, as Value::to_text writes it: no variables, parameters or database.
///
///     CAIRN_ASSIGN(const Value day, parse_literal("date('2026-01-01')"));
///
/// Calls of functions of constants are evaluated, as temporal values and vectors are written so.
/// Errors: parse_error for a text that is not a literal; what such a call or a sign refuses, as
/// invalid_argument.
[[nodiscard]] CAIRN_EXPORT Result<Value> parse_literal(std::string_view text);

/// Split text into statements at semicolons outside of strings, quoted names and comments.
/// The pieces lie in `text`; blank ones are left out.
/// Semicolons belong to none of them. What is left open at the end is part of the last piece, whose
/// parsing tells.
/// Lifetime: as `text`.
/// Cost: one pass.
[[nodiscard]] CAIRN_EXPORT std::vector<std::string_view> split_statements(std::string_view text);

/// Whether more must follow: text after the last semicolon, or an open string, name or comment.
/// For shells that read line by line: false for blanks and comments behind a semicolon, and for no
/// text.
[[nodiscard]] CAIRN_EXPORT bool ends_inside_statement(std::string_view text);

}  // namespace cairn
