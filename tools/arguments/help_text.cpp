#include "tools/arguments/help_text.hpp"

#include "tools/text/wrapped_text.hpp"

#include <algorithm>

namespace cairn::tools {
namespace {

/// Where CLI11 begins the second column.
constexpr std::size_t second_column = 30;
constexpr std::size_t least_width = 50;

std::string fitted_line(std::string_view line, std::size_t width) {
  if (line.size() <= width) return std::string(line);
  if (!line.starts_with(' ')) return wrapped(line, 0, width);
  return std::string(line.substr(0, second_column)) +
         wrapped(line.substr(second_column), second_column, width);
}

}  // namespace

std::string fitted_help(std::string_view help, std::size_t width) {
  if (width < least_width) return std::string(help);
  std::string fitted;
  while (!help.empty()) {
    const std::size_t end = std::min(help.find('\n'), help.size());
    fitted += fitted_line(help.substr(0, end), width) + "\n";
    help.remove_prefix(std::min(end + 1, help.size()));
  }
  return fitted;
}

}  // namespace cairn::tools
