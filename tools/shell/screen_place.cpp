#include "tools/shell/screen_place.hpp"

#include "tools/text/cell_text.hpp"

#include <algorithm>

namespace cairn::tools {

std::size_t rows_above(std::string_view before, std::size_t width) {
  std::size_t rows = 0;
  while (true) {
    const std::size_t end = std::min(before.find('\n'), before.size());
    rows += display_width(before.substr(0, end)) / std::max<std::size_t>(width, 1);
    if (end == before.size()) return rows;
    ++rows;
    before.remove_prefix(end + 1);
  }
}

std::string clearing_sequence(std::size_t rows) {
  return "\r" + (rows == 0 ? std::string() : "\x1b[" + std::to_string(rows) + "A") + "\x1b[J";
}

std::string without_marked(std::string_view prompt, char mark) {
  std::string visible;
  bool is_marked = false;
  for (const char c : prompt) {
    if (c == mark)
      is_marked = !is_marked;
    else if (!is_marked)
      visible += c;
  }
  return visible;
}

}  // namespace cairn::tools
