#pragma once
// How much memory a value keeps, for accounting.

#include <cairn/value.hpp>

#include <cstddef>
#include <span>

namespace cairn::query {

/// Bytes of the value itself and of what only it holds: content shared with other copies is theirs.
[[nodiscard]] std::size_t memory_bytes(const Value& value);
[[nodiscard]] std::size_t row_bytes(std::span<const Value> row);

}  // namespace cairn::query
