// Scripts and the shell split text as the grammar would, by the same pieces.
#include "query/syntax/lexical.hpp"

#include <cairn/statement.hpp>

namespace cairn {

// Views into `text`, without their semicolons, blanks and comments around them cut off at the front
// only. Empty statements are left out. Nothing is parsed: a piece may be no statement at all.
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
  // What nothing closes is part of the last statement, whose parsing will tell.
  if (begin == nullptr && scanner.open_piece() != query::lexical::OpenPiece::none) {
    begin = scanner.position();
  }
  if (begin != nullptr)
    result.push_back(text.substr(static_cast<std::size_t>(begin - text.data())));
  return result;
}

// Nothing but a semicolon ends a statement; blanks and comments behind it begin none.
bool ends_inside_statement(std::string_view text) {
  query::lexical::PieceScanner scanner(text);
  bool is_inside = false;
  while (scanner.next()) is_inside = scanner.piece() != ";";
  return is_inside || scanner.open_piece() != query::lexical::OpenPiece::none;
}

}  // namespace cairn
