#include "engine/write/schema_names.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <utility>

namespace cairn::engine {
namespace {

/// Levenshtein's, one row at a time.
/// row[j] holds the distance of a's first i letters to b's first j; `diagonal` what row[j - 1] was a
/// row before. Bytes, not letters: for a hint that is enough. Cost: the product of the lengths, both
/// bounded by names.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

/// A name that is half wrong is still guessed, anything further is not.
std::string_view nearest(std::string_view name, const std::vector<std::string_view>& names) {
  std::string_view nearest;
  std::size_t best = name.size() / 2 + 2;
  for (const std::string_view other : names) {
    const std::size_t distance = edit_distance(name, other);
    if (distance >= best) continue;
    best = distance;
    nearest = other;
  }
  return nearest;
}

}  // namespace

Error no_such(std::string_view what, std::string_view name,
              const std::vector<std::string_view>& names) {
  std::string message = "there is no " + std::string(what) + " \"" + std::string(name) + "\"";
  const std::string_view near = nearest(name, names);
  if (!near.empty()) message += "; did you mean \"" + std::string(near) + "\"?";
  return Error{ErrorCode::not_found, std::move(message), {}};
}

}  // namespace cairn::engine
