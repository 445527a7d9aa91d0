// Positions of errors in a text. Lines are found by binary search. Columns are counted from the nearest stored count,
// which exists for every 256 bytes. Counting from the start of the line would be slow, because a long line may have
// thousands of places to report.
#include "query/syntax/source_text.hpp"

#include "codec/utf8.hpp"
#include "query/syntax/lexical.hpp"

#include <cairn/statement.hpp>

#include <algorithm>

namespace cairn::query {
namespace {

constexpr std::size_t stride = 256;
/// The largest number of bytes that a caret line shows on each side of the place.
constexpr std::size_t excerpt_bytes = 60;

std::size_t count_code_points(std::string_view text) {
  return static_cast<std::size_t>(codec::utf8_length(text));
}

/// The part of a line around a place that is short enough to be shown.
struct Excerpt {
  std::string_view text;
  std::size_t offset = 0;  ///< of the place, in `text`
  bool is_cut_before = false;
  bool is_cut_behind = false;
};

/// Cuts a line around `offset`, only between code points.
Excerpt excerpt_around(std::string_view line, std::size_t offset) {
  std::size_t begin = offset > excerpt_bytes ? offset - excerpt_bytes : 0;
  std::size_t end = std::min(line.size(), offset + excerpt_bytes);
  while (begin < offset && codec::is_utf8_continuation(line[begin])) ++begin;
  while (end < line.size() && end > offset && codec::is_utf8_continuation(line[end])) --end;
  return {line.substr(begin, end - begin), offset - begin, begin > 0, end < line.size()};
}

/// Returns blanks in place of the characters before the caret. Tabs are preserved, so that the caret has the right
/// column.
std::string caret_indent(std::string_view before) {
  std::string result;
  for (const char c : before) {
    if (!codec::is_utf8_continuation(c)) result += c == '\t' ? '\t' : ' ';
  }
  return result;
}

/// Replaces control characters, which could change the state of a terminal.
std::string printable(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && c != '\t') || byte == 0x7F) c = '?';
  }
  return result;
}

/// Returns the line and a line of carets below it. The carets mark the part of the place that is on this line.
std::string caret_lines(std::string_view line, std::size_t offset, std::size_t caret_bytes) {
  const Excerpt excerpt = excerpt_around(line, offset);
  const auto marked =
      excerpt.text.substr(std::min(excerpt.offset, excerpt.text.size()), caret_bytes);
  std::string result = "\n  ";
  if (excerpt.is_cut_before) result += "...";
  result += printable(excerpt.text);
  if (excerpt.is_cut_behind) result += "...";
  result += "\n  ";
  if (excerpt.is_cut_before) result += "   ";
  result += caret_indent(excerpt.text.substr(0, excerpt.offset));
  result.append(std::max<std::size_t>(count_code_points(marked), 1), '^');
  return result;
}

}  // namespace

// Scans the text once. Stores eight bytes for every 256 bytes and for each line. Every parse builds this table, and
// uses it for the ranges of all tree nodes and for errors.
SourceText::SourceText(std::string_view text) : text_(text), line_starts_{0} {
  std::size_t code_points = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i % stride == 0) code_points_.push_back(code_points);
    if (!codec::is_utf8_continuation(text[i])) ++code_points;
    if (text[i] == '\n') line_starts_.push_back(i + 1);
  }
}

// Lines and columns count from 1, and columns count code points. The caret may be wrong by the width of wide or
// combining characters, which only the terminal knows.
TextRange SourceText::range(std::size_t begin, std::size_t end) const {
  const std::size_t line = line_of(begin);
  const std::size_t column = code_points_before(begin) - code_points_before(line_starts_[line]);
  return {begin, end, line + 1, column + 1};
}

Error SourceText::error(ErrorCode code, std::size_t begin, std::size_t end,
                        std::string_view sentence) const {
  const TextRange where = range(begin, end);
  const std::size_t start = line_starts_[where.line - 1];
  std::string_view line = text_.substr(start);
  line = line.substr(0, line.find_first_of("\r\n"));
  std::string message = "line " + std::to_string(where.line) + ", column " +
                        std::to_string(where.column) + ": " + std::string(sentence);
  message += caret_lines(line, std::min(begin - start, line.size()), end - begin);
  return {code, std::move(message), where};
}

std::size_t SourceText::line_of(std::size_t offset) const {
  const auto next = std::ranges::upper_bound(line_starts_, offset);
  return static_cast<std::size_t>(next - line_starts_.begin()) - 1;
}

// Counts at most 255 bytes from the start of the block. An offset at the end of the text may be in a block that has
// no count.
std::size_t SourceText::code_points_before(std::size_t offset) const {
  const std::size_t block = offset / stride;
  if (block >= code_points_.size()) {
    if (code_points_.empty()) return 0;
    const std::size_t from = (code_points_.size() - 1) * stride;
    return code_points_.back() + count_code_points(text_.substr(from));
  }
  return code_points_[block] + count_code_points(text_.substr(block * stride, offset % stride));
}

}  // namespace cairn::query

namespace cairn {

// Splits by PieceScanner, as the grammar would. A statement is a view into `text` without its semicolon; blanks and
// comments are removed only before it. Empty statements are skipped. The pieces are not parsed and may be invalid.
std::vector<std::string_view> split_statements(std::string_view text) {
  std::vector<std::string_view> result;
  query::lexical::PieceScanner scanner(text);
  const char* begin = nullptr;
  while (scanner.next()) {
    if (scanner.piece() == ";") {
      if (begin != nullptr) {
        result.emplace_back(begin, static_cast<std::size_t>(scanner.position() - begin));
      }
      begin = nullptr;
    } else if (begin == nullptr) {
      begin = scanner.position();
    }
  }
  // An unclosed quote or comment belongs to the last statement; parsing it reports the error.
  if (begin == nullptr && scanner.open_piece() != query::lexical::OpenPiece::none) {
    begin = scanner.position();
  }
  if (begin != nullptr)
    result.push_back(text.substr(static_cast<std::size_t>(begin - text.data())));
  return result;
}

// A statement ends only at a semicolon. Blanks and comments after it do not begin a new one.
bool ends_inside_statement(std::string_view text) {
  query::lexical::PieceScanner scanner(text);
  bool is_inside = false;
  while (scanner.next()) is_inside = scanner.piece() != ";";
  return is_inside || scanner.open_piece() != query::lexical::OpenPiece::none;
}

}  // namespace cairn
