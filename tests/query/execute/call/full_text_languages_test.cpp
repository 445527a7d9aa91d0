// Full-text indexes of languages other than English, of several languages, and of compounds.

#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <boost/test/unit_test.hpp>

#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::test {
namespace {

struct Fixture {
  TemporaryDatabase database;

  std::string result(std::string_view statement, const Parameters& parameters = {}) {
    return result_of(*database, statement, parameters);
  }
  void make_index(const std::string& config, const std::string& properties = "d.text") {
    run_all(*database, {"CREATE FULLTEXT INDEX texts FOR (d:D) ON EACH [" + properties +
                        "] OPTIONS {indexConfig: {" + config + "}}"});
  }
  /// Makes a node with n = 1, 2, ... for each text.
  void add(const std::vector<std::string>& texts) {
    std::int64_t n = 0;
    for (const std::string& text : texts)
      result("CREATE (:D {n: $n, text: $text})", {{"n", ++n}, {"text", text}});
  }
  /// The numbers of the texts that a question finds, in ascending order.
  std::string found(const std::string& question) {
    return result(
        "CALL db.index.fulltext.queryNodes('texts', $q) YIELD node WITH node ORDER BY node.n "
        "RETURN collect(node.n)",
        {{"q", question}});
  }
  /// The number of the best text.
  std::string best(const std::string& question) {
    return result("MATCH (d) SEARCH d IN (FULLTEXT INDEX texts FOR $q LIMIT 1) RETURN d.n",
                  {{"q", question}});
  }
  std::string snippet(int n, const std::string& question) {
    return result(
        "MATCH (d:D {n: $n}) RETURN text.snippet(d.text, $q, {index: 'texts', size: 300})",
        {{"n", n}, {"q", question}});
  }
  void check() { BOOST_TEST(must(database->check()).empty()); }
};

const std::vector<std::string> sentences = {
    "The children of the city were playing with their balls in the old gardens.",
    "Die Häuser und die Straßen der Städte sind voll von spielenden Kindern.",
    "Les chevaux de la ville sont dans les jardins avec nos enfants.",
    "Los niños de las ciudades jugaban con sus caballos en los jardines.",
    "I ragazzi della scuola hanno giocato con i loro cavalli nei giardini.",
    "De kinderen van de steden speelden met de paarden in hun tuinen.",
    "Barnen i staden och flickorna på gatorna lekte med hästarna.",
    "Kaupungin lapset ja heidän hevosensa olivat puutarhoissa, kun oli sade.",
    "Дети города играли с лошадьми в садах и на улицах."};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(full_text_languages, Fixture)

BOOST_AUTO_TEST_CASE(each_language_finds_inflected_words) {
  const std::vector<std::vector<std::string>> cases = {
      // language, text, questions
      {"french", "Les chevaux nationaux mangeaient", "cheval", "national", "manger"},
      {"spanish", "Las canciones cantadas", "canción", "cantar", "cantando"},
      {"italian", "I ragazzi mangiavano le pizze", "ragazzo", "mangiare", "pizza"},
      {"dutch", "De boeken en de straten", "boek", "straat", "boeken"},
      {"swedish", "Flickorna och bilarna", "flicka", "bilen", "bil"},
      {"finnish", "Taloissa oli kirjoja", "talo", "kirja", "kirjojen"},
      {"russian", "Красивые книги читали", "книга", "красивая", "читать"},
      {"german", "Die Häuser der Lehrerinnen", "Haus", "Häusern", "Hauses"}};
  for (const auto& one : cases) {
    make_index("`fulltext.analyzer`: '" + one[0] + "'");
    add({one[1]});
    for (std::size_t i = 2; i < one.size(); ++i)
      BOOST_TEST(found(one[i]) == "[1]", one[0] << ": " << one[i]);
    check();
    run_all(*database, {"DROP INDEX texts", "MATCH (d:D) DELETE d"});
  }
}

BOOST_AUTO_TEST_CASE(stop_words_of_a_language_are_dropped) {
  make_index("`fulltext.analyzer`: 'spanish'");
  add({"la casa de los niños", "los perros de la calle"});
  BOOST_TEST(found("los perros de la casa") == "[1, 2]");
  BOOST_TEST(found("los niños") == "[1]");
  BOOST_TEST(found("los") == "[1, 2]");
}

BOOST_AUTO_TEST_CASE(an_index_of_all_languages_finds_each) {
  make_index("`fulltext.analyzer`: 'auto'");
  add(sentences);
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"child", "[]"},           {"garden ball", "[1]"}, {"played", "[1]"},  {"Haus", "[2]"},
      {"Straße", "[2]"},         {"Stadt", "[2]"},       {"cheval", "[3]"},  {"jardin", "[3, 4]"},
      {"enfant", "[3]"},         {"ciudad", "[4]"},      {"caballo", "[4]"}, {"ragazzo", "[5]"},
      {"cavallo", "[5]"},        {"paard", "[6]"},       {"tuin", "[6]"},    {"flicka", "[7]"},
      {"hästen", "[7]"},         {"lapsi", "[8]"},       {"город", "[9]"},   {"улица", "[9]"},
      {"+paarden +tuin", "[6]"}, {"paard -tuin", "[]"},  {"paar*", "[6]"}};
  for (const auto& [question, wanted] : cases)
    BOOST_TEST(found(question) == wanted, question << ": " << found(question));
  check();
}

