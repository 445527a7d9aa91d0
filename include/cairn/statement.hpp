#pragma once
// Statement: query text, parsed once, run with parameters. Rows: its result, pulled row by row.
//
//     CAIRN_ASSIGN(const auto search, Statement::parse(
//         "MATCH (m:Memory) SEARCH m IN (VECTOR INDEX memories FOR $q WHERE m.topic IN $topics LIMIT 5) "
//         "SCORE AS s RETURN m.text, s"));
//     CAIRN_ASSIGN(Rows rows, search.run(database, {{"q", query}, {"topics", list_of({"rust"})}}));
//     while (true) {
//       CAIRN_ASSIGN(const auto row, rows.next());
//       if (!row) break;
//       std::cout << (*row)[0].to_text() << "\n";
//     }
//
// The language is described in LANGUAGE.md.

#include <cairn/database.hpp>
#include <cairn/export.hpp>
#include <cairn/options.hpp>
#include <cairn/result.hpp>
#include <cairn/snapshot.hpp>
#include <cairn/transaction.hpp>
#include <cairn/value.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {

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
  std::uint64_t indexes_added = 0;
  std::uint64_t indexes_removed = 0;

  friend bool operator==(const Changes&, const Changes&) = default;
};

/// The rows of a running statement.
///
/// Lifetime: keeps its snapshot alive. A writing statement has done all its writes, and in
/// auto-commit its commit, before the first row is handed out. Threads: one at a time.
class CAIRN_EXPORT Rows {
 public:
  Rows(Rows&&) noexcept;
  Rows& operator=(Rows&&) noexcept;
  ~Rows();

  /// Column names, in order; none for a statement without RETURN.
  [[nodiscard]] const std::vector<std::string>& columns() const noexcept;

  /// The next row, or nullopt after the last; the span is valid until the next call.
  /// Errors: type_error and the like from evaluating the row, resource_limit, cancelled.
  [[nodiscard]] Result<std::optional<std::span<const Value>>> next();

  /// All rows that are left. Memory: theirs, beyond the statement's own limit; next() holds one.
  [[nodiscard]] Result<std::vector<std::vector<Value>>> all();

  /// What the statement changed.
  [[nodiscard]] const Changes& changes() const noexcept;
  /// Remarks that are no errors: an unknown label with the nearest name, hits discarded late.
  [[nodiscard]] const std::vector<std::string>& warnings() const noexcept;
  /// The plan as a tree of lines, for EXPLAIN and PROFILE; PROFILE's is complete after the last row.
  [[nodiscard]] std::string plan() const;

  class Impl;

 private:
  friend class Statement;
  explicit Rows(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// A parsed statement. Parsing happens once; names are bound and the plan is made at each run.
///
/// Threads: one statement may run from several threads at once.
class CAIRN_EXPORT Statement {
 public:
  /// Parse one statement. Errors: parse_error with the range in the text and what was expected.
  [[nodiscard]] static Result<Statement> parse(std::string_view text);

  Statement(Statement&&) noexcept;
  Statement& operator=(Statement&&) noexcept;
  ~Statement();

  /// Run it by itself: a reading statement on a snapshot of now, a writing one as a transaction.
  [[nodiscard]] Result<Rows> run(Database& database, const Parameters& parameters = {},
                                 const StatementOptions& options = {}) const;
  /// Run it inside a transaction. An error of a writing statement leaves it for rollback only.
  [[nodiscard]] Result<Rows> run(Transaction& transaction, const Parameters& parameters = {},
                                 const StatementOptions& options = {}) const;
  /// Run it on a snapshot. Errors: invalid_argument for a writing statement.
  [[nodiscard]] Result<Rows> run(const Snapshot& snapshot, const Parameters& parameters = {},
                                 const StatementOptions& options = {}) const;

  /// Whether it holds a clause that changes something, and so needs a writing transaction.
  [[nodiscard]] bool is_writing() const noexcept;

  class Impl;

 private:
  explicit Statement(std::shared_ptr<const Impl> impl);
  Result<std::shared_ptr<const Impl>> bound_with(const Parameters& parameters) const;
  std::shared_ptr<const Impl> impl_;  // owners: this handle and the rows that run it
};

/// Parse and run in one call.
///
/// Errors: those of Statement::parse and Statement::run. Cost: parsing and planning at
/// each call; a statement that runs often is worth keeping.
[[nodiscard]] CAIRN_EXPORT Result<Rows> execute(Database& database, std::string_view text,
                                                const Parameters& parameters = {},
                                                const StatementOptions& options = {});

/// Read a literal of the language, as Value::to_text writes it: no variables, parameters or database.
/// Errors: parse_error.
[[nodiscard]] CAIRN_EXPORT Result<Value> parse_literal(std::string_view text);

/// Split text into statements at semicolons outside of strings, quoted names and comments.
/// The pieces lie in `text`; blank ones are left out.
[[nodiscard]] CAIRN_EXPORT std::vector<std::string_view> split_statements(std::string_view text);

/// Whether more must follow: text after the last semicolon, or an open string, name or comment.
[[nodiscard]] CAIRN_EXPORT bool ends_inside_statement(std::string_view text);

}  // namespace cairn
