#include "engine/fulltext/text_query.hpp"

#include <boost/test/unit_test.hpp>

using namespace cairn::engine;

namespace {

std::string print(const TextNode& node) {
  static constexpr const char* occurs[] = {"", "+", "-"};
  std::string text = occurs[static_cast<std::size_t>(node.occur)];
  if (!node.field.empty()) text += node.field + ":";
  switch (node.kind) {
    case TextNode::Kind::words:
      text += node.text;
      break;
    case TextNode::Kind::phrase:
      text += "\"" + node.text + "\"~" + std::to_string(node.distance);
      break;
    case TextNode::Kind::prefix:
      text += node.text + "*";
      break;
    case TextNode::Kind::fuzzy:
      text += node.text + "~" + std::to_string(node.distance);
      break;
    case TextNode::Kind::every:
      text += "<every>";
      break;
    case TextNode::Kind::group:
      text += "(";
      for (const TextNode& child : node.children)
        text += (text.back() == '(' ? "" : " ") + print(child);
      text += ")";
  }
  return node.boost == 1 ? text : text + "^" + std::to_string(static_cast<int>(node.boost));
}

std::string read(std::string_view text) {
  const std::vector<std::string> fields = {"title", "content"};
  const ParsedText parsed = parse_text_query(text, fields);
  return print(parsed.root) + (parsed.warning.empty() ? "" : " !");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(text_query)

BOOST_AUTO_TEST_CASE(words_phrases_and_signs_are_read) {
  BOOST_TEST(read("green tea") == "(green tea)");
  BOOST_TEST(read("+green -tea !cup pot") == "(+green -tea -cup pot)");
  BOOST_TEST(read("\"green tea\" \"a b\"~3") == "(\"green tea\"~0 \"a b\"~3)");
  BOOST_TEST(read("gre* te~ cup~2 pot~0") == "(gre* te~1 cup~2 pot~0)");
  BOOST_TEST(read("tea^3 (a b)^2 a*^4") == "(tea^3 (a b)^2 a*^4)");
}

BOOST_AUTO_TEST_CASE(boolean_words_join_clauses) {
  BOOST_TEST(read("a NOT b") == "(a -b)");
  BOOST_TEST(read("a AND b") == "(+a +b)");
  BOOST_TEST(read("a && NOT b || c") == "((+a -b) c)");
  BOOST_TEST(read("+(a OR b) c") == "(+(a b) c)");
  BOOST_TEST(read("(a)AND(b)") == "(+(a) +(b))");
  BOOST_TEST(read("(a AND b)") == "((+a +b))");
}

BOOST_AUTO_TEST_CASE(an_and_binds_stronger_than_an_or) {
  BOOST_TEST(read("a AND b OR c") == "((+a +b) c)");
  BOOST_TEST(read("a OR b AND c") == "(a (+b +c))");
  BOOST_TEST(read("a AND b OR c AND d AND NOT e") == "((+a +b) (+c +d -e))");
}

BOOST_AUTO_TEST_CASE(words_side_by_side_stand_beside_what_is_joined) {
  BOOST_TEST(read("a AND b c") == "(+a +b c)");
  BOOST_TEST(read("+a b OR c") == "(+a b c)");
  BOOST_TEST(read("-a b OR c d") == "(-a b c d)");
}

BOOST_AUTO_TEST_CASE(a_star_alone_is_every_document) {
  BOOST_TEST(read("*") == "(<every>)");
  BOOST_TEST(read(" *:* ") == "(<every>)");
  BOOST_TEST(read("*^2") == "(<every>^2)");
  BOOST_TEST(read("title:* -content:*") == "(title:<every> -content:<every>)");
  BOOST_TEST(read("* AND NOT tea") == "(+<every> -tea)");
  BOOST_TEST(read("* OR tea") == "(<every> tea)");
  BOOST_TEST(read("(*) +tea") == "((<every>) +tea)");
  BOOST_TEST(read("* -tea") == "(<every> -tea)");
  BOOST_TEST(read("title:* tea") == "(title:<every> tea)");
}

BOOST_AUTO_TEST_CASE(a_star_that_is_no_operator_belongs_to_the_text) {
  for (const std::string text :
       {"2 * 3", "* milk", "**", "*tea", "*:tea", "*:**", "author:*", "(tea * cup) AND pot", "* *"})
    BOOST_TEST(read(text) == "(" + text + ") !");
}

// Whether the sign is about one side or about all nobody can tell.
BOOST_AUTO_TEST_CASE(an_or_beside_a_sign_is_plain_words) {
  for (const std::string text : {"+a OR b", "a OR -b", "a OR NOT b", "NOT a OR b", "a AND +b OR c",
                                 "NOT a AND NOT b OR c", "!a || b"})
    BOOST_TEST(read(text) == "(" + text + ") !");
}

BOOST_AUTO_TEST_CASE(a_field_is_one_that_the_index_has) {
  BOOST_TEST(read("title:tea 10:30 note: x") == "(title:tea 10:30 note: x)");
  BOOST_TEST(read("title:(tea content:cup)") == "(title:(title:tea content:cup))");
  BOOST_TEST(read("http://x.org std::move a:-b") == "(http://x.org std::move a:-b)");
}

BOOST_AUTO_TEST_CASE(an_unknown_field_is_plain_words_and_the_warning_names_it_and_those_there_are) {
  for (const std::string text : {"author:ada", "tea -author:\"ada\"", "(a.b-c:(x))", "Title:tea"})
    BOOST_TEST(read(text) == "(" + text + ") !");
  const std::vector<std::string> fields = {"title", "a", "b"};
  const std::string warning = parse_text_query("tea author:ada", fields).warning;
  BOOST_TEST(warning.find("\"author\"") != warning.npos);
  BOOST_TEST(warning.find("\"title\", \"a\" and \"b\"") != warning.npos);
  BOOST_TEST(print(parse_text_query("author:ada", {}).root) == "(author:ada)");
}

BOOST_AUTO_TEST_CASE(a_sign_within_a_word_belongs_to_it) {
  BOOST_TEST(read("sun-set C++ what's up? no! a!b") == "(sun-set C++ what's up? no! a!b)");
}

BOOST_AUTO_TEST_CASE(broken_syntax_is_plain_words_with_a_warning) {
  for (const std::string text :
       {"\"open",     "(open", "close)",  "a AND",      "AND a",
        "a OR",       "OR a",  "(a OR)",  "a AND OR b", "NOT NOT a",
        "NOT",        "tea^x", "tea^",    "+",          "tea - milk",
        "tea + milk", "wow !", "--help",  "+-a",        "title:-a",
        "a *",        "te*st", "tea~0.5", "\"a b\"~2x", "\"a b\"~99999999999",
        "tea^2^3",    "tea*~"})
    BOOST_TEST(read(text) == "(" + text + ") !");
  BOOST_TEST(read("") == "()");
}

BOOST_AUTO_TEST_CASE(more_edits_than_can_be_searched_for_are_a_warning_that_names_both) {
  BOOST_TEST(read("+cup pot~9") == "(+cup pot~2) !");
  const std::string warning = parse_text_query("pot~9", {}).warning;
  BOOST_TEST(warning.find("~9") != warning.npos);
  BOOST_TEST(warning.find("at most 2") != warning.npos);
}

BOOST_AUTO_TEST_CASE(a_question_that_only_excludes_is_warned_of) {
  BOOST_TEST(read("-tea NOT milk") == "(-tea -milk) !");
  BOOST_TEST(read("a (-b)") == "(a (-b)) !");
}

BOOST_AUTO_TEST_CASE(brackets_may_not_nest_without_end) {
  BOOST_TEST(read(std::string(100'000, '(')).ends_with("!"));
}

BOOST_AUTO_TEST_SUITE_END()
