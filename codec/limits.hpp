#pragma once
// Limits of what may be stored. They are checked where values enter the database. Decoders use the
// same limits, so everything that was written can be read, and a damaged length cannot ask for more
// memory.

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstddef>
#include <cstdint>

namespace cairn::codec {

/// Nesting levels of lists and maps: [[1]] has two levels, 1 has no level.
inline constexpr std::uint32_t max_nesting_levels = 128;
/// Items of one list, or entries of one map.
inline constexpr std::size_t max_container_items = 65'536;
/// Properties of one node or relationship.
inline constexpr std::size_t max_properties = 4'096;
/// Labels of one node.
inline constexpr std::size_t max_labels = 1'024;
/// Bytes of a property key, label, type, map key, namespace, index name or external id.
inline constexpr std::size_t max_name_bytes = 1'024;
/// Bytes of one property, nested values included: its strings, plus nine bytes for each value.
inline constexpr std::size_t max_value_bytes = std::size_t{16} << 20;
/// Bytes of all properties of one record, without large texts, which are stored apart.
inline constexpr std::size_t max_record_bytes = std::size_t{64} << 20;
inline constexpr std::size_t max_dimension = 4'096;

/// Checks whether `value` may be a property: it holds no node, relationship or path, a vector only
/// at its top level, and exceeds no limit. Errors: type_error, resource_limit, and invalid_argument
/// for a temporal value out of range. The caller adds the name of the property to the error.
[[nodiscard]] Status check_storable(const Value& value);

/// Returns the bytes of a value as the limits count them. Cost: visits every nested value.
[[nodiscard]] std::size_t counted_bytes(const Value& value) noexcept;

}  // namespace cairn::codec
