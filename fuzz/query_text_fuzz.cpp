// Parses any text: the result is a statement, or an error with a position. A parsed statement is
// printed, and the printed text must parse again (it may have more brackets).

#include "fuzz/support/expect.hpp"
#include "query/bind/parser.hpp"
#include "query/syntax/printer.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cairn;
  using fuzz::expect;
  const std::string_view text = fuzz::text_of(data, size);
  const query::SourceText source(text);
  const auto tree = query::parse_syntax(source);
  const auto bound = query::parse_statement(text);
  if (!bound.has_value() && bound.error().where) expect(bound.error().where->begin <= size);
  if (!tree.has_value()) {
    expect(!bound.has_value());
    return 0;
  }
  const std::string printed = query::print(*tree);
  const query::SourceText again(printed);
  const auto same =
      query::parse_syntax(again, {.statement_bytes = printed.size(), .nesting_levels = 1000});
  expect(same.has_value() && *same == *tree);
  return 0;
}
