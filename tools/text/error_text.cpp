// Errors of statements bring their line and caret; those that come up while running know a place
// only, and get the same lines here.
#include "tools/text/error_text.hpp"

#include "tools/text/cell_text.hpp"

#include <algorithm>

namespace cairn::tools {
namespace {

constexpr std::size_t shown_before = 60;  // bytes of the line before the place
constexpr std::size_t shown_behind = 60;  // columns from the place on

bool is_inside_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

/// What stands before the place on its line, cut at its front where it is long.
std::string text_before(std::string_view line) {
  if (line.size() <= shown_before) return make_visible(line);
  line.remove_prefix(line.size() - shown_before);
  while (!line.empty() && is_inside_character(line.front())) line.remove_prefix(1);
  return "..." + make_visible(line);
}

/// The line of the place and, below it, carets.
/// The line is cut around the place, and the caret stands below it in columns.
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

/// Line by line: a message may have its own lines, for instance with a caret.
std::string visible_lines(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out += make_visible(text.substr(0, end)) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

}  // namespace

// A place that lies outside of the statement is left out.
std::string error_text(const Error& error, std::string_view statement) {
  const std::string head = "error (" + std::string(to_string(error.code)) + "): ";
  const bool has_place =
      error.where && error.where->begin <= statement.size() && !statement.empty();
  if (!has_place) return head + visible_lines(error.message);
  const std::string place = "line " + std::to_string(error.where->line) + ", column " +
                            std::to_string(error.where->column) + ": ";
  if (error.message.starts_with("line ")) return head + visible_lines(error.message);  // has it all
  return head + visible_lines(place + error.message) + caret_lines(statement, *error.where);
}

}  // namespace cairn::tools
