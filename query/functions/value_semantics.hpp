#pragma once
// Equality, order, arithmetic and access of values, with three-valued logic: a null result means "unknown".
//
// Functions that walk over a value take time in proportion to its extent. The caller counts this time as steps before
// (holding.hpp). Functions that copy parts of a value take the limits of the statement.

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace cairn::engine {
class Limits;
}

namespace cairn::query {

/// a = b; nullopt means unknown. Numbers are compared by value across types, lists and maps element by element.
[[nodiscard]] std::optional<bool> equals(const Value& a, const Value& b);
/// Equivalence for DISTINCT, grouping and set operations: null equals null, and NaN equals NaN.
[[nodiscard]] bool equivalent(const Value& a, const Value& b);
/// Returns equal hashes for equivalent values.
[[nodiscard]] std::uint64_t hash_value(const Value& value);
/// Compares for <, <=, > and >=: returns a negative number, 0 or a positive number. Returns nullopt if the values
/// have no order: null, NaN or different types. The evaluator treats NaN separately.
[[nodiscard]] std::optional<int> compare(const Value& a, const Value& b);

/// x IN list; a null result means unknown. Errors: type_error if the second value is not a list.
[[nodiscard]] Result<Value> is_in(const Value& value, const Value& list);

/// a + b, for numbers, texts, lists and temporal values. The other operators are for numbers; -, * and / are for temporal
/// values, too.
[[nodiscard]] Result<Value> add(const Value& a, const Value& b);
[[nodiscard]] Result<Value> subtract(const Value& a, const Value& b);
[[nodiscard]] Result<Value> multiply(const Value& a, const Value& b);
[[nodiscard]] Result<Value> divide(const Value& a, const Value& b);
[[nodiscard]] Result<Value> modulo(const Value& a, const Value& b);
[[nodiscard]] Result<Value> power(const Value& a, const Value& b);
[[nodiscard]] Result<Value> negate(const Value& a);
/// list[i] or map[k]
[[nodiscard]] Result<Value> subscript(const Value& container, const Value& key,
                                      engine::Limits* limits = nullptr);
/// list[from..to]. nullptr means an open bound; a null value makes the result null.
[[nodiscard]] Result<Value> slice(const Value& list, const Value* from, const Value* to,
                                  engine::Limits* limits = nullptr);
/// Reads a map entry or a component of a temporal value; null for null. The evaluator reads properties of entities.
[[nodiscard]] Result<Value> member(const Value& value, std::string_view name,
                                   engine::Limits* limits = nullptr);
/// The operator =~, a match of the whole text in linear time (RE2). Errors: invalid_argument for an invalid pattern;
/// errors of `limits`, which also stop a match of a long text.
[[nodiscard]] Result<Value> matches_pattern(const Value& text, const Value& pattern,
                                            engine::Limits* limits = nullptr);

}  // namespace cairn::query
