// Parses and binds a statement. The syntax tree is discarded afterwards. Statement::parse() calls this function, and
// calls it again if a run passes a filter of a new form in a parameter.
#include "query/bind/parser.hpp"

#include "query/bind/binder.hpp"

namespace cairn::query {

Result<BoundStatement> parse_statement(std::string_view text, const ParseLimits& limits,
                                       const Parameters* parameters, RegisteredCallsPtr registered,
                                       FilterOperands operands, IsProcedure is_procedure) {
  const SourceText source(text);
  CAIRN_ASSIGN(const ast::Statement statement, parse_syntax(source, limits));
  Binder binder(source, limits, parameters, registered.get(), operands, is_procedure);
  CAIRN_ASSIGN(BoundStatement bound, binder.bind_statement(statement));
  bound.registered = std::move(registered);
  return bound;
}

}  // namespace cairn::query
