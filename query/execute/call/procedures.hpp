#pragma once
// The procedures that CALL knows, by table.

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <span>
#include <string_view>
#include <vector>

namespace cairn::query {

struct ExecutionContext;

struct Procedure {
  using Rows = std::vector<std::vector<Value>>;

  std::string_view name;  ///< as it is written; found in any case
  std::vector<std::string_view> columns;
  std::vector<std::string_view> parameters;  ///< those that may be left out end in '?'
  Result<Rows> (*run)(ExecutionContext& context, std::span<const Value> arguments) = nullptr;
};

/// The procedure of this name in lower case. Errors: not_found with the nearest name.
[[nodiscard]] Result<const Procedure*> find_procedure(std::string_view name);

}  // namespace cairn::query
