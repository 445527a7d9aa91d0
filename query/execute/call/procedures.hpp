#pragma once
// The procedures that CALL can call.

#include <cairn/result.hpp>
#include <cairn/tokens.hpp>
#include <cairn/value.hpp>

#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace cairn::query {

struct BoundStatement;
struct CallClause;
struct ExecutionContext;

/// The rows of a procedure that makes them on demand.
class RowSource {
 public:
  virtual ~RowSource() = default;
  /// Reads the next row into `row`. Returns false at the end.
  [[nodiscard]] virtual Result<bool> next(std::vector<Value>& row) = 0;
};

/// An entry of the table of procedures.
struct Procedure {
  using Rows = std::vector<std::vector<Value>>;

  std::string_view name;    ///< in its documented case; calls ignore case
  Role role = Role::admin;  ///< least role that may call the procedure
  std::vector<std::string_view> columns;
  std::vector<std::string_view> parameters;  ///< names of optional parameters end in '?'
  /// Returns all rows at once.
  Result<Rows> (*run)(ExecutionContext& context, std::span<const Value> arguments) = nullptr;
  /// Used instead of `run` if there may be any number of rows. Such a procedure must not write.
  Result<std::unique_ptr<RowSource>> (*open)(ExecutionContext& context,
                                             std::span<const Value> arguments) = nullptr;
};

/// Returns the procedures of the language in the order of the table.
[[nodiscard]] std::span<const Procedure> builtin_procedures() noexcept;

/// True if the language has a procedure with this name, which must be in lower case.
[[nodiscard]] bool is_procedure(std::string_view name);

/// Returns the procedure with this name, which must be in lower case.
/// Errors: not_found, with the most similar name.
[[nodiscard]] Result<const Procedure*> find_procedure(std::string_view name);

/// Checks that each procedure that the statement calls exists, and has the columns that YIELD names. Also for EXPLAIN, and
/// for calls that get no row.
/// Errors: not_found, with the place of the name.
[[nodiscard]] Status check_procedures(const BoundStatement& statement);

/// Returns the least role that may call the procedure with this name, which must be in lower case.
/// Returns Role::read for an unknown name, so that the caller gets the error about the name.
[[nodiscard]] Role role_to_call(std::string_view name) noexcept;

/// Returns the procedure that a CALL calls. A registered procedure has neither `run` nor `open`,
/// and its names point into the clause.
/// Errors: as for find_procedure().
[[nodiscard]] Result<Procedure> procedure_of(const CallClause& clause);

}  // namespace cairn::query
