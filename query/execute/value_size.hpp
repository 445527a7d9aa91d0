#pragma once
// How much memory a value keeps and how much work it is to look at, for accounting. Memory is what others do
// not share, found by a walk over that; work is the extent, which is known.

#include "codec/value_extent.hpp"

#include <cairn/value.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace cairn::query {

/// Bytes of the value itself and of what only it holds: content shared with other copies is theirs.
[[nodiscard]] std::size_t memory_bytes(const Value& value);
[[nodiscard]] std::size_t row_bytes(std::span<const Value> row);

/// Bytes beside the value itself, also where other copies share them; content within it that others
/// share is theirs.
[[nodiscard]] std::size_t content_bytes(const Value& value);

/// Steps of the budget that walking over a value takes: one a kilobyte of its extent, shared parts each
/// time. Constant.
[[nodiscard]] inline std::uint64_t steps_of(const Value& value) {
  return codec::extent_of(value).bytes / 1'024;
}

}  // namespace cairn::query
