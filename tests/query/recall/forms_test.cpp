// Irregular forms of a word of the question are one word.

#include "tests/query/recall/support.hpp"

#include <boost/test/unit_test.hpp>

namespace cairn::test {

BOOST_FIXTURE_TEST_SUITE(recall_forms, Recalling)

BOOST_AUTO_TEST_CASE(each_form_of_a_word_finds_the_others) {
  add("CREATE (:Memory {name: 'a', content: 'they give'}), (:Memory {name: 'b', content: 'they "
      "gave'}), (:Memory {name: 'c', content: 'they sang'}), (:Memory {name: 'd', content: 'their "
      "children'})");
  for (const char* question : {"give", "Gave", "given", "giving"})
    BOOST_TEST(scores(question) == "a 1; b 1", question);
  BOOST_TEST(scores("child") == "d 1");
  BOOST_TEST(scores("singing") == "c 1");
  options.features.joins_forms = false;
  BOOST_TEST(scores("give") == "a 1");
  BOOST_TEST(scores("child") == "");
}

// A text with two forms is worth no more than one with either, and the whole is that of one word.
BOOST_AUTO_TEST_CASE(the_forms_count_as_one_word) {
  add("CREATE (:Memory {name: 'a', content: 'gave it'}), (:Memory {name: 'b', content: 'gave "
      "give'}), (:Memory {name: 'c', content: 'give it'}), (:Memory {name: 'd', content: 'tea "
      "it'})");
  for (const char* question : {"give", "gave", "did you give what they gave"})
    BOOST_TEST(scores(question) == "a 1; b 1; c 1", question);
  const auto found = hits("give tea");
  BOOST_TEST_REQUIRE(found.size() == 4U);
  BOOST_TEST(parts_of(found[0]).whole < 2.0);
}

BOOST_AUTO_TEST_CASE(forms_of_the_question_are_no_expansion) {
  add("CREATE (:Memory {name: 'a', content: 'they give'}), (:Memory {name: 'b', content: 'the "
      "tea'})");
  options.features.expansion_weight = 0.5;
  options.expansion = {{"given", 1}};
  BOOST_TEST(scores("gave") == "a 1");
  options.expansion = {{"gave", 1}};
  BOOST_TEST(scores("tea") == "b 1; a 0.5");
}

BOOST_AUTO_TEST_CASE(a_form_is_not_taken_for_a_misspelt_word) {
  add("CREATE (:Memory {name: 'a', content: 'I think so'}), (:Memory {name: 'b', content: 'though "
      "it rains'})");
  BOOST_TEST(scores("thought") == "a 1");
}

// In an index of several languages the question tells its own.
BOOST_AUTO_TEST_CASE(the_language_of_the_question_decides) {
  add("DROP INDEX texts");
  add("CREATE FULLTEXT INDEX texts FOR (m:Memory) ON EACH [m.content] OPTIONS {indexConfig: "
      "{`fulltext.analyzer`: ['english', 'german']}}");
  add("CREATE (:Memory {name: 'a', content: 'They gave it to the king of the land'})");
  BOOST_TEST(scores("What is it that they give to the men?") == "a 1");
  BOOST_TEST(scores("give") == "");
}

// "Arbeiten" has a stem in German and another one in English; a text of unclear language has both.
BOOST_AUTO_TEST_CASE(the_stems_of_an_expansion_word_are_one_word) {
  add("DROP INDEX texts");
  add("CREATE FULLTEXT INDEX texts FOR (m:Memory) ON EACH [m.content] OPTIONS {indexConfig: "
      "{`fulltext.analyzer`: ['english', 'german']}}");
  add("CREATE (:Memory {name: 'a', content: 'Tee'}), (:Memory {name: 'b', content: 'Arbeiten'}), "
      "(:Memory {name: 'c', content: 'Boot'})");
  options.features.expansion_weight = 0.5;
  options.expansion = {{"Arbeiten", 1}};
  BOOST_TEST(scores("Tee") == "a 1; b 0.5");
}

BOOST_AUTO_TEST_CASE(other_languages_have_no_such_forms) {
  add("DROP INDEX texts");
  add("CREATE FULLTEXT INDEX texts FOR (m:Memory) ON EACH [m.content] OPTIONS {indexConfig: "
      "{`fulltext.analyzer`: 'german'}}");
  add("CREATE (:Memory {name: 'a', content: 'gave'})");
  BOOST_TEST(scores("give") == "");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
