#pragma once
// The procedures that CALL knows, by table.

#include <cairn/result.hpp>
#include <cairn/tokens.hpp>
#include <cairn/value.hpp>

#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace cairn::query {

struct CallClause;
struct ExecutionContext;

/// Rows of a procedure that are made as they are asked for.
class RowSource {
 public:
  virtual ~RowSource() = default;
  /// The next row into `row`; false at the end.
  [[nodiscard]] virtual Result<bool> next(std::vector<Value>& row) = 0;
};

struct Procedure {
  using Rows = std::vector<std::vector<Value>>;

  std::string_view name;    ///< as it is written; found in any case
  Role role = Role::admin;  ///< the least one that may call it
  std::vector<std::string_view> columns;
  std::vector<std::string_view> parameters;  ///< those that may be left out end in '?'
  Result<Rows> (*run)(ExecutionContext& context, std::span<const Value> arguments) = nullptr;
  /// Instead of `run`, where there may be any number of rows. Such a procedure does not write.
  Result<std::unique_ptr<RowSource>> (*open)(ExecutionContext& context,
                                             std::span<const Value> arguments) = nullptr;
};

/// The procedures of the language, in the order of the table.
[[nodiscard]] std::span<const Procedure> builtin_procedures() noexcept;

/// The procedure of this name in lower case. Errors: not_found with the nearest name.
[[nodiscard]] Result<const Procedure*> find_procedure(std::string_view name);

/// The least role that may call the procedure of this name in lower case. Whoever calls one that is not there is told
/// so: read for an unknown name.
[[nodiscard]] Role role_to_call(std::string_view name) noexcept;

/// What a CALL calls. One of the program has neither `run` nor `open`; it points into the clause's own.
/// Errors: as find_procedure().
[[nodiscard]] Result<Procedure> procedure_of(const CallClause& clause);

}  // namespace cairn::query
