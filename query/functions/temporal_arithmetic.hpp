#pragma once
// Arithmetic of durations and points in time. Each gives nullopt where the operator has no meaning
// for the two types.

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <optional>

namespace cairn::query {

/// point + duration, duration + point, duration + duration.
[[nodiscard]] std::optional<Result<Value>> add_temporal(const Value& a, const Value& b);
/// point - duration, duration - duration.
[[nodiscard]] std::optional<Result<Value>> subtract_temporal(const Value& a, const Value& b);
/// duration * number, number * duration.
[[nodiscard]] std::optional<Result<Value>> multiply_temporal(const Value& a, const Value& b);
/// duration / number.
[[nodiscard]] std::optional<Result<Value>> divide_temporal(const Value& a, const Value& b);

}  // namespace cairn::query
