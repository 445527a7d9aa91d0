#include "tools/text/near_name.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace cairn::tools {

// Levenshtein's distance in one row.
std::size_t edits_between(std::string_view from, std::string_view to) {
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < to.size(); ++j) {
      const std::size_t above = row[j + 1];
      row[j + 1] = std::min({above + 1, row[j] + 1, diagonal + (from[i] == to[j] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row.back();
}

std::string_view nearest_name(std::string_view word, std::span<const std::string> names,
                              std::size_t most_edits) {
  std::string_view nearest;
  for (const std::string& name : names) {
    const std::size_t edits = edits_between(word, name);
    if (edits > most_edits || (!nearest.empty() && edits >= edits_between(word, nearest))) continue;
    nearest = name;
  }
  return nearest;
}

}  // namespace cairn::tools
