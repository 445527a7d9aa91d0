// The languages of texts. The sentences are translations of one another.
#include "engine/fulltext/text_language.hpp"

#include <boost/test/unit_test.hpp>

#include <map>
#include <string>
#include <string_view>
#include <vector>

using namespace cairn::engine;

namespace {

const std::vector<std::string> all =
    split_languages("english,german,french,spanish,italian,dutch,swedish,finnish,russian");

/// The names of the detected languages, joined by commas; empty if the text is unclear.
std::string detected(std::string_view text, const std::vector<std::string>& languages = all) {
  LanguageEvidence evidence(languages);
  evidence.add(text);
  std::string names;
  for (std::size_t i = 0; i < languages.size(); ++i)
    if ((evidence.languages() >> i & 1U) != 0) names += (names.empty() ? "" : ",") + languages[i];
  return names;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(text_language)

BOOST_AUTO_TEST_CASE(each_language_is_recognised) {
  const std::map<std::string, std::string> sentences = {
      {"english", "The children of the city were playing in the garden when it rained."},
      {"german", "Die Kinder der Stadt spielten im Garten, als es regnete."},
      {"french", "Les enfants de la ville jouaient dans le jardin quand il pleuvait."},
      {"spanish", "Los niños de la ciudad jugaban en el jardín cuando llovía."},
      {"italian", "I bambini della città giocavano nel giardino quando pioveva."},
      {"dutch", "De kinderen van de stad speelden in de tuin toen het regende."},
      {"swedish", "Barnen i staden lekte i trädgården när det regnade och blåste."},
      {"finnish", "Kaupungin lapset leikkivät puutarhassa, kun oli sade ja tuuli."},
      {"russian", "Дети города играли в саду, когда шёл дождь."}};
  for (const auto& [language, sentence] : sentences) BOOST_TEST(detected(sentence) == language);
}

BOOST_AUTO_TEST_CASE(titles_and_names_are_unclear) {
  for (const char* text : {"", "Berlin", "Hotel Information", "iPhone 15 Pro", "die hard"})
    BOOST_TEST(detected(text) == "", text);
}

BOOST_AUTO_TEST_CASE(a_text_of_two_languages_is_in_both) {
  BOOST_TEST(detected("The house of the children is in the city. Die Kinder der Stadt sind in dem "
                      "Haus, und sie spielen mit dem Ball.") == "english,german");
}

BOOST_AUTO_TEST_CASE(only_the_languages_of_the_list_are_told_apart) {
  const std::vector<std::string> two = {"english", "german"};
  BOOST_TEST(detected("Die Kinder der Stadt sind hier.", two) == "german");
  BOOST_TEST(detected("Los niños de la ciudad", two) == "");
}

BOOST_AUTO_TEST_CASE(the_beginning_of_a_long_text_decides) {
  std::string text = "Die Kinder der Stadt sind in dem Haus. ";
  while (text.size() < 5'000) text += "Kinder und Häuser ";
  BOOST_TEST(detected(text + "the of and is was were in it") == "german");
  BOOST_TEST(detected(std::string(10'000, 'x')) == "");
}

BOOST_AUTO_TEST_CASE(bytes_that_are_no_text_are_unclear) {
  BOOST_TEST(detected("\xff\xfe\x80 \xd0") == "");
}

BOOST_AUTO_TEST_CASE(a_word_fits_the_languages_of_its_script) {
  const std::vector<std::string> languages = {"english", "russian", "german"};
  BOOST_TEST(fitting_script(languages, 7, "docker") == 5U);
  BOOST_TEST(fitting_script(languages, 7, "дом") == 2U);
  BOOST_TEST(fitting_script(languages, 2, "docker") == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
