#include "tools/mcp/protocol/line_reader.hpp"

#include <algorithm>
#include <utility>

namespace cairn::tools::mcp {
namespace {

bool is_blank_line(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

}  // namespace

std::optional<LineReader::Line> LineReader::next(std::string_view& bytes) {
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    hold(bytes.substr(0, end));
    if (end == std::string_view::npos) {
      bytes = {};
      return std::nullopt;
    }
    bytes.remove_prefix(end + 1);
    if (auto line = take()) return line;
  }
  return std::nullopt;
}

std::optional<LineReader::Line> LineReader::last() { return take(); }

void LineReader::hold(std::string_view bytes) {
  if (is_too_long_) return;
  if (bytes.size() > most_bytes_ - held_.size()) {
    is_too_long_ = true;
    held_ = std::string();
    return;
  }
  held_.append(bytes);
}

std::optional<LineReader::Line> LineReader::take() {
  Line line{std::exchange(held_, std::string()), std::exchange(is_too_long_, false)};
  if (!line.is_too_long && is_blank_line(line.text)) return std::nullopt;
  return line;
}

}  // namespace cairn::tools::mcp
