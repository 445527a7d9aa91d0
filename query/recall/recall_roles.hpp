#pragma once
// The parts that properties play in a recall: groups, order and authors. The parts are found by the names of properties
// or by their values.

#include "codec/bitmap.hpp"
#include "engine/view/view.hpp"

#include <cairn/recall.hpp>
#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::query {

/// The properties that play one part, and how they were found.
struct RecallRole {
  std::vector<std::string> properties;
  /// "options": named by the caller; "names": by the default names; "values": by a sample of values; "missing".
  std::string_view found = "missing";
};

struct RecallRoles {
  RecallRole groups;
  RecallRole order;
  RecallRole authors;
};

/// The largest number of properties whose values a recall reads.
inline constexpr std::size_t most_paths = 64;

/// True if a visible node has a value at the path. Errors: those of reading.
[[nodiscard]] Result<bool> has_path(const engine::View& view, const codec::Bitmap& visible,
                                    std::uint32_t path);
/// Returns the paths of indexed node properties in the order of their texts. If there are more than `most`, takes those
/// that visible nodes have, first those of the oldest nodes. Cost: with more than `most` paths, a lookup for each. Errors:
/// those of reading.
[[nodiscard]] Result<std::vector<std::uint32_t>> indexed_paths(const engine::View& view,
                                                               const codec::Bitmap& visible,
                                                               std::size_t most);
/// True if a visible node has the property. Errors: those of reading.
[[nodiscard]] Result<bool> has_property(const engine::View& view, const codec::Bitmap& visible,
                                        std::string_view property);

/// Finds the parts of node properties.
///
/// A list that the caller has set is used as it is. Otherwise the default names that some node has are used. If no node
/// has any of them, groups and authors are found by a sample of at most 64 nodes of `visible`: runs of 8 nodes with
/// successive ids. A group property is mostly equal within a run and differs between runs. An author property has few,
/// short, capitalised values that change within a run. Properties without an index and those in `searched` are left
/// out.
///
/// Cost: without default names, reads 64 values of up to 64 properties. Errors: those of reading.
[[nodiscard]] Result<RecallRoles> find_roles(const engine::View& view, const codec::Bitmap& visible,
                                             const std::vector<std::uint32_t>& searched,
                                             const RecallFeatures& features);

}  // namespace cairn::query
