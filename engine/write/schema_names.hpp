#pragma once
// Names of indexes and constraints that are not there.

#include <cairn/result.hpp>

#include <string_view>
#include <vector>

namespace cairn::engine {

/// not_found: "there is no index "x"; did you mean "y"?", with the nearest of `names` if one is near.
[[nodiscard]] Error no_such(std::string_view what, std::string_view name,
                            const std::vector<std::string_view>& names);

/// Of the entries of a catalog. The views last as long as these.
template <class Entries>
[[nodiscard]] std::vector<std::string_view> names_of(const Entries& entries) {
  std::vector<std::string_view> names;
  for (const auto& [id, entry] : entries) names.push_back(entry.name);
  return names;
}

}  // namespace cairn::engine
