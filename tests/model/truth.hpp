#pragma once
// The predicates of openCypher, written down naively from its definition: the oracle that query
// results are compared with. Shares no code with the query folder.

#include <cairn/value.hpp>

#include <optional>
#include <string_view>

namespace cairn::test {

/// True, false, or nothing for null.
using Truth = std::optional<bool>;

[[nodiscard]] Truth negation(Truth a);
[[nodiscard]] Truth conjunction(Truth a, Truth b);
[[nodiscard]] Truth disjunction(Truth a, Truth b);
[[nodiscard]] Truth exclusive(Truth a, Truth b);

[[nodiscard]] Truth equal(const Value& a, const Value& b);
/// One of = <> < <= > >= STARTS WITH, ENDS WITH, CONTAINS and IN; the right side of IN is a list or
/// null.
[[nodiscard]] Truth compare(const Value& a, std::string_view operation, const Value& b);

}  // namespace cairn::test
