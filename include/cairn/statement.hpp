#pragma once
// Statement: query text that is parsed once and run with parameters. Rows: its result, read row by
// row.
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
// A statement that only writes needs no rows: all its work is done when run() returns.
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

/// What a statement changed. Setting a property counts even if it has the value already; adding a
/// label that the node has does not count.
struct Changes {
  std::uint64_t nodes_created = 0;
  std::uint64_t nodes_deleted = 0;
  std::uint64_t relationships_created = 0;
  std::uint64_t relationships_deleted = 0;
  std::uint64_t properties_set = 0;
  std::uint64_t labels_added = 0;
  std::uint64_t labels_removed = 0;
  /// Made by CREATE INDEX and others. IF NOT EXISTS does not count if the index exists.
  std::uint64_t indexes_added = 0;
  std::uint64_t indexes_removed = 0;
  std::uint64_t constraints_added = 0;
  std::uint64_t constraints_removed = 0;

  friend bool operator==(const Changes&, const Changes&) = default;
};

/// The rows of a running statement.
///
/// Lifetime: keeps its snapshot alive. A writing statement has done all its writes, and in
/// auto-commit its commit, before the first row is returned. Threads: one at a time.
///
///     for (const Result<Row>& row : rows) {
///       CAIRN_TRY(row);
///       use((*row)["name"]);
///     }
///
/// On a snapshot, rows are computed when they are read, so unread rows cost nothing. In a
/// transaction, and for a writing statement, all rows are computed in advance and count towards
/// StatementOptions::memory_bytes.
class CAIRN_EXPORT Rows {
 public:
  Rows(Rows&&) noexcept;
  Rows& operator=(Rows&&) noexcept;
  ~Rows();

  /// The names of the columns, in order: the names after AS, or the texts of the expressions. Empty
  /// for a statement without RETURN. Lifetime: as long as these rows.
  [[nodiscard]] const std::vector<std::string>& columns() const noexcept;

  /// Reads the next row; returns nullopt after the last. The row is valid until the next call. It
  /// has one value per column; nodes and relationships are loaded. Errors: type_error and others
  /// from evaluating the row, resource_limit, cancelled. Cost: the plan's work for one row; sorting
  /// and grouping do all work before the first row.
  [[nodiscard]] Result<std::optional<Row>> next();

  class Iterator;
  /// Iterates over the remaining rows, as next() returns them: `for (const Result<Row>& row :
  /// rows)`. An error is the last element. Rows can be read only once.
  [[nodiscard]] Iterator begin();
  [[nodiscard]] static std::default_sentinel_t end() noexcept { return {}; }

  /// Returns all remaining rows. Their memory is in addition to the statement's limit; next() holds
  /// one row. Errors: those of next(); rows read before the error are lost.
  [[nodiscard]] Result<std::vector<std::vector<Value>>> all();

  /// What the statement changed; complete when run() has returned. Lifetime: as long as these rows.
  [[nodiscard]] const Changes& changes() const noexcept;
  /// Warnings, such as an unknown label with the nearest existing name, or hits that were discarded
  /// late. Complete after the last row. Lifetime: as long as these rows. Cost: the first call looks
  /// up names.
  [[nodiscard]] const std::vector<std::string>& warnings() const;
  /// Returns the plan of EXPLAIN and PROFILE as a tree of lines; empty for other statements. The
  /// plan of PROFILE is complete after the last row. EXPLAIN runs nothing, so it can explain a
  /// writing statement anywhere.
  [[nodiscard]] std::string plan() const;

  class Impl;

