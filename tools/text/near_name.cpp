#include "tools/text/near_name.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace cairn::tools {

// Damerau distance (optimal string alignment): exchanging two neighbouring bytes is one edit.
std::size_t edits_between(std::string_view from, std::string_view to) {
  std::vector<std::size_t> before_last, last(to.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::vector<std::size_t> row(to.size() + 1, i + 1);
    for (std::size_t j = 0; j < to.size(); ++j) {
      row[j + 1] = std::min({last[j + 1] + 1, row[j] + 1, last[j] + (from[i] == to[j] ? 0 : 1)});
      if (i > 0 && j > 0 && from[i] == to[j - 1] && from[i - 1] == to[j])
        row[j + 1] = std::min(row[j + 1], before_last[j - 1] + 1);
    }
    before_last = std::exchange(last, std::move(row));
  }
  return last.back();
}

namespace {

std::size_t common_letters(std::string_view a, std::string_view b) {
  return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

}  // namespace

bool begins_alike(std::string_view word, std::string_view begin) {
  const auto same = [](unsigned char a, unsigned char b) {
    return std::tolower(a) == std::tolower(b);
  };
  return word.size() >= begin.size() &&
         std::ranges::equal(word.substr(0, begin.size()), begin, same);
}

std::string_view nearest_name(std::string_view word, std::span<const std::string> names,
                              std::size_t most_edits) {
  std::string_view nearest;
  std::size_t least = most_edits + 1;
  for (const std::string& name : names) {
    const std::size_t edits = edits_between(word, name);
    const bool is_likelier =
        edits < least || (edits == least && !nearest.empty() &&
                          common_letters(word, name) > common_letters(word, nearest));
    if (!is_likelier) continue;
    nearest = name;
    least = edits;
  }
  return nearest;
}

}  // namespace cairn::tools
