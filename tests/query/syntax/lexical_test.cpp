#include "query/syntax/lexical.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace cairn::query::lexical {
namespace {

std::string_view without_blanks(std::string_view text) {
  const char* end = text.data() + text.size();
  const char* first = skip_blank(text.data(), end);
  return {first, static_cast<std::size_t>(end - first)};
}

/// The length of the quoted piece that a text begins with, 0 if it does not end.
std::size_t quoted_bytes(std::string_view text) {
  const char* end = skip_quoted(text.data(), text.data() + text.size());
  return end != nullptr ? static_cast<std::size_t>(end - text.data()) : 0;
}

std::string_view name_at(std::string_view text) {
  const char* end = skip_name(text.data(), text.data() + text.size());
  return text.substr(0, static_cast<std::size_t>(end - text.data()));
}

std::vector<std::string> pieces(std::string_view text) {
  std::vector<std::string> result;
  PieceScanner scanner(text);
  while (scanner.next()) result.emplace_back(scanner.piece());
  return result;
}

OpenPiece end_of(std::string_view text) {
  PieceScanner scanner(text);
  while (scanner.next()) {
  }
  return scanner.open_piece();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(lexical)

BOOST_AUTO_TEST_CASE(blanks_and_comments_are_skipped) {
  BOOST_TEST(without_blanks(" \t\r\n\f\vx") == "x");
  BOOST_TEST(without_blanks("// a\n/* b */ // c\nx") == "x");
  BOOST_TEST(without_blanks("\xC2\xA0\xE2\x80\x83\xE3\x80\x80\xEF\xBB\xBFx") == "x");
  BOOST_TEST(without_blanks("//") == "");
  BOOST_TEST(without_blanks("/**/x") == "x");
}

BOOST_AUTO_TEST_CASE(what_only_begins_like_a_comment_is_not_skipped) {
  BOOST_TEST(without_blanks("/ x") == "/ x");
  BOOST_TEST(without_blanks("/* x") == "/* x");
  BOOST_TEST(without_blanks("/") == "/");
  BOOST_TEST(without_blanks("/*/") == "/*/");
}

BOOST_AUTO_TEST_CASE(bytes_that_are_not_utf8_are_no_blanks) {
  BOOST_TEST(without_blanks("\xC2") == "\xC2");
  BOOST_TEST(without_blanks("\xFF x") == "\xFF x");
}

BOOST_AUTO_TEST_CASE(a_quoted_piece_ends_at_its_own_quote) {
  BOOST_TEST(quoted_bytes("'a\"b'c") == 5U);
  BOOST_TEST(quoted_bytes("\"a'b\"c") == 5U);
  BOOST_TEST(quoted_bytes(R"('a\'b')") == 6U);
  BOOST_TEST(quoted_bytes(R"('a\\'b')") == 5U);
  BOOST_TEST(quoted_bytes("`a``b`c") == 6U);
  BOOST_TEST(quoted_bytes(R"(`a\`b)") == 4U);
}

BOOST_AUTO_TEST_CASE(an_open_quoted_piece_has_no_end) {
  BOOST_TEST(quoted_bytes("'a") == 0U);
  BOOST_TEST(quoted_bytes("'") == 0U);
  BOOST_TEST(quoted_bytes("'a\\") == 0U);
  BOOST_TEST(quoted_bytes("'a\\'") == 0U);
  BOOST_TEST(quoted_bytes("`a``") == 0U);
}

BOOST_AUTO_TEST_CASE(a_name_has_letters_digits_and_marks_of_any_script) {
  BOOST_TEST(name_at("_a1 b") == "_a1");
  BOOST_TEST(name_at("größe-x") == "größe");
  BOOST_TEST(name_at("名前.x") == "名前");
  BOOST_TEST(name_at("e\xCC\x81t") == "e\xCC\x81t");  // e and a combining accent
  BOOST_TEST(name_at("1a") == "");
  BOOST_TEST(name_at("—a") == "");  // a dash is not a letter
}

BOOST_AUTO_TEST_CASE(reserved_words_are_known_in_any_case) {
  BOOST_TEST(is_reserved("match"));
  BOOST_TEST(is_reserved("DescEnding"));
  BOOST_TEST(!is_reserved("count"));
  BOOST_TEST(!is_reserved("matches"));
  BOOST_TEST(!is_reserved(""));
}

BOOST_AUTO_TEST_CASE(the_first_byte_that_is_not_utf8_is_found) {
  BOOST_TEST(find_invalid_utf8("größe 名") == std::string_view::npos);
  BOOST_TEST(find_invalid_utf8("ab\xFF") == 2U);
  BOOST_TEST(find_invalid_utf8("a\xC3") == 1U);
  BOOST_TEST(find_invalid_utf8("\xED\xA0\x80") == 0U);  // a surrogate
  BOOST_TEST(find_invalid_utf8("\xC0\xAF") == 0U);      // longer than needed
}

BOOST_AUTO_TEST_CASE(pieces_are_single_bytes_or_whole_quotes) {
  const std::vector<std::string> expected = {"(", "'a;'", ";", "`b(`", "/", "x"};
  BOOST_TEST(pieces("( 'a;' ; `b(` // c;\n / x /* ; */") == expected,
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_scan_says_what_was_left_open) {
  BOOST_CHECK(end_of("a 'b' `c` /* d */") == OpenPiece::none);
  BOOST_CHECK(end_of("a 'b") == OpenPiece::string);
  BOOST_CHECK(end_of("a `b") == OpenPiece::quoted_name);
  BOOST_CHECK(end_of("a /* b") == OpenPiece::comment);
}

BOOST_AUTO_TEST_CASE(brackets_know_their_ends_and_what_is_directly_within) {
  const BracketTable table("([a, (b)] | '(')");
  BOOST_REQUIRE(table.find(0) != nullptr);
  BOOST_TEST(table.find(0)->close == 15U);
  BOOST_TEST(table.find(0)->has_bar);
  BOOST_TEST(!table.find(0)->has_comma);
  BOOST_TEST(table.find(1)->close == 8U);
  BOOST_TEST(table.find(1)->has_comma);
  BOOST_TEST(table.find(5)->close == 7U);
  BOOST_TEST(table.find(2) == nullptr);
}

BOOST_AUTO_TEST_CASE(the_innermost_open_bracket_is_found) {
  const BracketTable table("(a [b] {c");
  BOOST_REQUIRE(table.unclosed_before(9) != nullptr);
  BOOST_TEST(table.unclosed_before(9)->open == 7U);
  BOOST_TEST(table.unclosed_before(5)->open == 0U);
  BOOST_TEST(BracketTable("(a))").unclosed_before(4) == nullptr);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::query::lexical