 private:
  friend struct Access;
  friend class Statement;
  explicit Rows(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Iterates over rows; see Rows::begin(). Valid as long as its Rows are not moved or destroyed.
class Rows::Iterator {
 public:
  using iterator_concept = std::input_iterator_tag;
  using value_type = Result<Row>;
  using difference_type = std::ptrdiff_t;

  explicit Iterator(Rows& rows) : rows_(&rows) { read(); }

  /// The current row, or the error that ended the rows.
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
  std::optional<Result<Row>> row_;  ///< nullopt after the last row
};

inline Rows::Iterator Rows::begin() { return Iterator(*this); }

/// A parsed statement. Parsing happens once. At each run, names are bound and, unless the text
/// determines it, a plan is made.
///
/// Threads: one statement may run on several threads at once.
/// Lifetime: independent of any database; rows keep what they need of the statement.
class CAIRN_EXPORT Statement {
 public:
  /// Parses one statement. Errors: parse_error with the range in the text and what was expected.
  /// Variables and functions are checked here. Unknown labels and properties are not errors, but
  /// cause Rows::warnings().
  [[nodiscard]] static Result<Statement> parse(std::string_view text);
  /// Parses a statement that may call the functions and procedures that are registered with this
  /// database now. The statement uses these, wherever it runs.
  [[nodiscard]] static Result<Statement> parse(std::string_view text, const Database& database);

  Statement(Statement&&) noexcept;
  Statement& operator=(Statement&&) noexcept;
  ~Statement();

  /// Runs the statement: a reading one on a new snapshot, a writing one in a transaction of its
  /// own.
  ///
  /// A writing statement commits before this call returns, if all of it succeeded. One with CALL { }
  /// IN TRANSACTIONS commits once for each batch of rows; its error says how many rows are committed.
  ///
  /// Errors of every run: invalid_argument for a missing parameter and for an invalid filter;
  /// type_error and others of evaluation; resource_limit and cancelled by `options`; io_error,
  /// corruption. Errors of a writing statement: also those of Database::begin() and
  /// Transaction::commit().
  [[nodiscard]] Result<Rows> run(Database& database, const Parameters& parameters = {},
                                 const StatementOptions& options = {}) const;
  /// Runs the statement in a transaction. It sees the changes of the transaction, including those
  /// of earlier statements. After an error of a writing statement, the transaction can only be
  /// rolled back. Errors: also conflict after the end of the transaction, invalid_argument for a
  /// writing statement in a reading transaction, unsupported for one that commits by itself.
  [[nodiscard]] Result<Rows> run(Transaction& transaction, const Parameters& parameters = {},
                                 const StatementOptions& options = {}) const;
  /// Runs the statement on a snapshot. Several statements on one snapshot see the same data.
  /// Errors: invalid_argument for a writing statement. Threads: any number at once.
  [[nodiscard]] Result<Rows> run(const Snapshot& snapshot, const Parameters& parameters = {},
                                 const StatementOptions& options = {}) const;

  /// True if the statement has a clause that changes something, so that it needs a writing
  /// transaction. False for EXPLAIN, which runs nothing; PROFILE runs the statement.
  [[nodiscard]] bool is_writing() const noexcept;
  /// Returns the least role that may run the statement, by its clauses and procedures. Needs
  /// <cairn/tokens.hpp>.
  ///
  /// read: the statement changes nothing, or is an EXPLAIN. write: it creates and changes records.
  /// forget: DELETE, db.expire(), and SET of @expires_at, which removes records too. admin:
  /// indexes, namespaces, tagging rules, files (LOAD CSV, BACKUP TO), and unknown or registered
  /// procedures. Registered functions require no role. Threads: any.
  [[nodiscard]] Role needed_role() const noexcept;

  class Impl;

 private:
  explicit Statement(std::shared_ptr<const Impl> impl);
  std::shared_ptr<const Impl> impl_;  // owners: this handle and the rows that run it
};

/// Parses and runs a statement in one call.
///
/// Errors: those of Statement::parse() and Statement::run(). Cost: parses and plans at each call,
/// so keep a Statement that runs often.
///
///     CAIRN_ASSIGN(Rows rows, execute(database, "MATCH (p:Person) RETURN p.name AS name"));
[[nodiscard]] CAIRN_EXPORT Result<Rows> execute(Database& database, std::string_view text,
                                                const Parameters& parameters = {},
                                                const StatementOptions& options = {});

/// Parses a literal of the language, as Value::to_text() writes it: without variables, parameters
/// or a database.
///
///     CAIRN_ASSIGN(const Value day, parse_literal("date('2026-01-01')"));
///
/// Calls of functions with constant arguments are evaluated, because temporal values and vectors
/// are written as calls. Errors: parse_error for a text that is not a literal; invalid_argument for
/// a call or sign that fails.
[[nodiscard]] CAIRN_EXPORT Result<Value> parse_literal(std::string_view text);

/// Splits text into statements at semicolons outside of strings, quoted names and comments. The
/// pieces are views into `text`, without semicolons; blank ones are omitted. An open string, name
/// or comment is part of the last piece, and a parse error of it. Lifetime: as long as `text`.
/// Cost: one pass.
[[nodiscard]] CAIRN_EXPORT std::vector<std::string_view> split_statements(std::string_view text);

/// True if more input must follow: text after the last semicolon, or an open string, name or
/// comment. For shells that read line by line. False for empty text, and for blanks and comments
/// after a semicolon.
[[nodiscard]] CAIRN_EXPORT bool ends_inside_statement(std::string_view text);

}  // namespace cairn
