// Any text is a bound statement or an error with a place in it; what is parsed, is printed so that
// it is parsed again (in a few more brackets, sometimes).

#include "query/syntax/parser.hpp"
#include "query/syntax/printer.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace {

void check(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cairn;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const query::SourceText source(text);
  const auto tree = query::parse_syntax(source);
  const auto bound = query::parse_statement(text);
  if (!bound.has_value() && bound.error().where) check(bound.error().where->begin <= size);
  if (!tree.has_value()) {
    check(!bound.has_value());
    return 0;
  }
  const std::string printed = query::print(*tree);
  const query::SourceText again(printed);
  const auto same =
      query::parse_syntax(again, {.statement_bytes = printed.size(), .nesting_levels = 1000});
  check(same.has_value() && *same == *tree);
  return 0;
}