BOOST_AUTO_TEST_CASE(changes_of_texts_and_their_languages_change_the_index) {
  make_index("`fulltext.analyzer`: ['english', 'german']");
  add({"The houses of the children are in the city", "Die Häuser der Kinder sind in der Stadt"});
  BOOST_TEST(found("Haus house") == "[1, 2]");
  run_all(*database, {"MATCH (d:D {n: 1}) SET d.text = 'Die Bücher sind in dem Haus'"});
  BOOST_TEST(found("Buch") == "[1]");
  BOOST_TEST(found("house") == "[]");
  BOOST_TEST(found("child") == "[]");
  check();
  database.reopen();
  BOOST_TEST(found("Häusern") == "[1, 2]");
  run_all(*database, {"MATCH (d:D {n: 2}) DELETE d"});
  BOOST_TEST(found("Häusern") == "[1]");
  check();
  run_all(*database, {"MATCH (d:D) DELETE d"});
  BOOST_TEST(found("Haus Buch house") == "[]");
  check();
}

BOOST_AUTO_TEST_CASE(an_index_made_later_has_the_same_terms) {
  add(sentences);
  make_index("`fulltext.analyzer`: 'auto'");
  BOOST_TEST(found("ragazzo") == "[5]");
  check();
}

// A title without stop words is in the language of its record if that is known, and otherwise in
// all languages of the index.
BOOST_AUTO_TEST_CASE(an_unclear_text_is_found_in_any_language) {
  make_index("`fulltext.analyzer`: ['english', 'german', 'spanish']", "d.text, d.title");
  run_all(*database, {"CREATE (:D {n: 1, text: 'Kataloge'}), (:D {n: 2, text: 'Running shoes'}), "
                      "(:D {n: 3, text: 'Canciones'}), "
                      "(:D {n: 4, title: 'Häuser', text: 'Das sind die Häuser in der Stadt'})"});
  BOOST_TEST(found("Katalog") == "[1]");
  BOOST_TEST(found("shoe") == "[2]");
  BOOST_TEST(found("ran run") == "[2]");
  BOOST_TEST(found("canción") == "[3]");
  BOOST_TEST(found("title:Haus") == "[4]");
  check();
}

// The terms of a word in several languages are alternatives and count once.
BOOST_AUTO_TEST_CASE(the_stems_of_a_word_count_once) {
  make_index("`fulltext.analyzer`: ['english', 'german', 'french', 'spanish']");
  add({"Universities", "universities and the schools of the city are in the news",
       "Universities universities"});
  BOOST_TEST(best("university") == "3");
  const std::string scores = result(
      "CALL db.index.fulltext.queryNodes('texts', 'universities') YIELD node, score "
      "WITH max(score) AS most, min(score) AS least RETURN most < 3 * least");
  BOOST_TEST(scores == "true");
}

BOOST_AUTO_TEST_CASE(phrases_are_found_in_the_language_of_the_text) {
  make_index("`fulltext.analyzer`: ['english', 'german']");
  add({"The old houses of the city are for the children", "Wir sehen die alten Häuser der Stadt",
       "alte Häuser"});
  BOOST_TEST(found("\"alte Haus\"") == "[2, 3]");
  BOOST_TEST(found("\"old house\"") == "[1]");
  BOOST_TEST(found("\"Haus alte\"") == "[]");
  BOOST_TEST(snippet(2, "\"alte Haus\"") == "'Wir sehen die **alten Häuser** der Stadt'");
}

