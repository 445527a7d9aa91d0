#pragma once
// How large a value is for code that walks through it, known without a walk.
//
// A list may hold another one twice, that one a third one twice, and so on: sixty lists that take a few
// kilobytes are 2^60 items to a walk. The extent is summed up when a list or a map is made, so that
// a statement can refuse such a value, and count the work on any other, before it begins.

#include <cairn/value.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace cairn::codec {

/// The bytes that a list or a map takes besides its items, and a map for each entry besides the bytes of its key.
inline constexpr std::size_t list_bytes = 64;
inline constexpr std::size_t map_bytes = 96;
inline constexpr std::size_t map_entry_bytes = 136;

/// Lists and maps one in the other that a statement takes: a walk recurses once a level, and the stack of a thread
/// bears some thousands.
inline constexpr std::uint32_t most_levels = 1'000;

struct Extent {
  /// Of the value and all that is in it; what is shared counts each time that a walk comes to it. The
  /// largest number stands for more than it can hold.
  std::uint64_t bytes = 0;
  /// Lists and maps one in the other: 1 for a list of numbers, 0 for a number.
  std::uint32_t levels = 0;
  bool has_entities = false;  ///< nodes, relationships or paths among it
};

/// Precondition: the value is a text, a list, a map, a path or a vector.
[[nodiscard]] Extent extent_of_content(const Value& value) noexcept;

/// Cost: constant, whatever the value holds. What is loaded of nodes and relationships is not counted.
[[nodiscard]] inline Extent extent_of(const Value& value) noexcept {
  switch (value.type()) {
    case ValueType::string:
    case ValueType::list:
    case ValueType::map:
    case ValueType::path:
    case ValueType::vector:
      return extent_of_content(value);
    case ValueType::node:
    case ValueType::relationship:
      return {sizeof(Value), 0, true};
    default:
      return {sizeof(Value), 0};
  }
}

// What a value's list or map pointer points to: the content with its extent and its number behind it. Only
// the constructors of Value make such content, so that every list and map of a value has them.

/// Of the items without the value that holds them.
[[nodiscard]] Extent measure(const List& items) noexcept;
[[nodiscard]] Extent measure(const Map& entries) noexcept;

/// A new number for each content that a thread makes; repeats after four billion.
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
