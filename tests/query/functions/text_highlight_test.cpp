#include "tests/query/functions/support.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <boost/test/unit_test.hpp>

using namespace cairn;
using namespace cairn::query::test;

BOOST_AUTO_TEST_SUITE(text_highlight)

BOOST_AUTO_TEST_CASE(highlights_are_counted_in_characters) {
  check_calls({
      {"text.highlights",
       {"Grüne Tees, dann Tee", "tees"},
       "[{end: 10, start: 6, text: 'Tees'}, {end: 20, start: 17, text: 'Tee'}]"},
      {"text.highlights", {"tea", "coffee"}, "[]"},
      {"text.highlights",
       {"Ça: café Æon", "aeon cafe"},
       "[{end: 8, start: 4, text: 'café'}, {end: 12, start: 9, text: 'Æon'}]"},
      {"text.highlights", {Value(), "tea"}, "null"},
  });
}

BOOST_AUTO_TEST_CASE(features_of_a_text_are_a_list) {
  check_calls({
      {"text.features", {"I like 3 cups"}, "['number', 'preference']"},
      {"text.features", {"tea"}, "[]"},
      {"text.features", {Value()}, "null"},
  });
}

BOOST_AUTO_TEST_CASE(a_snippet_marks_what_answers) {
  check_calls({
      {"text.snippet", {"Ada: green tea, tea", "\"green tea\""}, "'Ada: **green tea**, tea'"},
      {"text.snippet", {"Ada drinks tea", "drinking"}, "'Ada **drinks** tea'"},
      {"text.snippet",
       {"one two three four five six seven", "four",
        Map{{"size", 10}, {"before", "<b>"}, {"after", "</b>"}, {"ellipsis", "..."}}},
       "'...<b>four</b>...'"},
  });
}

BOOST_AUTO_TEST_CASE(options_that_are_not_there_are_errors) {
  check_calls({
      {"text.snippet", {"a", "b", Map{{"sizes", 10}}}, "error: invalid_argument"},
      {"text.snippet", {"a", "b", Map{{"size", 0}}}, "error: invalid_argument"},
      {"text.snippet", {"a", "b", Map{{"before", 1}}}, "error: invalid_argument"},
      {"text.snippet", {"a", "b", 1}, "error: type_error"},
      {"text.snippet", {"a", 1}, "error: type_error"},
      {"text.highlights", {"a", "b", Map{{"index", "x"}}}, "error: invalid_argument"},
  });
}

BOOST_AUTO_TEST_CASE(an_index_gives_its_language_and_its_fields) {
  cairn::test::TemporaryDatabase database;
  cairn::test::run_all(*database,
                       {"CREATE FULLTEXT INDEX texts FOR (m:M) ON EACH [m.content] OPTIONS "
                        "{indexConfig: {`fulltext.analyzer`: 'german'}}",
                        "CREATE (:M {content: 'Die Katzen schlafen'})"});
  BOOST_TEST(cairn::test::result_of(
                 *database,
                 "MATCH (m:M) SEARCH m IN (FULLTEXT INDEX texts FOR 'content:Katze' LIMIT 1) "
                 "RETURN text.snippet(m.content, 'content:Katze', {index: 'texts'})") ==
             "'Die **Katzen** schlafen'");
  BOOST_TEST(cairn::test::result_of(*database,
                                    "RETURN text.snippet('Katzen', 'Katze', {index: 'texts'})") ==
             "'**Katzen**'");
  BOOST_TEST(
      (cairn::test::error_of(*database, "RETURN text.snippet('a', 'b', {index: 'nobody'})").code ==
       ErrorCode::invalid_argument));
}

BOOST_AUTO_TEST_SUITE_END()
