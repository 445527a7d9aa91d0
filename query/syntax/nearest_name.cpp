// "Did you mean": finds the most similar name by edit distance. A third of the letters may differ, and one letter in a
// name of two to five letters. A swap of neighbouring letters counts as one edit (optimal string alignment), since it
// is a frequent typing mistake.
//
// Cost: for each candidate of a similar length, the product of the two lengths. The search is only used for error
// messages.
#include "query/syntax/nearest_name.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <vector>

namespace cairn::query {
namespace {

// Longer names are rarely typed by hand, and comparing them is slow.
constexpr std::size_t longest_compared = 64;

char fold_case(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// The Damerau-Levenshtein distance (optimal string alignment), computed with three rows of the table.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(above);
    above.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = fold_case(a[i - 1]) == fold_case(b[j - 1]) ? 0 : 1;
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + replaced});
      const bool is_swap = i > 1 && j > 1 && fold_case(a[i - 1]) == fold_case(b[j - 2]) &&
                           fold_case(a[i - 2]) == fold_case(b[j - 1]);
      if (is_swap) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

}  // namespace

// The first of several equally near candidates wins, so that the result follows the order of the candidates. A name
// with one letter only matches itself in another case.
std::string_view nearest_name(std::string_view name, std::span<const std::string_view> candidates) {
  if (name.size() > longest_compared) return {};
  std::string_view best;
  std::size_t least = std::max<std::size_t>(name.size() / 3, name.size() > 1 ? 1 : 0) + 1;
  for (const std::string_view candidate : candidates) {
    const auto difference =
        static_cast<std::ptrdiff_t>(name.size()) - static_cast<std::ptrdiff_t>(candidate.size());
    if (static_cast<std::size_t>(std::abs(difference)) >= least) continue;
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < least) {
      best = candidate;
      least = distance;
    }
  }
  return best;
}

}  // namespace cairn::query
