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
  BOOST_TEST(read("+green -tea cup") == "(+green -tea cup)");
  BOOST_TEST(read("\"green tea\" \"a b\"~3") == "(\"green tea\"~0 \"a b\"~3)");
  BOOST_TEST(read("gre* te~ cup~2 pot~9") == "(gre* te~1 cup~2 pot~2)");
  BOOST_TEST(read("tea^3") == "(tea^3)");
}

BOOST_AUTO_TEST_CASE(boolean_words_join_clauses) {
  BOOST_TEST(read("a AND b OR c") == "(+a +b c)");
  BOOST_TEST(read("a NOT b") == "(a -b)");
  BOOST_TEST(read("+(a OR b) c") == "(+(a b) c)");
}

BOOST_AUTO_TEST_CASE(a_field_is_one_that_the_index_has) {
  BOOST_TEST(read("title:tea 10:30 note: x") == "(title:tea 10:30 note: x)");
  BOOST_TEST(read("title:(tea content:cup)") == "(title:(title:tea content:cup))");
}

BOOST_AUTO_TEST_CASE(a_sign_within_a_word_belongs_to_it) {
  BOOST_TEST(read("sun-set C++ what's up?") == "(sun-set C++ what's up?)");
}

BOOST_AUTO_TEST_CASE(broken_syntax_is_plain_words_with_a_warning) {
  for (const std::string text :
       {"\"open", "(open", "close)", "a AND", "AND a", "tea^x", "+", "a *"})
    BOOST_TEST(read(text) == "(" + text + ") !");
  BOOST_TEST(read("") == "()");
}

BOOST_AUTO_TEST_CASE(brackets_may_not_nest_without_end) {
  BOOST_TEST(read(std::string(100'000, '(')).ends_with("!"));
}

BOOST_AUTO_TEST_SUITE_END()
