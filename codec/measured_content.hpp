#pragma once
// What a value's list or map pointer points to: the content with its extent and its number behind it. Only
// the constructors of Value make such content, so that every list and map of a value has them.

#include "codec/value_extent.hpp"

#include <cstdint>
#include <utility>

namespace cairn::codec {

/// Of the items without the value that holds them.
[[nodiscard]] Extent measure(const List& items) noexcept;
[[nodiscard]] Extent measure(const Map& entries) noexcept;

/// Another one for each content that a thread makes, for four billion of them.
[[nodiscard]] std::uint32_t next_serial() noexcept;

struct MeasuredList final : List {
  explicit MeasuredList(List items) : List(std::move(items)), extent(measure(*this)) {}
  Extent extent;
  std::uint32_t serial = next_serial();
};

struct MeasuredMap final : Map {
  explicit MeasuredMap(Map entries) : Map(std::move(entries)), extent(measure(*this)) {}
  Extent extent;
  std::uint32_t serial = next_serial();
};

/// Tells a list or a map from what stood at its place in memory before; 0 for other values.
[[nodiscard]] std::uint32_t serial_of(const Value& value) noexcept;

}  // namespace cairn::codec
