#pragma once
// The size of a value for code that walks it recursively, known without a walk.
//
// A list may hold another list twice, which holds a third list twice, and so on: sixty lists, a few
// kilobytes in all, are 2^60 items for a walk. The extent is computed when a list or map is made. So a
// statement can refuse such a value, and can charge the work on any other value, before it begins.

#include <cairn/value.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace cairn::codec {

/// The bytes of a list or map besides its items. Each entry of a map adds map_entry_bytes besides
/// the bytes of its key.
inline constexpr std::size_t list_bytes = 64;
inline constexpr std::size_t map_bytes = 96;
inline constexpr std::size_t map_entry_bytes = 136;

/// Most nesting levels of lists and maps in a value that a statement accepts. A walk recurses once
/// per level, and the stack of a thread allows for some thousands.
inline constexpr std::uint32_t most_levels = 1'000;

/// What a walk over a value would take.
struct Extent {
  /// Bytes of the value and everything in it. Shared parts count each time that a walk reaches
  /// them. The largest number means that the sum overflowed.
  std::uint64_t bytes = 0;
  /// Nesting levels of lists and maps: 1 for a list of numbers, 0 for a number.
  std::uint32_t levels = 0;
  bool has_entities = false;  ///< the value has nodes, relationships or paths in it
};

/// Precondition: the value is a text, a list, a map, a path or a vector.
[[nodiscard]] Extent extent_of_content(const Value& value) noexcept;

/// Returns the extent of any value in constant time. Data loaded for nodes and relationships does
/// not count.
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

// The content of a list or map value, with its extent and serial number. Only the constructors of
// Value make these objects, so every list or map of a Value is one of them.

/// Returns the extent of the items, without the value that holds them.
[[nodiscard]] Extent measure(const List& items) noexcept;
[[nodiscard]] Extent measure(const Map& entries) noexcept;

/// Returns a new number for each content that a thread makes. Numbers repeat after four billion.
[[nodiscard]] std::uint32_t next_serial() noexcept;

/// A list with its extent, computed once when it is made. The content of every Value that is a list
/// is one of these.
struct MeasuredList final : List {
  explicit MeasuredList(List items) : List(std::move(items)), extent(measure(*this)) {}
  Extent extent;
  std::uint32_t serial = next_serial();
};

/// A map with its extent, as MeasuredList.
struct MeasuredMap final : Map {
  explicit MeasuredMap(Map entries) : Map(std::move(entries)), extent(measure(*this)) {}
  Extent extent;
  std::uint32_t serial = next_serial();
};

/// Returns a number that distinguishes a list or map from an earlier one at the same address; 0 for
/// other values.
[[nodiscard]] std::uint32_t serial_of(const Value& value) noexcept;

}  // namespace cairn::codec
