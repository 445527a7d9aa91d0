#pragma once
// What a value's list or map pointer points to: the content with its extent behind it. Only the
// constructors of Value make such content, so that every list and map of a value has one.

#include "codec/value_extent.hpp"

#include <utility>

namespace cairn::codec {

/// Of the items without the value that holds them.
[[nodiscard]] Extent measure(const List& items) noexcept;
[[nodiscard]] Extent measure(const Map& entries) noexcept;

struct MeasuredList final : List {
  explicit MeasuredList(List items) : List(std::move(items)), extent(measure(*this)) {}
  Extent extent;
};

struct MeasuredMap final : Map {
  explicit MeasuredMap(Map entries) : Map(std::move(entries)), extent(measure(*this)) {}
  Extent extent;
};

}  // namespace cairn::codec
