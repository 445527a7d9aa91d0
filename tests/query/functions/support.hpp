#pragma once
// Short words for the cases of these tests: calling functions by name, and what came of it.

#include "query/functions/function_entry.hpp"

#include <cairn/value.hpp>

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::query::test {

/// The function's result; a call that the registry would not allow is a failed requirement.
[[nodiscard]] Result<Value> call(std::string_view name, const std::vector<Value>& arguments,
                                 const FunctionContext& context = {});

/// The result as a literal, or "error: " and the error's code.
[[nodiscard]] std::string text_of(const Result<Value>& result);
[[nodiscard]] inline std::string called(std::string_view name,
                                        const std::vector<Value>& arguments) {
  return text_of(call(name, arguments));
}

/// A call and what it must give, as text_of() writes it.
struct CallCase {
  std::string_view function;
  std::vector<Value> arguments;
  std::string_view expected;
};
void check_calls(std::initializer_list<CallCase> cases);

/// What an aggregate function makes of these values, one row each.
[[nodiscard]] Result<Value> aggregated(std::string_view name, const std::vector<Value>& values,
                                       const std::vector<Value>& constants = {});

/// A temporal value from its text, by the function of this name.
[[nodiscard]] Value temporal(std::string_view type, std::string_view text);

}  // namespace cairn::query::test
