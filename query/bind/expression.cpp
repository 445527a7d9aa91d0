// Out of line, because the header only declares what a MatchClause and a Query are.
#include "query/bind/expression.hpp"

#include "query/bind/bound_query.hpp"

namespace cairn::query {

// Here, where a MatchClause and a Query are complete.
Expression::Expression() = default;
Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;
Expression::~Expression() = default;

}  // namespace cairn::query
