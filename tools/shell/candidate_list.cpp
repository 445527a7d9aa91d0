#include "tools/shell/candidate_list.hpp"

#include "tools/text/cell_text.hpp"

#include <algorithm>
#include <string_view>

namespace cairn::tools {
namespace {

constexpr std::size_t most_candidate_lines = 20;
constexpr std::size_t candidate_gap = 2;

}  // namespace

std::string common_begin(const std::vector<std::string>& words) {
  std::string_view common = words.front();
  for (const std::string& word : words) {
    const auto [end, other] = std::ranges::mismatch(common, word);
    common = common.substr(0, static_cast<std::size_t>(end - common.begin()));
  }
  return std::string(common);
}

std::string candidate_text(const std::vector<std::string>& words, std::size_t width) {
  std::vector<std::string> shown;
  std::size_t widest = 1;
  for (const std::string& word : words) {
    shown.push_back(fit_width(make_visible(word), std::max<std::size_t>(width, 1)));
    widest = std::max(widest, display_width(shown.back()));
  }
  const std::size_t columns =
      std::max<std::size_t>(1, (width + candidate_gap) / (widest + candidate_gap));
  const std::size_t lines = (shown.size() + columns - 1) / columns;
  std::string text;
  std::size_t count = 0;
  for (std::size_t line = 0; line < std::min(lines, most_candidate_lines); ++line) {
    for (std::size_t i = line; i < shown.size(); i += lines) {
      const bool is_last = i + lines >= shown.size();
      const std::size_t space = is_last ? 0 : widest + candidate_gap - display_width(shown[i]);
      text += shown[i] + std::string(space, ' ');
      ++count;
    }
    text += "\n";
  }
  if (count < shown.size()) text += "... and " + std::to_string(shown.size() - count) + " more\n";
  return text;
}

}  // namespace cairn::tools
