// The two halves in a row; the tree lives no longer than its binding.
// Called for every Statement::parse, and again for each run where a filter is in a parameter.
#include "query/bind/parser.hpp"

#include "query/bind/binder.hpp"

namespace cairn::query {

Result<BoundStatement> parse_statement(std::string_view text, const ParseLimits& limits,
                                       const Parameters* parameters,
                                       RegisteredCallsPtr registered) {
  const SourceText source(text);
  CAIRN_ASSIGN(const ast::Statement statement, parse_syntax(source, limits));
  Binder binder(source, limits, parameters, registered.get());
  CAIRN_ASSIGN(BoundStatement bound, binder.bind_statement(statement));
  bound.registered = std::move(registered);
  return bound;
}

}  // namespace cairn::query
