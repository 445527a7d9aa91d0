// Corrections of misspelt words by the terms of an index.
#include "engine/fulltext/spelling.hpp"

#include "codec/bitmap.hpp"
#include "engine/fulltext/analyzer.hpp"
#include "tests/engine/algorithm/counted_limits.hpp"
#include "tests/engine/fulltext/stored_texts.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

using namespace cairn;
using codec::Bitmap;
using engine::Analyzer;
using engine::AnalyzerOptions;
using test::CountedLimits;
using test::StoredTexts;
using test::TermDocuments;

namespace {

const Bitmap all = Bitmap::of_range(0, 1'000);

/// Words are terms as they are, so that a case sees the letters that are compared.
AnalyzerOptions unstemmed() {
  AnalyzerOptions options;
  options.language = "none";
  return options;
}

/// The correction of a word, or "-" if there is none.
std::string corrected(const StoredTexts& texts, std::string_view word, const Bitmap& among = all,
                      const AnalyzerOptions& options = unstemmed(), bool joins_forms = true) {
  const auto found = test::must(
      engine::corrected_word(texts.reader(), Analyzer(options), word, among, joins_forms, nullptr));
  return found.value_or("-");
}

/// Terms of the first field, each in one document.
TermDocuments in_one_text(const std::vector<std::string>& terms) {
  TermDocuments documents;
  for (const std::string& term : terms) documents[{1, term}] = {5};
  return documents;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(word_correction)

BOOST_AUTO_TEST_CASE(the_longer_a_word_the_more_letters_may_differ) {
  const StoredTexts texts(1, in_one_text({"lime", "lamps", "candle", "pineapple"}));
  BOOST_TEST(corrected(texts, "liem") == "lime");  // exchanged
  BOOST_TEST(corrected(texts, "limes") == "-");    // a letter more in a word of five
  BOOST_TEST(corrected(texts, "lamp") == "-");
  BOOST_TEST(corrected(texts, "candel") == "candle");
  BOOST_TEST(corrected(texts, "candlle") == "candle");
  BOOST_TEST(corrected(texts, "cadnel") == "-");  // two exchanges in a word of six
  BOOST_TEST(corrected(texts, "pinapple") == "pineapple");
  BOOST_TEST(corrected(texts, "pineaplle") == "pineapple");
  BOOST_TEST(corrected(texts, "pinneaplle") == "pineapple");
  BOOST_TEST(corrected(texts, "pinneapllle") == "-");
  BOOST_TEST(corrected(texts, "andle") == "-");
}

BOOST_AUTO_TEST_CASE(short_words_words_with_digits_and_known_words_are_not_corrected) {
  const StoredTexts texts(1, in_one_text({"tae", "tea", "model12", "candle", "candel"}));
  BOOST_TEST(corrected(texts, "eta") == "-");
  BOOST_TEST(corrected(texts, "tae") == "-");
  BOOST_TEST(corrected(texts, "model21") == "-");
  BOOST_TEST(corrected(texts, "candel") == "-");
  BOOST_TEST(corrected(texts, "two words") == "-");
  BOOST_TEST(corrected(texts, "") == "-");
}

BOOST_AUTO_TEST_CASE(a_letter_of_several_bytes_is_one_letter) {
  const StoredTexts texts(
      1, in_one_text({"\u00e9l\u00e8ves", "\u043c\u043e\u0441\u043a\u0432\u0430"}));
  BOOST_TEST(corrected(texts, "\u00e9l\u00e8vse") == "\u00e9l\u00e8ves");
  BOOST_TEST(corrected(texts, "\u043c\u043e\u0441\u043a\u0430") == "-");  // five letters
  BOOST_TEST(corrected(texts, "\u043c\u043e\u0441\u043a\u043a\u0430") ==
             "\u043c\u043e\u0441\u043a\u0432\u0430");
  // The first letter must be the same, not only its first byte.
  BOOST_TEST(corrected(texts, "\u00eal\u00e8ves") == "-");
}

BOOST_AUTO_TEST_CASE(the_nearest_term_wins_and_then_the_most_common_one) {
  StoredTexts texts(1, {{{1, "calendars"}, {1, 2, 3, 4}},
                        {{1, "calendrier"}, {1, 2, 3, 4, 5, 6}},
                        {{1, "candle"}, {1}},
                        {{1, "candid"}, {1, 2}}});
  texts.log({{{1, "candor"}, {7, 8, 9}}});
  BOOST_TEST(corrected(texts, "calendare") == "calendars");
  BOOST_TEST(corrected(texts, "candie") == "candid");
  // Equally common terms: the first in their order.
  BOOST_TEST(corrected(texts, "candie", Bitmap::from_sorted(std::vector<std::uint64_t>{1})) ==
             "candid");
}

BOOST_AUTO_TEST_CASE(only_the_given_texts_count) {
  StoredTexts texts(2, {{{1, "candle"}, {1, 2}}, {{2, "candel"}, {3}}, {{1, "cradle"}, {20'000}}});
  const auto own = Bitmap::from_sorted(std::vector<std::uint64_t>{1, 2});
  BOOST_TEST(corrected(texts, "candel") == "-");  // a text has the word
  BOOST_TEST(corrected(texts, "candel", own) == "candle");
  BOOST_TEST(corrected(texts, "cradel", own) == "-");
  BOOST_TEST(corrected(texts, "cradel", Bitmap::of_range(0, 30'000)) == "cradle");
  BOOST_TEST(corrected(texts, "candel", Bitmap()) == "-");
}

BOOST_AUTO_TEST_CASE(a_term_that_has_lost_its_documents_is_no_correction) {
  StoredTexts texts(1, {{{1, "candle"}, {1}}});
  texts.log({}, {{{1, "candle"}, {1}}});
  BOOST_TEST(corrected(texts, "candel") == "-");
  texts.log({{{1, "candle"}, {2}}});
  BOOST_TEST(corrected(texts, "candel") == "candle");
}

BOOST_AUTO_TEST_CASE(stems_are_looked_for_and_stop_words_left_out) {
  const StoredTexts texts(1, in_one_text({"candl", "where"}));
  BOOST_TEST(corrected(texts, "candles", all, {}) == "-");
  BOOST_TEST(corrected(texts, "cnadles", all, {}) == "candles");
  BOOST_TEST(corrected(texts, "wheer", all, {}) == "-");  // a stop word is not searched for
}

// The stem of a misspelt word may differ from that of the word in more letters than the word: "faim" and "famili".
BOOST_AUTO_TEST_CASE(the_word_is_corrected_and_not_its_stem) {
  const StoredTexts texts(
      1, in_one_text({"activ", "basketbal", "certif", "degre", "famili", "write"}));
  BOOST_TEST(corrected(texts, "actviity", all, {}) == "activity");
  BOOST_TEST(corrected(texts, "activties", all, {}) == "activities");
  BOOST_TEST(corrected(texts, "activitty", all, {}) == "activity");
  BOOST_TEST(corrected(texts, "baskteball", all, {}) == "basketball");
  BOOST_TEST(corrected(texts, "certfiicate", all, {}) == "certificate");
  BOOST_TEST(corrected(texts, "dergee", all, {}) == "degree");
  BOOST_TEST(corrected(texts, "faimly", all, {}) == "family");
  BOOST_TEST(corrected(texts, "famiily", all, {}) == "family");
  BOOST_TEST(corrected(texts, "wrtiing", all, {}) == "writing");
}

BOOST_AUTO_TEST_CASE(exchanged_letters_come_before_another_letter) {
  const StoredTexts texts(1, {{{1, "candle"}, {1}}, {{1, "cancel"}, {1, 2, 3, 4}}});
  BOOST_TEST(corrected(texts, "candel") == "candle");
  BOOST_TEST(corrected(texts, "canzel") == "cancel");
}

BOOST_AUTO_TEST_CASE(a_misspelt_irregular_form_means_the_forms_that_texts_have) {
  const StoredTexts texts(1, in_one_text({"give", "go", "though"}));
  BOOST_TEST(corrected(texts, "gvae", all, {}) == "gave");
  BOOST_TEST(corrected(texts, "gievn", all, {}) == "given");
  BOOST_TEST(corrected(texts, "wnet", all, {}) == "went");
  BOOST_TEST(corrected(texts, "gvae", all, {}, false) == "-");
  BOOST_TEST(corrected(texts, "gvie", all, {}, false) == "give");
  // A form that no text has is not misspelt, however forms are searched for.
  BOOST_TEST(corrected(texts, "thought", all, {}) == "-");
  BOOST_TEST(corrected(texts, "thought", all, {}, false) == "-");
}

// "собака" has the stem "собак", which is too short to be compared.
BOOST_AUTO_TEST_CASE(letters_of_the_own_alphabet_are_put_in) {
  AnalyzerOptions russian;
  russian.language = "russian";
  const StoredTexts dogs(1, in_one_text({"собак"}));
  BOOST_TEST(corrected(dogs, "сабака", all, russian) == "собака");
  BOOST_TEST(corrected(dogs, "Сбака", all, russian) == "-");  // five letters
  BOOST_TEST(corrected(dogs, "собаака", all, russian) == "собака");
  BOOST_TEST(corrected(dogs, "шобака", all, russian) == "-");
}

// Otherwise a word of others would keep one's own from being corrected.
BOOST_AUTO_TEST_CASE(compounds_of_other_texts_make_no_word_known) {
  AnalyzerOptions german;
  german.language = "german";
  german.split_compounds = true;
  const StoredTexts texts(1, {{{1, "kanal"}, {1}}, {{1, "kaanlschifffahrt"}, {20'000}}});
  BOOST_TEST(corrected(texts, "kaanl", Bitmap::of_range(0, 30'000), german) == "-");
  BOOST_TEST(corrected(texts, "kaanl", all, german) == "kanal");
}

// However many kinds of error are looked for.
BOOST_AUTO_TEST_CASE(the_terms_are_passed_over_once) {
  TermDocuments documents;
  for (char second = 'a'; second <= 'z'; ++second)
    for (char third = 'a'; third <= 'z'; ++third)
      for (char fourth = 'a'; fourth <= 'z'; ++fourth)
        documents[{1, {'c', second, third, fourth}}] = {5};
  const StoredTexts texts(1, documents);
  CountedLimits limits;
  BOOST_TEST(!test::must(
      engine::corrected_word(texts.reader(), Analyzer(unstemmed()), "candle", all, true, &limits)));
  // A term counts as 96 bytes, and those that are compared.
  const std::uint64_t one_pass = documents.size() * (96 + 4 * 6) / 1'024;
  BOOST_TEST(10 * limits.steps > 9 * one_pass);
  BOOST_TEST(10 * limits.steps < 12 * one_pass);
}

// The beginnings of words are terms then, so that each near beginning would be a correction.
BOOST_AUTO_TEST_CASE(an_index_of_beginnings_corrects_nothing) {
  AnalyzerOptions grams = unstemmed();
  grams.gram_length = 4;
  BOOST_TEST(corrected(StoredTexts(1, in_one_text({"candle"})), "candel", all, grams) == "-");
}

BOOST_AUTO_TEST_SUITE_END()
