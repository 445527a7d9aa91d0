// The table of irregular forms.
#include "engine/fulltext/analyzer.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>

namespace {

/// The other forms with blanks between them.
std::string forms(std::string_view language, std::string_view term) {
  std::string all;
  for (const std::string& form : cairn::engine::irregular_forms(language, term))
    all += (all.empty() ? "" : " ") + form;
  return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(irregular_words)

BOOST_AUTO_TEST_CASE(each_form_has_the_stems_of_the_others) {
  BOOST_TEST(forms("english", "give") == "gave given");
  BOOST_TEST(forms("english", "gave") == "give given");
  BOOST_TEST(forms("english", "children") == "child");
  BOOST_TEST(forms("english", "kept") == "keep");
}

BOOST_AUTO_TEST_CASE(regular_words_and_other_languages_have_none) {
  for (const char* word : {"", "paint", "ring", "rang"}) BOOST_TEST(forms("english", word).empty());
  BOOST_TEST(forms("german", "gave").empty());
  BOOST_TEST(forms("none", "gave").empty());
}

// A company that was founded is not what was found, and leaves of a tree are not what was left.
BOOST_AUTO_TEST_CASE(words_that_meet_another_frequent_word_have_none) {
  for (const char* word :
       {"found", "left", "leav", "led", "axe", "saw", "felt", "spoke", "fed", "lent"})
    BOOST_TEST(forms("english", word).empty(), word);
}

BOOST_AUTO_TEST_SUITE_END()
