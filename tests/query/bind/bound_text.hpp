#pragma once
// A bound statement as text, one clause a line, for golden files: #3 is slot 3.

#include "query/bind/bound_query.hpp"

#include <string>

namespace cairn::test {

[[nodiscard]] std::string bound_text(const query::BoundStatement& statement);
[[nodiscard]] std::string bound_text(const query::Expression& expression);

}  // namespace cairn::test
