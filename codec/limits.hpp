#pragma once
// What may be stored. The limits are checked where values enter, and what a decoder accepts follows
// from them, so that everything written can be read and nothing larger is believed.

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstddef>
#include <cstdint>

namespace cairn::codec {

/// Lists and maps inside each other: [[1]] has two levels, 1 has none.
inline constexpr std::uint32_t max_nesting_levels = 128;
/// Items of one list, or entries of one map.
inline constexpr std::size_t max_container_items = 65'536;
/// Properties of one node or relationship.
inline constexpr std::size_t max_properties = 4'096;
/// Labels of one node.
inline constexpr std::size_t max_labels = 1'024;
/// A property key, label, type, map key, namespace or index name, and an external id.
inline constexpr std::size_t max_name_bytes = 1'024;
/// One property with everything in it, counted as its strings and nine bytes a value.
inline constexpr std::size_t max_value_bytes = std::size_t{16} << 20;
/// All properties of one record together, large texts apart.
inline constexpr std::size_t max_record_bytes = std::size_t{64} << 20;
inline constexpr std::size_t max_dimension = 4'096;

/// Whether `value` may be a property: no node, relationship or path in it, a vector only at the top,
/// and every limit respected. Errors: type_error, resource_limit, invalid_argument for a temporal value out
/// of range; the caller adds the property's name.
[[nodiscard]] Status check_storable(const Value& value);

/// The bytes of a value as the limits count them. Cost: visits every nested value.
[[nodiscard]] std::size_t counted_bytes(const Value& value) noexcept;

}  // namespace cairn::codec
