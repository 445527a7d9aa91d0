#include "tests/query/functions/support.hpp"

#include "query/builtins/registry.hpp"

#include <boost/test/unit_test.hpp>

namespace cairn::query::test {

Result<Value> call(std::string_view name, const std::vector<Value>& arguments,
                   const FunctionContext& context) {
  const FunctionEntry* entry = find_function(name);
  BOOST_REQUIRE_MESSAGE(entry && entry->call, "no function " << name);
  BOOST_REQUIRE_GE(arguments.size(), entry->least_arguments);
  BOOST_REQUIRE_LE(arguments.size(), entry->most_arguments);
  return entry->call(arguments, context);
}

std::string text_of(const Result<Value>& result) {
  if (!result) return "error: " + std::string(to_string(result.error().code));
  return result->to_text();
}

void check_calls(std::initializer_list<CallCase> cases) {
  for (const auto& [function, arguments, expected] : cases) {
    const Result<Value> result = call(function, arguments);
    const std::string message = result ? "" : ": " + result.error().message;
    BOOST_CHECK_MESSAGE(
        text_of(result) == expected,
        function << " of " << Value(List(arguments.begin(), arguments.end())).to_text() << " gave "
                 << text_of(result) << message << ", expected " << expected);
  }
}

Result<Value> aggregated(std::string_view name, const std::vector<Value>& values,
                         const std::vector<Value>& constants) {
  const FunctionEntry* entry = find_function(name);
  BOOST_REQUIRE_MESSAGE(entry && entry->make_aggregator, "no aggregate function " << name);
  const auto collector = entry->make_aggregator();
  for (const Value& value : values) {
    std::vector<Value> arguments{value};
    arguments.insert(arguments.end(), constants.begin(), constants.end());
    CAIRN_TRY(collector->add(arguments));
  }
  return collector->finish(nullptr);
}

Value temporal(std::string_view type, std::string_view text) {
  const auto result = call(type, {Value(text)});
  if (!result) BOOST_FAIL(type << "('" << text << "'): " << result.error().message);
  return *result;
}

}  // namespace cairn::query::test
