// Shows texts with line numbers within a token budget, and edits them by line.
#include "codec/utf8.hpp"
#include "query/memory_files/file_commands.hpp"

#include <cairn/memory/output.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>

namespace cairn::query {
namespace {

constexpr std::size_t number_width = 6;  // of line numbers, right-aligned
constexpr std::size_t lines_around = 2;  // context of a snippet, on each side of the change

/// Splits a text at its line ends. The result has one more item than the text has line ends.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (;;) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return lines;
    text.remove_prefix(end + 1);
  }
}

/// The lines [first, end) with their numbers, which begin at `first + first_number`.
std::string numbered(const std::vector<std::string_view>& lines, std::size_t first, std::size_t end,
                     std::size_t first_number = 1) {
  std::string text;
  for (std::size_t i = first; i < end; ++i) {
    const std::string number = std::to_string(i + first_number);
    if (i > first) text += '\n';
    text.append(number_width - std::min(number_width, number.size()), ' ');
    ((text += number) += '\t') += lines[i];
  }
  return text;
}

/// The indexes of the lines that contain `part`.
std::vector<std::size_t> lines_with(std::string_view text, std::string_view part) {
  const auto lines = lines_of(text);
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (lines[i].find(part) != std::string_view::npos) found.push_back(i);
  return found;
}

/// The last line of a range as a number from 1 on. -1 is the last line of the file; any other negative number leaves out
/// that many lines at the end, so -3 leaves out three.
std::int64_t last_line(std::int64_t given, std::int64_t count) {
  if (given == -1) return count;
  return given < 0 ? std::max<std::int64_t>(count + given, 0) : std::min(given, count);
}

/// The tokens of a line as a JSON string, which has escapes.
std::size_t tokens_of(std::string_view line) {
  constexpr std::size_t bytes_per_token = 4;
  constexpr std::string_view short_escapes = "\"\\\b\f\n\r\t";
  constexpr std::size_t more_of_a_number = 5;  // \u001f
  std::size_t more = 0;
  for (const char letter : line) {
    const bool is_control = static_cast<unsigned char>(letter) < 0x20U;
    if (short_escapes.find(letter) != std::string_view::npos)
      ++more;
    else if (is_control)
      more += more_of_a_number;
  }
  return memory::estimate_tokens(line) + (more + bytes_per_token - 1) / bytes_per_token;
}

/// How many of the lines [first, end) fit into `max_tokens`.
std::size_t lines_within(const std::vector<std::string_view>& lines, std::size_t first,
                         std::size_t end, std::size_t max_tokens) {
  std::size_t tokens = 0;
  for (std::size_t i = first; i < end; ++i) {
    constexpr std::size_t of_a_number = 3;
    tokens += tokens_of(lines[i]) + of_a_number;
    if (tokens > max_tokens) return i - first;
  }
  return end - first;
}

/// The beginning of a line that alone exceeds the budget, cut between two UTF-8 characters.
std::string beginning_of(std::string_view line, std::size_t max_tokens) {
  // A token has about four bytes; halving finds a length that fits if this guess is too long.
  std::size_t bytes = std::min(line.size(), 4 * max_tokens);
  while (bytes > 0 && tokens_of(line.substr(0, bytes)) > max_tokens) bytes /= 2;
  return std::string(line.substr(0, codec::utf8_floor(line, bytes)));
}

/// The numbers of these lines, or as many as fit.
std::string line_numbers(const std::vector<std::size_t>& lines, std::size_t max_tokens) {
  constexpr std::size_t bytes_per_token = 4;
  constexpr std::size_t of_the_note = 6;
  const std::size_t most_bytes = bytes_per_token * (max_tokens - std::min(max_tokens, of_the_note));
  std::string numbers;
  std::size_t kept_bytes = 0;
  std::size_t kept = 0;
  for (const std::size_t line : lines) {
    numbers += (numbers.empty() ? "" : ", ") + std::to_string(line + 1);
    if (numbers.size() > most_bytes) continue;
    kept_bytes = numbers.size();
    ++kept;
  }
  if (numbers.size() <= bytes_per_token * max_tokens) return numbers;
  return numbers.substr(0, kept_bytes) + ", … (" + std::to_string(lines.size() - kept) + " more)";
}

