#pragma once
// How much memory a value keeps and how much work it is to look at, for accounting.

#include <cairn/value.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace cairn::query {

/// Bytes of the value itself and of what only it holds: content shared with other copies is theirs.
[[nodiscard]] std::size_t memory_bytes(const Value& value);
[[nodiscard]] std::size_t row_bytes(std::span<const Value> row);

/// Steps of the budget that walking over a value takes: one a kilobyte, shared parts each time. Constant.
[[nodiscard]] std::uint64_t steps_of(const Value& value);

}  // namespace cairn::query
