// Special members of Expression. The header only declares MatchClause and Query, so they cannot be inline.
#include "query/bind/expression.hpp"

#include "query/bind/bound_query.hpp"

namespace cairn::query {

Expression::Expression() = default;
Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;
Expression::~Expression() = default;

}  // namespace cairn::query
