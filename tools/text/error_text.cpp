// Formats errors. Parse errors already contain a line and caret; errors at run time only have a
// position, so the same lines are added here.
#include "tools/text/error_text.hpp"

#include "codec/utf8.hpp"
#include "tools/text/cell_text.hpp"
#include "tools/text/quantity.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <string_view>

namespace cairn::tools {
namespace {

constexpr std::size_t shown_before = 60;  // bytes shown before the position
constexpr std::size_t shown_behind = 60;  // columns shown from the position on

/// Returns the text before the position on its line, shortened at its front.
std::string text_before(std::string_view line) {
  if (line.size() <= shown_before) return make_visible(line);
  line.remove_prefix(line.size() - shown_before);
  while (!line.empty() && codec::is_utf8_continuation(line.front())) line.remove_prefix(1);
  return "..." + make_visible(line);
}

/// Returns the line of the position, shortened around it, and below it carets at the right columns.
std::string caret_lines(std::string_view statement, const TextRange& where) {
  const std::size_t begin =
      where.begin == 0 ? 0 : statement.find_last_of("\r\n", where.begin - 1) + 1;
  const std::size_t end = std::min(statement.find_first_of("\r\n", where.begin), statement.size());
  const std::size_t marked_end = std::clamp(where.end, where.begin, end);
  const std::string before = text_before(statement.substr(begin, where.begin - begin));
  const std::string marked = make_visible(statement.substr(where.begin, marked_end - where.begin));
  const std::string behind = make_visible(statement.substr(marked_end, end - marked_end));
  const std::size_t indent = display_width(before);
  const std::size_t carets = std::clamp<std::size_t>(display_width(marked), 1, shown_behind);
  return "  " + fit_width(before + marked + behind, indent + shown_behind) + "\n  " +
         std::string(indent, ' ') + std::string(carets, '^') + "\n";
}

/// Returns the line of the first word, counted from 1.
std::size_t first_line(std::string_view statement) {
  const std::size_t begin = std::min(statement.find_first_not_of(" \t\r\n"), statement.size());
  return 1 + static_cast<std::size_t>(std::ranges::count(statement.substr(0, begin), '\n'));
}

/// Returns "people.cypher, line 7" for a line of a statement.
std::string line_text(std::size_t line, const SourcePlace* source) {
  if (source == nullptr) return "line " + std::to_string(line);
  return (source->file.empty() ? "" : source->file + ", ") + "line " +
         std::to_string(source->lines_before + line);
}

/// Returns the rest of a message after its line number; empty if it does not begin with one.
std::string_view behind_line(std::string_view message) {
  constexpr std::string_view word = "line ";
  if (!message.starts_with(word)) return {};
  return message.substr(
      std::min(message.find_first_not_of("0123456789", word.size()), message.size()));
}

}  // namespace

// A position outside of the statement is ignored.
std::string error_text(const Error& error, std::string_view statement, const SourcePlace* source) {
  const std::string head = "error (" + std::string(to_string(error.code)) + "): ";
  const bool has_place =
      error.where && error.where->begin <= statement.size() && !statement.empty();
  if (!has_place && source == nullptr) return head + visible_lines(error.message);
  if (!has_place)
    return head + visible_lines(line_text(first_line(statement), source) + ": " + error.message);
  const std::string line = line_text(error.where->line, source);
  const std::string_view given = behind_line(error.message);  // includes column and carets
  if (!given.empty()) return head + visible_lines(line + std::string(given));
  return head +
         visible_lines(line + ", column " + std::to_string(error.where->column) + ": " +
                       error.message) +
         caret_lines(statement, *error.where);
}

std::string change_text(const Changes& changes) {
  struct Count {
    std::uint64_t count;
    std::string_view one, many, what;
  };
  const std::array<Count, 11> counts{{
      {changes.nodes_created, "node", "nodes", "created"},
      {changes.nodes_deleted, "node", "nodes", "deleted"},
      {changes.relationships_created, "relationship", "relationships", "created"},
      {changes.relationships_deleted, "relationship", "relationships", "deleted"},
      {changes.properties_set, "property", "properties", "set"},
      {changes.labels_added, "label", "labels", "added"},
      {changes.labels_removed, "label", "labels", "removed"},
      {changes.indexes_added, "index", "indexes", "added"},
      {changes.indexes_removed, "index", "indexes", "removed"},
      {changes.constraints_added, "constraint", "constraints", "added"},
      {changes.constraints_removed, "constraint", "constraints", "removed"},
  }};
  std::string text;
  for (const auto& [count, one, many, what] : counts) {
    if (count == 0) continue;
    text += (text.empty() ? "" : ", ") + grouped(count) + " ";
    text.append(count == 1 ? one : many).append(" ").append(what);
  }
  return text.empty() ? "no changes" : text;
}

std::string time_text(std::chrono::steady_clock::duration elapsed) {
  std::array<char, 48> text{};
  const double ms = std::chrono::duration<double, std::milli>(elapsed).count();
  if (ms < 1'000)
    std::snprintf(text.data(), text.size(), ms < 10 ? "%.2f ms" : "%.1f ms", ms);
  else
    std::snprintf(text.data(), text.size(), "%.2f s", ms / 1'000);
  return text.data();
}

}  // namespace cairn::tools
