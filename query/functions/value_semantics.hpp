#pragma once
// What the language means by equality, order and arithmetic of values. Three-valued logic: a null
// result stands for "unknown".
//
// What walks a value takes time by its extent, which the caller counts before (holding.hpp); what copies
// parts of one takes the statement's limits.

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace cairn::engine {
class Limits;
}

namespace cairn::query {

/// a = b; nullopt is unknown. Numbers by value across types, lists and maps element by element.
[[nodiscard]] std::optional<bool> equals(const Value& a, const Value& b);
/// Sameness for DISTINCT, grouping and set operations: null is the same as null, NaN as NaN.
[[nodiscard]] bool equivalent(const Value& a, const Value& b);
/// A hash that is equal for equivalent values.
[[nodiscard]] std::uint64_t hash_value(const Value& value);
/// a < b by comparability: negative, zero, positive; nullopt where the two cannot be compared
/// (null, different types, NaN has its own rule in the evaluator).
[[nodiscard]] std::optional<int> compare(const Value& a, const Value& b);

/// x IN list; nullopt is unknown. Errors: type_error where the second is not a list.
[[nodiscard]] Result<Value> is_in(const Value& value, const Value& list);

[[nodiscard]] Result<Value> add(const Value& a,
                                const Value& b);  ///< numbers, text, lists, temporals
[[nodiscard]] Result<Value> subtract(const Value& a, const Value& b);
[[nodiscard]] Result<Value> multiply(const Value& a, const Value& b);
[[nodiscard]] Result<Value> divide(const Value& a, const Value& b);
[[nodiscard]] Result<Value> modulo(const Value& a, const Value& b);
[[nodiscard]] Result<Value> power(const Value& a, const Value& b);
[[nodiscard]] Result<Value> negate(const Value& a);
/// list[i], map[k]
[[nodiscard]] Result<Value> subscript(const Value& container, const Value& key,
                                      engine::Limits* limits = nullptr);
[[nodiscard]] Result<Value> slice(const Value& list, const Value* from, const Value* to,
                                  engine::Limits* limits = nullptr);
/// Member of a map or component of a temporal value; null of null. Entities are the evaluator's.
[[nodiscard]] Result<Value> member(const Value& value, std::string_view name,
                                   engine::Limits* limits = nullptr);
/// =~: whole-string match in linear time (RE2). Errors: invalid_argument for a bad pattern; those of `limits`, which
/// stop it in a long text too.
[[nodiscard]] Result<Value> matches_pattern(const Value& text, const Value& pattern,
                                            engine::Limits* limits = nullptr);

}  // namespace cairn::query
