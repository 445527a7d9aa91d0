// "Did you mean": finds the most similar name by edit distance. A third of the letters may differ, and one letter in a
// name of two to five letters. A swap of neighbouring letters counts as one edit (optimal string alignment), since it
// is a frequent typing mistake.
//
// Cost: for each candidate of a similar length, the product of the two lengths. The search is only used for error
// messages.
#include "query/syntax/nearest_name.hpp"

#include "codec/edit_distance.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>

namespace cairn::query {
namespace {

// Longer names are rarely typed by hand, and comparing them is slow.
constexpr std::size_t longest_compared = 64;

char fold_case(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool is_same_letter(char a, char b) { return fold_case(a) == fold_case(b); }

}  // namespace

// If several candidates are equally near, the first one is returned. A name with one letter only matches the same
// letter in the other case.
std::string_view nearest_name(std::string_view name, std::span<const std::string_view> candidates) {
  if (name.size() > longest_compared) return {};
  std::string_view best;
  std::size_t least = std::max<std::size_t>(name.size() / 3, name.size() > 1 ? 1 : 0) + 1;
  for (const std::string_view candidate : candidates) {
    const auto difference =
        static_cast<std::ptrdiff_t>(name.size()) - static_cast<std::ptrdiff_t>(candidate.size());
    if (static_cast<std::size_t>(std::abs(difference)) >= least) continue;
    const std::size_t distance = codec::edits_between(name, candidate, is_same_letter);
    if (distance < least) {
      best = candidate;
      least = distance;
    }
  }
  return best;
}

}  // namespace cairn::query