BOOST_AUTO_TEST_CASE(snippets_mark_the_words_of_each_language) {
  make_index("`fulltext.analyzer`: 'auto'");
  add(sentences);
  BOOST_TEST(snippet(2, "das Haus mit der Straße") ==
             "'Die **Häuser** und die **Straßen** der Städte sind voll von spielenden Kindern.'");
  BOOST_TEST(snippet(9, "улица") == "'Дети города играли с лошадьми в садах и на **улицах**.'");
}

BOOST_AUTO_TEST_CASE(stop_words_of_the_question_are_those_of_its_language) {
  make_index("`fulltext.analyzer`: ['english', 'german']");
  add({"Das Wetter ist gut, und die Kinder sind im Garten", "They die hard in the movies of war"});
  BOOST_TEST(found("wo sind die Kinder in dem Garten") == "[1]");
  BOOST_TEST(found("die hard") == "[1, 2]");
  BOOST_TEST(best("die hard") == "2");
}

BOOST_AUTO_TEST_CASE(elided_articles_are_split_off_in_the_languages_that_have_them) {
  make_index("`fulltext.analyzer`: ['english', 'french', 'german']");
  add({"Nous avons pris l'avion pour aller à la plage",
       "Sean O'Brien is at the house of the boys"});
  BOOST_TEST(found("avion") == "[1]");
  BOOST_TEST(found("l'avion") == "[1]");
  BOOST_TEST(found("l'av*") == "[1]");
  BOOST_TEST(found("brien") == "[2]");
  BOOST_TEST(found("O'Br*") == "[2]");
  check();
}

BOOST_AUTO_TEST_CASE(similar_words_are_found_in_a_mixed_index) {
  make_index("`fulltext.analyzer`: ['english', 'german']");
  add(sentences);
  BOOST_TEST(found("gardan~1") == "[1]");
  BOOST_TEST(found("Strasen~1") == "[2]");
}

BOOST_AUTO_TEST_CASE(recall_finds_texts_of_each_language) {
  make_index("`fulltext.analyzer`: 'auto'");
  add(sentences);
  const auto first = [&](const std::string& question) {
    return result("CALL db.recall($q, {index: 'texts', limit: 1}) YIELD node RETURN node.n",
                  {{"q", question}});
  };
  BOOST_TEST(first("Wo ist das Haus an der Straße?") == "2");
  BOOST_TEST(first("¿Dónde está el caballo en la ciudad?") == "4");
  BOOST_TEST(first("где улица города?") == "9");
}

BOOST_AUTO_TEST_CASE(misspelt_words_of_each_language_are_corrected) {
  make_index("`fulltext.analyzer`: 'auto'");
  add(sentences);
  const auto all = [&](const std::string& question) {
    return result(
        "CALL db.recall($q, {index: 'texts', limit: 9}) YIELD node WITH node.n AS n ORDER BY n "
        "RETURN collect(n)",
        {{"q", question}});
  };
  BOOST_TEST(all("chidlren") == "[1]");
  BOOST_TEST(all("Straßne") == "[2]");
  // A part of a known word is not misspelt.
  run_all(*database, {"CREATE (:D {n: 10, text: 'Das ist ein Donaudampfschiff'})",
                      "CREATE (:D {n: 11, text: 'Das ist ein Dampfschliff'})"});
  BOOST_TEST(all("Dampfschiff") == "[10]");
}

BOOST_AUTO_TEST_CASE(the_languages_of_an_index_are_shown) {
  make_index("`fulltext.analyzer`: ['english', 'german']");
  const std::string shown =
      "CALL db.indexes() YIELD name, options WITH options.indexConfig AS c "
      "RETURN c['fulltext.analyzer'], c['fulltext.compounds'], c['fulltext.elisions']";
  BOOST_TEST(result(shown) == "['english', 'german'] | true | true");
  database.reopen();
  BOOST_TEST(result(shown) == "['english', 'german'] | true | true");
  run_all(*database, {"DROP INDEX texts"});
  make_index("");
  BOOST_TEST(result(shown) == "'english' | false | true");
}

BOOST_AUTO_TEST_CASE(languages_that_are_not_told_apart_are_refused) {
  for (const std::string option :
       {"['english', 'klingon']", "['english', 'none']", "['english', 'english']", "[]", "[1]",
        "['english,german', 'dutch']", "'english,german'", "1"}) {
    const Error error = error_of(*database,
                                 "CREATE FULLTEXT INDEX x FOR (m:X) ON EACH [m.a] OPTIONS "
                                 "{indexConfig: {`fulltext.analyzer`: " +
                                     option + "}}");
    BOOST_TEST((error.code == ErrorCode::invalid_argument), option << ": " << error.message);
  }
}