/// The numbered lines [first, end); if they are too long, the beginning of each.
std::string snippet_of(std::vector<std::string_view> lines, std::size_t first, std::size_t end,
                       std::size_t max_tokens) {
  std::string whole = numbered(lines, first, end);
  if (tokens_of(whole) <= max_tokens) return whole;
  constexpr std::size_t of_a_number = 4;
  const std::size_t share = max_tokens / (end - first);
  std::vector<std::string> cut;
  for (std::size_t i = first; i < end; ++i)
    cut.push_back(within_tokens(lines[i], share - std::min(share, of_a_number)));
  std::copy(cut.begin(), cut.end(), lines.begin() + static_cast<std::ptrdiff_t>(first));
  return numbered(lines, first, end);
}

Error edit_error(std::string message) {
  return {ErrorCode::invalid_argument, std::move(message), std::nullopt};
}

}  // namespace

std::string numbered_lines(std::string_view text, std::optional<LineRange> range,
                           std::size_t max_tokens) {
  const auto lines = lines_of(text);
  const auto count = static_cast<std::int64_t>(lines.size());
  const LineRange all{1, -1};
  const LineRange asked = range.value_or(all);
  const auto first =
      static_cast<std::size_t>(std::clamp<std::int64_t>(asked.first, 1, count + 1) - 1);
  const auto end = std::max(first, static_cast<std::size_t>(last_line(asked.second, count)));
  // Tokens reserved for the hint about the lines that are left out.
  constexpr std::size_t of_the_hint = 40;
  const std::size_t left = max_tokens - std::min(max_tokens, of_the_hint);
  const std::size_t shown = lines_within(lines, first, end, left);
  if (first + shown == end) return numbered(lines, first, end);
  if (shown > 0)
    return numbered(lines, first, first + shown) + "\n(" + std::to_string(end - first - shown) +
           " more lines: view_range [" + std::to_string(first + shown + 1) + ", " +
           std::to_string(end) + "] or a larger max_tokens shows them)";
  const std::string part = beginning_of(lines[first], left);
  return numbered({part}, 0, 1, first + 1) + "\n(line " + std::to_string(first + 1) +
         " is cut, at " + std::to_string(part.size()) + " of " +
         std::to_string(lines[first].size()) + " bytes: a larger max_tokens shows more)";
}

std::string within_tokens(std::string_view text, std::size_t max_tokens) {
  if (tokens_of(text) <= max_tokens) return std::string(text);
  constexpr std::size_t of_the_mark = 1;
  return beginning_of(text, max_tokens - std::min(max_tokens, of_the_mark)) + "…";
}

// Lines are searched one by one, so a text that spans a line end is never found.
Result<ReplacedText> replace_in(std::string_view text, std::string_view old_text,
                                std::string_view new_text, const std::string& path,
                                std::size_t max_tokens) {
  // Tokens reserved for the sentence around the path and what is cut.
  const std::size_t frame = 50 + tokens_of(path);
  const std::size_t left = max_tokens - std::min(max_tokens, frame);
  const std::vector<std::size_t> found = lines_with(text, old_text);
  if (found.empty())
    return edit_error("No replacement was performed, old_str `" + within_tokens(old_text, left) +
                      "` did not appear verbatim in " + path + ".");
  if (found.size() > 1)
    return edit_error("No replacement was performed. Multiple occurrences of old_str `" +
                      within_tokens(old_text, left / 2) + "` in lines: " +
                      line_numbers(found, left / 2) + ". Please ensure it is unique");
  ReplacedText replaced{std::string(text), {}};
  replaced.text.replace(text.find(old_text), old_text.size(), new_text);
  const auto lines = lines_of(replaced.text);
  const std::size_t changed = found.front();
  replaced.snippet = snippet_of(lines, changed - std::min(changed, lines_around),
                                std::min(lines.size(), changed + lines_around + 1), left);
  return replaced;
}

Result<std::string> insert_in(std::string_view text, std::int64_t line, std::string_view inserted) {
  auto lines = lines_of(text);
  const auto count = static_cast<std::int64_t>(lines.size());
  if (line < 0 || line > count)
    return edit_error("Invalid `insert_line` parameter: " + std::to_string(line) +
                      ". It should be within the range of lines of the file: [0, " +
                      std::to_string(count) + "]");
  // A final line end of the inserted text does not add an empty line.
  if (inserted.ends_with('\n')) inserted.remove_suffix(1);
  lines.insert(lines.begin() + line, inserted);
  std::string joined(lines.front());
  for (std::size_t i = 1; i < lines.size(); ++i) (joined += '\n') += lines[i];
  return joined;
}

// Whole numbers have no decimals: "2M", but "1.5K".
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

}  // namespace cairn::query
