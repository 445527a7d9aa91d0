#pragma once
// The column families of the store. codec/keys.hpp describes the keys of each.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cairn::engine {

/// The column families. Their order here may change; their names are stored on disk.
enum class Family : std::uint8_t {
  meta,
  catalog,
  nodes,
  relationships,
  adj_out,
  adj_in,
  external_ids,
  index,
  vectors,
  vector_log,
  stats,
  text,
};

inline constexpr std::size_t family_count = 12;
inline constexpr std::array<Family, family_count> all_families = {
    Family::meta,    Family::catalog,    Family::nodes,        Family::relationships,
    Family::adj_out, Family::adj_in,     Family::external_ids, Family::index,
    Family::vectors, Family::vector_log, Family::stats,        Family::text};

/// The index of a family in arrays of family_count elements.
[[nodiscard]] constexpr std::size_t position(Family family) noexcept {
  return static_cast<std::size_t>(family);
}

/// The name on disk.
[[nodiscard]] constexpr std::string_view to_string(Family family) noexcept {
  constexpr std::array<std::string_view, family_count> names = {
      "meta",         "catalog", "nodes",   "relationships", "adj_out", "adj_in",
      "external_ids", "index",   "vectors", "vector_log",    "stats",   "text"};
  return names[position(family)];
}

/// True for a family that is derived from others. A derived family is rebuilt if its layout on disk is not the
/// current one; the other families are never rebuilt.
[[nodiscard]] constexpr bool is_derived(Family family) noexcept {
  return family == Family::adj_out || family == Family::adj_in || family == Family::index ||
         family == Family::vector_log || family == Family::stats || family == Family::text;
}

}  // namespace cairn::engine
