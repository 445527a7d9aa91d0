#pragma once
// What the tests of the parser share.

#include "query/syntax/printer.hpp"
#include "query/syntax/syntax_parser.hpp"

#include <string>
#include <string_view>

namespace cairn::test {

/// The statement in its canonical spelling, or the first line of the error.
[[nodiscard]] inline std::string spelling(std::string_view text,
                                          const query::ParseLimits& limits = {}) {
  const query::SourceText source(text);
  const auto tree = query::parse_syntax(source, limits);
  if (tree.has_value()) return query::print(*tree);
  return tree.error().message.substr(0, tree.error().message.find('\n'));
}

[[nodiscard]] inline std::string repeated(std::string_view text, std::size_t count) {
  std::string result;
  result.reserve(text.size() * count);
  for (std::size_t i = 0; i < count; ++i) result += text;
  return result;
}

}  // namespace cairn::test
