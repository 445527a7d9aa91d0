// Which stop words of a query are searched for.
#include "engine/fulltext/stop_words.hpp"

#include "engine/fulltext/analyzer.hpp"
#include "engine/fulltext/text_query.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>

using namespace cairn::engine;

namespace {

const Analyzer english{AnalyzerOptions{}};

/// The words and phrases of a query that are searched for with their stop words, separated by commas.
std::string kept_in(const TextNode& node) {
  std::string texts;
  for (const TextNode& child : node.children) {
    const std::string found = child.kind == TextNode::Kind::group ? kept_in(child)
                              : child.keeps_stop_words            ? child.text
                                                                  : "";
    if (!found.empty()) texts += (texts.empty() ? "" : ", ") + found;
  }
  return texts;
}

std::string kept(std::string_view query) {
  ParsedText parsed = parse_text_query(query, {});
  BOOST_TEST(parsed.warning == "", query);
  TextWork unlimited(nullptr);
  BOOST_TEST_REQUIRE(keep_meant_stop_words(parsed.root, english, unlimited).has_value());
  return kept_in(parsed.root);
}

bool asks_nothing_in(std::string_view query) {
  TextWork unlimited(nullptr);
  return asks_nothing(parse_text_query(query, {}).root, english, unlimited).value();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(stop_words)

BOOST_AUTO_TEST_CASE(a_query_of_stop_words_alone_searches_for_them) {
  BOOST_TEST(kept("who is") == "who, is");
  BOOST_TEST(kept("who is tea") == "");
  BOOST_TEST(kept("(who is) (was it)") == "who, is, was, it");
  BOOST_TEST(kept("(who is) (was tea)") == "");
}

BOOST_AUTO_TEST_CASE(each_language_with_a_list_has_its_own_words) {
  const std::pair<const char*, const char*> words[] = {
      {"english", "the"}, {"german", "nicht"}, {"french", "avec"},
      {"spanish", "los"}, {"italian", "gli"},  {"dutch", "het"},
      {"swedish", "och"}, {"finnish", "että"}, {"russian", "что"}};
  for (const auto& [language, word] : words)
    for (const auto& [other, other_word] : words)
      BOOST_TEST(is_stop_word(language, other_word) == (language == other), language);
  BOOST_TEST(is_stop_word("english,german", "der"));
  BOOST_TEST(!is_stop_word("english,german", "les"));
  BOOST_TEST(!is_stop_word("none", "the"));
}

BOOST_AUTO_TEST_CASE(an_operator_asks_for_its_word) {
  BOOST_TEST(kept("+who tea") == "who");
  BOOST_TEST(kept("who AND tea") == "who, tea");
  BOOST_TEST(kept("tea -who") == "who");
}

BOOST_AUTO_TEST_CASE(an_operator_before_a_group_asks_for_its_stop_words_if_it_has_no_other_words) {
  BOOST_TEST(kept("tea AND (who is)") == "tea, who, is");
  BOOST_TEST(kept("tea AND (who is green)") == "tea");
  BOOST_TEST(kept("tea (who is)") == "");
}

// An excluded word finds nothing, so it is no content of the query.
BOOST_AUTO_TEST_CASE(an_excluded_word_does_not_count_as_content) {
  BOOST_TEST(kept("who is -tea") == "who, is, tea");
  BOOST_TEST(kept("who is +tea") == "tea");
}

BOOST_AUTO_TEST_CASE(phrases_beginnings_and_fuzzy_words_are_content) {
  BOOST_TEST(kept("who \"is it\"") == "");
  BOOST_TEST(kept("who te*") == "");
  BOOST_TEST(kept("who tea~") == "");
}

BOOST_AUTO_TEST_CASE(a_query_without_words_asks_nothing) {
  BOOST_TEST(asks_nothing_in(""));
  BOOST_TEST(asks_nothing_in(" . , "));
  BOOST_TEST(!asks_nothing_in("who"));
  BOOST_TEST(!asks_nothing_in(". who"));
  BOOST_TEST(!asks_nothing_in("te*"));
}

BOOST_AUTO_TEST_CASE(each_language_has_its_own_list_or_none) {
  BOOST_TEST(is_stop_word("english", "the"));
  BOOST_TEST(!is_stop_word("english", "der"));
  BOOST_TEST(is_stop_word("german", "der"));
  BOOST_TEST(is_stop_word("french", "le"));
  BOOST_TEST(!is_stop_word("english", "tea"));
  BOOST_TEST(!is_stop_word("english", ""));
  BOOST_TEST(!is_stop_word("norwegian", "og"));
}

BOOST_AUTO_TEST_SUITE_END()
