#include "tools/mcp/files/file_text.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>

namespace cairn::tools::mcp {
namespace {

constexpr std::size_t number_width = 6;
constexpr std::size_t lines_around = 2;

/// What is between line ends: one more than there are of these.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (;;) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return lines;
    text.remove_prefix(end + 1);
  }
}

std::string numbered(const std::vector<std::string_view>& lines, std::size_t first,
                     std::size_t end) {
  std::string text;
  for (std::size_t i = first; i < end; ++i) {
    const std::string number = std::to_string(i + 1);
    if (i > first) text += '\n';
    text.append(number_width - std::min(number_width, number.size()), ' ');
    ((text += number) += '\t') += lines[i];
  }
  return text;
}

/// The lines, from 0 on, in which a text begins, each once.
std::vector<std::size_t> lines_with(std::string_view text, std::string_view part) {
  std::vector<std::size_t> lines;
  std::size_t line = 0;
  std::size_t counted = 0;  // bytes whose line ends are in `line`
  for (std::size_t at = text.find(part); at != std::string_view::npos;
       at = text.find(part, at + 1)) {
    line += static_cast<std::size_t>(std::ranges::count(text.substr(counted, at - counted), '\n'));
    counted = at;
    if (lines.empty() || lines.back() != line) lines.push_back(line);
  }
  return lines;
}

Error edit_error(std::string message) {
  return {ErrorCode::invalid_argument, std::move(message), std::nullopt};
}

}  // namespace

std::string numbered_lines(std::string_view text, std::optional<LineRange> range) {
  const auto lines = lines_of(text);
  if (!range) return numbered(lines, 0, lines.size());
  const auto count = static_cast<std::int64_t>(lines.size());
  const std::int64_t first = std::clamp<std::int64_t>(range->first, 1, count + 1) - 1;
  const std::int64_t last = range->second == -1 ? count : std::min(range->second, count);
  return numbered(lines, static_cast<std::size_t>(first),
                  static_cast<std::size_t>(std::max(first, last)));
}

Result<ReplacedText> replace_in(std::string_view text, std::string_view old_text,
                                std::string_view new_text, const std::string& path) {
  const std::vector<std::size_t> found = lines_with(text, old_text);
  const std::string shown(old_text);
  if (found.empty())
    return edit_error("No replacement was performed, old_str `" + shown +
                      "` did not appear verbatim in " + path + ".");
  if (found.size() > 1) {
    std::string numbers;
    for (const std::size_t line : found)
      numbers += (numbers.empty() ? "" : ", ") + std::to_string(line + 1);
    return edit_error("No replacement was performed. Multiple occurrences of old_str `" + shown +
                      "` in lines: " + numbers + ". Please ensure it is unique");
  }
  ReplacedText replaced{std::string(text), {}};
  replaced.text.replace(text.find(old_text), old_text.size(), new_text);
  const auto lines = lines_of(replaced.text);
  const std::size_t changed = found.front();
  replaced.snippet = numbered(lines, changed - std::min(changed, lines_around),
                              std::min(lines.size(), changed + lines_around + 1));
  return replaced;
}

Result<std::string> insert_in(std::string_view text, std::int64_t line, std::string_view inserted) {
  auto lines = lines_of(text);
  const auto count = static_cast<std::int64_t>(lines.size());
  if (line < 0 || line > count)
    return edit_error("Invalid `insert_line` parameter: " + std::to_string(line) +
                      ". It should be within the range of lines of the file: [0, " +
                      std::to_string(count) + "]");
  if (inserted.ends_with('\n')) inserted.remove_suffix(1);
  lines.insert(lines.begin() + line, inserted);
  std::string joined(lines.front());
  for (std::size_t i = 1; i < lines.size(); ++i) (joined += '\n') += lines[i];
  return joined;
}

std::string file_size_text(std::uint64_t bytes) {
  constexpr std::array units = {"B", "K", "M", "G"};
  std::size_t unit = 0;
  auto size = static_cast<double>(bytes);
  for (; size >= 1'024 && unit + 1 < units.size(); ++unit) size /= 1'024;
  const bool is_whole = size == static_cast<double>(static_cast<std::uint64_t>(size));
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), is_whole ? "%.0f%s" : "%.1f%s", size, units.at(unit));
  return text.data();
}

}  // namespace cairn::tools::mcp
