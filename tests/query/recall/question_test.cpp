// What a question names: runs of words that may be values.

#include "query/recall/question.hpp"

#include <boost/test/unit_test.hpp>

#include <sstream>

namespace cairn::test {
namespace {

std::vector<query::NamedText> named_texts(std::string_view question, std::string_view language) {
  engine::TextWork unlimited(nullptr);
  return query::named_texts(question, language, unlimited).value();
}

/// "Ada 0+1; Ada Lovelace 0+2": each text with its words.
std::string names(std::string_view question) {
  std::ostringstream out;
  for (const query::NamedText& text : named_texts(question, "english"))
    out << (out.tellp() > 0 ? "; " : "") << text.text << ' ' << text.first << '+' << text.count;
  return out.str();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(question)

BOOST_AUTO_TEST_CASE(words_and_runs_of_up_to_three_may_be_values) {
  BOOST_TEST(names("new york tea?") ==
             "new 0+1; new york 0+2; new york tea 0+3; york 1+1; "
             "york tea 1+2; tea 2+1");
  BOOST_TEST(names("").empty());
  BOOST_TEST(names("?!").empty());
}

BOOST_AUTO_TEST_CASE(no_value_begins_or_ends_with_a_word_that_only_fills) {
  BOOST_TEST(names("what is in the Isle of Man") == "Isle 4+1; Isle of Man 4+3; Man 6+1");
  BOOST_TEST(names("Will it rain?") == "rain 2+1");
  BOOST_TEST(names("did Will say") == "Will 1+1; Will say 1+2; say 2+1");
  BOOST_TEST(named_texts("was macht er", "none").size() == 6U);
  BOOST_TEST(named_texts("dijo \u00e9l", "spanish").size() == 1U);
  BOOST_TEST(named_texts("dijo \u00c9l", "spanish").size() == 3U);
}

BOOST_AUTO_TEST_CASE(a_possessive_ending_is_no_part_of_a_name) {
  BOOST_TEST(names("Ada's") == "Ada 0+1");
  BOOST_TEST(names("Ada\xe2\x80\x99s") == "Ada 0+1");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