BOOST_AUTO_TEST_CASE(a_part_finds_its_compounds_and_a_compound_its_parts) {
  make_index("`fulltext.analyzer`: 'german'");
  add({"Das Donaudampfschiff fährt", "Ein Dampfschiff liegt im Hafen", "Die Donau ist lang",
       "Das Quartier schläft"});
  BOOST_TEST(found("Dampfschiff") == "[1, 2]");
  BOOST_TEST(best("Dampfschiff") == "2");
  BOOST_TEST(found("Dampfschiffe") == "[1, 2]");
  BOOST_TEST(found("Donaudampfschiff") == "[1, 2, 3]");
  BOOST_TEST(best("Donaudampfschiffe") == "1");
  BOOST_TEST(found("Donau") == "[1, 3]");
  BOOST_TEST(found("Tier") == "[]");
  BOOST_TEST(found("+Dampfschiff +Hafen") == "[2]");
  BOOST_TEST(found("Donau -Dampfschiff") == "[3]");
  BOOST_TEST(found("\"ein Dampfschiff\"") == "[2]");
  check();
}

BOOST_AUTO_TEST_CASE(compounds_follow_changes_of_texts) {
  make_index("`fulltext.analyzer`: 'german'");
  add({"Das Donaudampfschiff", "Die Arbeitszeit beginnt"});
  BOOST_TEST(found("Zeit") == "[]");
  BOOST_TEST(found("Dampfschiff") == "[1]");
  run_all(*database, {"CREATE (:D {n: 3, text: 'Viel Arbeit'})"});
  BOOST_TEST(found("Zeit") == "[2]");
  BOOST_TEST(found("Arbeit") == "[2, 3]");
  database.reopen();
  BOOST_TEST(found("Arbeit") == "[2, 3]");
  run_all(*database, {"MATCH (d:D {n: 1}) SET d.text = 'Das Segelschiff'"});
  BOOST_TEST(found("Dampfschiff") == "[]");
  run_all(*database, {"MATCH (d:D) DELETE d"});
  BOOST_TEST(found("Arbeit Zeit") == "[]");
  check();
}

BOOST_AUTO_TEST_CASE(snippets_mark_compounds) {
  make_index("`fulltext.analyzer`: 'german'");
  add({"Das Donaudampfschiff fährt"});
  BOOST_TEST(snippet(1, "Dampfschiff") == "'Das **Donaudampfschiff** fährt'");
  BOOST_TEST(result("RETURN text.highlights('Ein Dampfschiff', 'Donaudampfschiffe', "
                    "{index: 'texts'})[0].start") == "4");
}

BOOST_AUTO_TEST_CASE(compounds_of_other_languages_are_found) {
  const std::vector<std::vector<std::string>> cases = {
      {"dutch", "Een stoomboot en een vrachtwagen", "wagen", "boot"},
      {"swedish", "En ångbåtsresa med järnvägen", "järn", "väg"},
      {"finnish", "Rautatieasema ja lentokone", "rautatie", "asema"}};
  for (const auto& one : cases) {
    make_index("`fulltext.analyzer`: '" + one[0] + "'");
    add({one[1], "vracht stoom väg järn kone rautatie"});
    for (std::size_t i = 2; i < one.size(); ++i)
      BOOST_TEST(found(one[i]).starts_with("[1"), one[0] << ": " << one[i]);
    run_all(*database, {"DROP INDEX texts", "MATCH (d:D) DELETE d"});
  }
}

BOOST_AUTO_TEST_CASE(compounds_can_be_switched_off) {
  make_index("`fulltext.analyzer`: 'german', `fulltext.compounds`: false");
  add({"Das Donaudampfschiff", "Das Dampfschiff"});
  BOOST_TEST(found("Dampfschiff") == "[2]");
  BOOST_TEST(found("Donaudampfschiff") == "[1]");
}

