#include "tools/text/wrapped_text.hpp"

#include "tools/text/cell_text.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

namespace cairn::tools {

std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
  if (width == 0) return std::string(text);
  std::string lines;
  std::size_t column = indent;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    const std::size_t word_width = display_width(word);
    if (column > indent && column + 1 + word_width > width) {
      lines.append("\n").append(indent, ' ');
      column = indent;
    } else if (column > indent) {
      lines += ' ';
      ++column;
    }
    lines += word;
    column += word_width;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::size_t terminal_width() {
  winsize size{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col != 0 ? size.ws_col : 80;
}

}  // namespace cairn::tools
