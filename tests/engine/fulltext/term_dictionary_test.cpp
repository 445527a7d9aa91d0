// Compares a dictionary that is used for many texts with an analyzer without state.

#include "engine/fulltext/term_dictionary.hpp"

#include <boost/test/unit_test.hpp>

#include <map>
#include <random>

using namespace cairn;
using engine::Analyzer;
using engine::FoundTerm;
using engine::TermDictionary;

namespace {

using Places = std::vector<std::pair<std::string, std::uint32_t>>;

/// Words that are plain, capital, long, of several parts, foreign or nothing but signs.
std::string random_text(std::mt19937& random) {
  static const char* const odd[] = {
      "HTTPServer", "snake_case", "na\u00efve", "3.14", "don't", "--", "internationalisations",
      "Tea",        "x"};
  std::string text;
  for (auto words = random() % 20; words > 0; --words) {
    if (random() % 6 == 0) {
      text += odd[random() % std::size(odd)];
    } else {
      for (auto letters = 1 + random() % 9; letters > 0; --letters)
        text += static_cast<char>('a' + random() % 3);
      if (random() % 4 == 0) text += "ing";
    }
    text += ' ';
  }
  return text;
}

Places as_noted(TermDictionary& book, const Analyzer& analyzer, std::size_t field,
                const std::string& text) {
  analyzer.for_each_index_term(text, [&](const FoundTerm& found) { book.note(found, analyzer); });
  Places places;
  book.visit_noted(field, analyzer, [&](std::uint32_t number, std::uint32_t position) {
    BOOST_TEST_REQUIRE(book.field_of(number) == field);
    places.emplace_back(book.term_of(number), position);
  });
  return places;
}

Places as_analysed(const Analyzer& analyzer, const std::string& text) {
  Places places;
  for (const engine::Token& token : analyzer.index_tokens(text))
    places.emplace_back(token.term, token.position);
  return places;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(term_dictionary)

BOOST_AUTO_TEST_CASE(noted_words_become_the_terms_that_the_analyzer_makes_of_them) {
  const auto seed = std::random_device{}();
  std::mt19937 random(seed);
  const Analyzer analyzer(engine::AnalyzerOptions{});
  TermDictionary book;
  for (int round = 0; round < 300; ++round) {
    if (round % 7 == 0) book.begin();
    const std::string text = random_text(random);
    const std::size_t field = random() % 2;
    if (as_noted(book, analyzer, field, text) != as_analysed(analyzer, text))
      BOOST_FAIL("seed " << seed << ", text [" << text << "]");
  }
}

BOOST_AUTO_TEST_CASE(each_round_numbers_its_own_terms_from_nought_apart_for_each_field) {
  TermDictionary book;
  for (int round = 0; round < 3; ++round) {
    book.begin();
    BOOST_TEST(book.terms() == 0U);
    BOOST_TEST(book.number_of(0, "tea") == 0U);
    BOOST_TEST(book.number_of(1, "tea") == 1U);
    BOOST_TEST(book.number_of(0, "cup") == 2U);
    BOOST_TEST(book.number_of(0, "tea") == 0U);
    BOOST_TEST(book.terms() == 3U);
    BOOST_TEST(book.term_of(2) == "cup");
  }
}

BOOST_AUTO_TEST_CASE(words_of_a_text_that_was_left_half_noted_belong_to_no_other) {
  const Analyzer analyzer(engine::AnalyzerOptions{});
  TermDictionary book;
  book.begin();
  analyzer.for_each_index_term("left behind",
                               [&](const FoundTerm& found) { book.note(found, analyzer); });
  book.begin();
  BOOST_TEST((as_noted(book, analyzer, 0, "tea cup") == as_analysed(analyzer, "tea cup")));
}

BOOST_AUTO_TEST_CASE(a_book_of_very_many_words_begins_again) {
  const Analyzer analyzer(engine::AnalyzerOptions{});
  TermDictionary book;
  std::size_t most = 0;
  for (int round = 0; round < 30; ++round) {
    book.begin();
    BOOST_TEST(book.memory_bytes() == 0U);
    std::string text;
    for (int i = 0; i < 5'000; ++i) text += "w" + std::to_string(round * 5'000 + i) + " ";
    const Places places = as_noted(book, analyzer, 0, text);
    BOOST_TEST(places.size() == 5'000U);
    BOOST_TEST(places.back().first == "w" + std::to_string(round * 5'000 + 4'999));
    most = std::max(most, book.kept_words());
  }
  BOOST_TEST(most > 60'000U);
  BOOST_TEST(most < 75'000U);
}

BOOST_AUTO_TEST_SUITE_END()

using cairn::engine::TermInterner;

BOOST_AUTO_TEST_SUITE(term_interner)

BOOST_AUTO_TEST_CASE(each_text_has_one_number_in_the_order_in_which_it_came) {
  const auto seed = std::random_device{}();
  std::mt19937 random(seed);
  TermInterner table;
  for (int round = 0; round < 3; ++round, table.clear()) {
    std::map<std::string, std::uint32_t> known;
    for (int i = 0; i < 5'000; ++i) {
      std::string text(random() % 12, 'a');
      for (char& letter : text) letter = static_cast<char>('a' + random() % 3);
      const auto next = static_cast<std::uint32_t>(known.size());
      const std::uint32_t wanted = known.emplace(text, next).first->second;
      if (table.number_of(text) != wanted) BOOST_FAIL("seed " << seed << ", " << text);
    }
    BOOST_TEST(table.size() == known.size(), "seed " << seed);
    for (const auto& [text, number] : known)
      if (table[number] != text) BOOST_FAIL("seed " << seed << ", " << text);
  }
}

BOOST_AUTO_TEST_SUITE_END()

using cairn::engine::ShortWord;
using cairn::engine::WordInterner;

BOOST_AUTO_TEST_SUITE(word_interner)

BOOST_AUTO_TEST_CASE(a_short_word_is_all_of_its_letters) {
  const auto seed = std::random_device{}();
  std::mt19937 random(seed);
  for (std::size_t size = 1; size <= ShortWord::most_bytes; ++size) {
    std::string word(size, '\0');
    for (char& letter : word) letter = static_cast<char>(random());
    BOOST_TEST(ShortWord(word).letters() == word, "seed " << seed << ", of " << size);
    for (std::size_t i = 0; i < size; ++i) {
      std::string other = word;
      other[i] = static_cast<char>(other[i] + 1);
      BOOST_TEST(!(ShortWord(other) == ShortWord(word)), "seed " << seed << ", of " << size);
    }
  }
  BOOST_TEST(!(ShortWord("aa") == ShortWord("aaa")));
  BOOST_TEST(!(ShortWord("aaaa") == ShortWord("aaaaa")));
  BOOST_TEST(!(ShortWord(std::string(8, 'a')) == ShortWord(std::string(9, 'a'))));
}

BOOST_AUTO_TEST_CASE(each_word_leads_to_its_number) {
  const auto seed = std::random_device{}();
  std::mt19937 random(seed);
  WordInterner table;
  std::map<std::string, std::uint32_t> known;
  for (std::uint32_t i = 0; i < 20'000; ++i) {
    std::string letters(1 + random() % ShortWord::most_bytes, 'a');
    for (char& letter : letters) letter = static_cast<char>('a' + random() % 3);
    const ShortWord word(letters);
    const std::uint64_t hash = WordInterner::hash_of(word);
    const std::uint32_t* found = table.find(word, hash);
    const auto wanted = known.find(letters);
    if ((found != nullptr) != (wanted != known.end())) BOOST_FAIL("seed " << seed);
    if (found != nullptr && *found != wanted->second) BOOST_FAIL("seed " << seed);
    if (found != nullptr) continue;
    table.insert(word, hash, i);
    known[letters] = i;
  }
  BOOST_TEST(table.size() == known.size());
}

BOOST_AUTO_TEST_SUITE_END()