BOOST_AUTO_TEST_CASE(compounds_of_a_language_without_them_are_refused) {
  for (const char* language : {"'english'", "['english', 'french']", "'none'"}) {
    const Error error =
        error_of(*database,
                 "CREATE FULLTEXT INDEX x FOR (m:X) ON EACH [m.a] OPTIONS "
                 "{indexConfig: {`fulltext.compounds`: true, `fulltext.analyzer`: " +
                     std::string(language) + "}}");
    BOOST_TEST((error.code == ErrorCode::invalid_argument), language << ": " << error.message);
    BOOST_TEST(error.message.find("leave fulltext.compounds out") != std::string::npos);
  }
  make_index("`fulltext.analyzer`: ['english', 'german'], `fulltext.compounds`: true");
}

BOOST_AUTO_TEST_CASE(words_of_a_language_without_compounds_are_none) {
  make_index("`fulltext.analyzer`: ['english', 'german']");
  add({"They looked at the storehouse with the others", "This is the house of the king",
       "Das ist das Lagerhaus mit dem Dach", "Das ist ein Haus und das ist ein Lager"});
  BOOST_TEST(found("Haus") == "[3, 4]");
  BOOST_TEST(found("Lagerhaus") == "[3, 4]");
  // No parts of compounds match here, neither by the question's language nor by the language of the
  // texts.
  BOOST_TEST(found("What is it that they call a house?") == "[2]");
  BOOST_TEST(found("store") == "[]");
  BOOST_TEST(found("storehouse") == "[1]");
  run_all(*database, {"CREATE (:D {n: 5, text: 'They have it in the store of the town'})"});
  BOOST_TEST(found("storehouse") == "[1]");
  check();
}

BOOST_AUTO_TEST_CASE(compounds_of_several_fields_and_languages_are_found) {
  make_index("`fulltext.analyzer`: ['english', 'german']", "d.title, d.text");
  run_all(
      *database,
      {"CREATE (:D {n: 1, title: 'Donaudampfschiff', text: 'Das ist ein Schiff auf der Donau'})",
       "CREATE (:D {n: 2, title: 'Dampfschiffe', text: 'The ships are on the river'})"});
  BOOST_TEST(found("Dampfschiff") == "[1, 2]");
  BOOST_TEST(found("title:Dampfschiff") == "[1, 2]");
  BOOST_TEST(found("text:Dampfschiff") == "[1]");
  BOOST_TEST(result("CALL db.recall('Dampfschiff', {index: 'texts', limit: 5}) YIELD node "
                    "WITH node.n AS n ORDER BY n RETURN collect(n)") == "[1, 2]");
  check();
}

// Brackets make a search read every posting. Without brackets it skips blocks or walks the rarest
// word's postings.
BOOST_AUTO_TEST_CASE(all_ways_of_a_search_give_the_same_scores) {
  const std::vector<std::string> words = {
      "Haus",  "Häuser", "houses", "Dampfschiff", "Donaudampfschiff", "Donau", "running",
      "casas", "the",    "der",    "university",  "universities",     "die",   "Arbeitszeit"};
  std::mt19937 random(7);
  const auto word = [&] { return words[random() % words.size()]; };
  make_index("`fulltext.analyzer`: ['english', 'german', 'spanish']");
  std::vector<std::string> texts;
  for (int i = 0; i < 120; ++i) {
    std::string text;
    for (std::size_t count = 1 + random() % 8; count > 0; --count) text += word() + " ";
    texts.push_back(text);
  }
  add(texts);
  const auto hits = [&](const std::string& question) {
    return result(
        "CALL db.index.fulltext.queryNodes('texts', $q, {limit: 7}) YIELD node, score "
        "RETURN node.n, round(score, 9)",
        {{"q", question}});
  };
  for (int i = 0; i < 40; ++i) {
    const std::string first = word();
    const std::string second = word();
    BOOST_TEST(hits(first + " " + second) == hits("(" + first + " " + second + ")"));
    BOOST_TEST(hits("+" + first + " " + second) == hits("+(" + first + ") (" + second + ")"));
  }
  check();
}

// The search keeps each compound that begins with the word until its weight is known.
BOOST_AUTO_TEST_CASE(very_many_compounds_of_a_word_meet_the_memory_limit) {
  make_index("`fulltext.analyzer`: 'german'");
  result("UNWIND range(1, 8000) AS i CREATE (:D {text: 'abcd' + toString(1000000 + i) + 'xyz'})");
  StatementOptions options;
  options.memory_bytes = std::size_t{1} << 20;
  BOOST_TEST((error_of(*database,
                       "CALL db.index.fulltext.queryNodes('texts', 'abcd') YIELD node "
                       "RETURN count(node)",
                       {}, options)
                  .code == ErrorCode::resource_limit));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
