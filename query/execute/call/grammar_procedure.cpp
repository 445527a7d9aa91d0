// A program that writes statements, or lets a model write them, can ask the database itself for its grammar.
#include "query/execute/call/builtin_procedures.hpp"

#include "query/functions/call.hpp"

#include <cairn/language_grammar.hpp>

#include <string>

namespace cairn::query {
namespace {

Result<std::vector<Value>> grammar_row(std::string_view format) {
  CAIRN_ASSIGN(std::string text, language_grammar(format));
  return std::vector<Value>{Value(format), Value(std::move(text))};
}

}  // namespace

Result<Procedure::Rows> give_grammar(ExecutionContext&, std::span<const Value> arguments) {
  Procedure::Rows rows;
  if (!arguments.empty()) {
    const std::string* format = arguments[0].string();
    if (format == nullptr)
      return Error{ErrorCode::type_error,
                   "the format of a grammar is a string, got " + shown(arguments[0]), std::nullopt};
    CAIRN_ASSIGN(auto row, grammar_row(*format));
    rows.push_back(std::move(row));
    return rows;
  }
  for (const std::string_view format : grammar_formats) {
    CAIRN_ASSIGN(auto row, grammar_row(format));
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace cairn::query
