#pragma once
// The predicates of openCypher, implemented naively from the definition. Query results are compared
// with this oracle, which shares no code with the query folder.

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
/// `operation` is one of = <> < <= > >= STARTS WITH, ENDS WITH, CONTAINS and IN. The right side of
/// IN is a list or null.
[[nodiscard]] Truth compare(const Value& a, std::string_view operation, const Value& b);

}  // namespace cairn::test
