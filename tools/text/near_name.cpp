#include "tools/text/near_name.hpp"

#include "codec/edit_distance.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>

namespace cairn::tools {

std::size_t edits_between(std::string_view from, std::string_view to) {
  return codec::edits_between(from, to);
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
