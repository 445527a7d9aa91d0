#include "engine/fulltext/analyzer.hpp"

#include "engine/fulltext/word_breaker.hpp"

#include <boost/test/unit_test.hpp>

#include <random>

using namespace cairn::engine;

namespace {

std::string join(const std::vector<Token>& tokens) {
  std::string text;
  for (const Token& token : tokens) {
    if (!text.empty()) text += ' ';
    text += token.term + '@' + std::to_string(token.position);
  }
  return text;
}

std::string terms(std::string_view text, AnalyzerOptions options = {}) {
  return join(Analyzer(std::move(options)).index_tokens(text));
}

AnalyzerOptions in_language(std::string language) {
  AnalyzerOptions options;
  options.language = std::move(language);
  return options;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(word_breaker)

BOOST_AUTO_TEST_CASE(plain_ascii_breaks_as_icu_breaks_it) {
  const auto seed = std::random_device{}();
  std::mt19937 random(seed);
  constexpr std::string_view letters = "abzXY019_.,;:'-/ \"@\n#";
  for (int round = 0; round < 3'000; ++round) {
    std::string text;
    for (auto length = random() % 24; length > 0; --length)
      text += letters[random() % letters.size()];
    const bool same = break_words(text) == break_words_by_icu(text);
    BOOST_TEST_REQUIRE(same, "seed " << seed << ", text [" << text << "]");
  }
}

BOOST_AUTO_TEST_CASE(scripts_without_blanks_break_by_dictionary) {
  BOOST_TEST(break_words("\u6211\u559c\u6b22\u8336").size() > 1U);
  BOOST_TEST(break_words("na\u00efve caf\u00e9").size() == 2U);
  const std::string said = "\u6211\u559c\u6b22\u559d\u8336";  // 3 bytes each: I, like, drink tea
  const std::vector<WordRange> words = {{0, 3}, {3, 9}, {9, 15}};
  BOOST_TEST((break_words(said) == words));
  BOOST_TEST(break_words("\ub179\ucc28\ub97c \ub9c8\uc2e0\ub2e4").size() == 2U);
}

BOOST_AUTO_TEST_CASE(bytes_that_are_no_utf8_part_words) {
  BOOST_TEST(break_words("tea\xff\xfe mug").size() == 2U);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(analyzer)

BOOST_AUTO_TEST_CASE(words_are_folded_and_stemmed) {
  BOOST_TEST(terms("Running dogs, don't RUN!") == "run@0 dog@1 don't@2 run@3");
  BOOST_TEST(terms("Caroline\u2019s \uff34ea") == "carolin@0 tea@1");
}

BOOST_AUTO_TEST_CASE(each_language_has_its_own_stems) {
  BOOST_TEST(terms("H\u00e4user laufend", in_language("german")) == "haus@0 laufend@1");
  BOOST_TEST(terms("chevaux", in_language("french")) == "cheval@0");
  BOOST_TEST(terms("O'Brien", in_language("none")) == "o'brien@0");
  BOOST_TEST(terms("Running", in_language("none")) == "running@0");
  BOOST_TEST(Analyzer::check(in_language("russian")).has_value());
  BOOST_TEST(Analyzer::check(in_language("klingon")).error().message.find("klingon") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(identifiers_are_found_by_part_and_whole) {
  const AnalyzerOptions none = in_language("none");
  BOOST_TEST(terms("max_open_files", none) == "max_open_files@0 max@0 open@1 files@2");
  BOOST_TEST(terms("PostingCache x", none) == "postingcache@0 posting@0 cache@1 x@2");
  BOOST_TEST(terms("HTTPPort", none) == "httpport@0 http@0 port@1");
  BOOST_TEST(terms("src/store.cpp", none) == "src@0 store.cpp@1 store@1 cpp@2");
  BOOST_TEST(terms("3.14", none) == "3.14@0");
  AnalyzerOptions whole = none;
  whole.split_code = false;
  BOOST_TEST(terms("max_open", whole) == "max_open@0");
}

BOOST_AUTO_TEST_CASE(stop_words_are_marked_and_kept) {
  const auto tokens = Analyzer({}).query_tokens("When did the tea cool");
  BOOST_REQUIRE(tokens.size() == 5U);
  BOOST_TEST(tokens[0].is_stop_word);
  BOOST_TEST(tokens[2].is_stop_word);
  BOOST_TEST(!tokens[3].is_stop_word);
}

BOOST_AUTO_TEST_CASE(beginnings_of_words_are_terms_where_asked_for) {
  AnalyzerOptions grams = in_language("none");
  grams.gram_length = 3;
  BOOST_TEST(terms("cairn", grams) == "ca@0 cai@0 cairn@0");
  BOOST_TEST(terms("\u00e9t\u00e9s", grams) == "\u00e9t@0 \u00e9t\u00e9@0 \u00e9t\u00e9s@0");
  BOOST_TEST(join(Analyzer(grams).query_tokens("cairn")) == "cairn@0");
}

BOOST_AUTO_TEST_CASE(diacritics_are_dropped_where_asked_for) {
  AnalyzerOptions folding = in_language("none");
  folding.fold_diacritics = true;
  BOOST_TEST(terms("Caf\u00e9 na\u00efve \u0141\u00f3d\u017a", folding) == "cafe@0 naive@1 lodz@2");
  BOOST_TEST(terms("cafe\u0301 \u00c6r\u00f8 stra\u00dfe", folding) == "cafe@0 aero@1 strasse@2");
  BOOST_TEST(terms("Vi\u1ec7t \u00deing \u0131s\u0131k", folding) == "viet@0 thing@1 isik@2");
  BOOST_TEST(terms("\u03ba\u03b1\u03c6\u03ad\u03c2", folding) ==
             terms("\u03ba\u03b1\u03c6\u03b5\u03c2", folding));
  BOOST_TEST(terms("caf\u00e9", in_language("none")) == "caf\u00e9@0");
  BOOST_TEST(Analyzer(folding).folded("R\u00e9s") == "res");
}

// There marks are vowels and letters of their own.
BOOST_AUTO_TEST_CASE(marks_of_other_scripts_stay) {
  AnalyzerOptions folding = in_language("none");
  folding.fold_diacritics = true;
  for (const char* const word :
       {"\u0438\u0439", "\u0915\u093f\u0924\u093e\u092c", "\u0e01\u0e34\u0e19", "\u304c", "\uac00"})
    BOOST_TEST(terms(word, folding) == terms(word, in_language("none")));
}

BOOST_AUTO_TEST_CASE(what_is_typed_without_diacritics_comes_to_the_same_term) {
  const std::pair<const char*, const char*> pairs[] = {
      {"r\u00e9sum\u00e9s", "resumes"}, {"clich\u00e9s", "cliches"}, {"\u00e9tudes", "etudes"},
      {"na\u00efvely", "naively"},      {"Z\u00fcrich", "Zurich"},   {"aim\u00e9es", "aimees"},
      {"H\u00e4user", "Hauser"},        {"ma\u00f1anas", "mananas"}};
  for (const char* const language : {"english", "german", "french", "spanish", "none"}) {
    AnalyzerOptions folding = in_language(language);
    folding.fold_diacritics = true;
    for (const auto& [with, without] : pairs)
      BOOST_TEST(terms(with, folding) == terms(without, folding));
  }
  AnalyzerOptions german = in_language("german");
  german.fold_diacritics = true;
  BOOST_TEST(Analyzer(german).query_tokens("f\u00fcr")[0].is_stop_word);
}

BOOST_AUTO_TEST_CASE(an_elided_article_is_no_part_of_its_word) {
  AnalyzerOptions french = in_language("french");
  french.split_elisions = true;
  BOOST_TEST(terms("L'avion d\u2019accord qu'il", french) == "avion@0 accord@1 il@2");
  BOOST_TEST(terms("aujourd'hui O'Brien l' 'avion", french) ==
             "aujourd'hui@0 o'brien@1 l@2 avion@3");
  BOOST_TEST(terms("L'assemblee_generale", french) == "assemblee_general@0 assemble@0 general@1");
  AnalyzerOptions italian = in_language("italian");
  italian.split_elisions = true;
  BOOST_TEST(terms("dell'arte po' all'una", italian) == "arte@0 po@1 una@2");
  const Analyzer analyzer(french);
  BOOST_TEST(analyzer.folded("l'av") == "av");
  const std::string text = "\u00e9t\u00e9 l\u2019avion j'ai";
  const auto tokens = analyzer.query_tokens(text);
  BOOST_REQUIRE(tokens.size() == 3U);
  BOOST_TEST(text.substr(tokens[1].begin, tokens[1].end - tokens[1].begin) == "avion");
  BOOST_TEST(tokens[2].is_stop_word);
  BOOST_TEST(terms("l'avion", in_language("french")) == "l'avion@0");
}

BOOST_AUTO_TEST_CASE(an_english_name_is_found_without_its_elision_too) {
  AnalyzerOptions english;
  english.split_elisions = true;
  BOOST_TEST(terms("O'Brien's D\u2019Angelo o'clock don't", english) ==
             "o'brien@0 brien@0 d'angelo@1 angelo@1 o'clock@2 don't@3");
  const auto tokens = Analyzer(english).query_tokens("O'Brien");
  BOOST_REQUIRE(tokens.size() == 2U);
  BOOST_TEST(tokens[0].is_extra);
  BOOST_TEST(tokens[1].begin == 2U);
  BOOST_TEST(Analyzer(english).folded("O'Br") == "o'br");
}

BOOST_AUTO_TEST_CASE(offsets_name_the_word_in_the_text) {
  const std::string text = "a \u00fcber-dog";
  const auto tokens = Analyzer(in_language("none")).index_tokens(text);
  BOOST_REQUIRE(tokens.size() == 3U);
  BOOST_TEST(text.substr(tokens[1].begin, tokens[1].end - tokens[1].begin) == "\u00fcber");
  BOOST_TEST(text.substr(tokens[2].begin, tokens[2].end - tokens[2].begin) == "dog");
}

BOOST_AUTO_TEST_CASE(a_long_word_is_cut_between_code_points) {
  std::string word;
  for (int i = 0; i < 100; ++i) word += "\u00e9";
  const auto tokens = Analyzer(in_language("none")).index_tokens(word);
  BOOST_REQUIRE(tokens.size() == 1U);
  BOOST_TEST(tokens[0].term.size() == 128U);
}

// Words that need no cutting are read another way.
BOOST_AUTO_TEST_CASE(terms_one_by_one_are_those_of_the_list) {
  std::mt19937 random(std::random_device{}());
  const char* const parts[] = {
      "Ada",     "don't",  "NASA", "snake_case",  "camelCase", "3.14",  "running",
      "tea",     "_x_",    "a.b",  "stra\u00dfe", "x'",        "Tea's", " ",
      ", ",      "-",      "ing",  "HTTPPort",    "9th",       "'tis",  "\xff",
      "e@f.org", "O'Neil", "....", "Caf\u00e9",   "o'neil"};
  for (const std::uint8_t grams : {std::uint8_t{0}, std::uint8_t{4}}) {
    AnalyzerOptions options;
    options.gram_length = grams;
    options.fold_diacritics = options.split_elisions = true;
    const Analyzer analyzer(options);
    for (int round = 0; round < 300; ++round) {
      std::string text;
      for (std::size_t count = random() % 8; count > 0; --count)
        text += std::string(parts[random() % std::size(parts)]) + (random() % 3 == 0 ? "" : " ");
      std::vector<std::string> found;
      std::vector<std::string> wanted;
      analyzer.for_each_index_term(text, [&](const FoundTerm& term) {
        found.push_back(std::string(analyzer.term_of(term)) + "/" + std::to_string(term.position) +
                        (term.is_extra ? "+" : ""));
      });
      for (const Token& token : analyzer.index_tokens(text))
        wanted.push_back(token.term + "/" + std::to_string(token.position) +
                         (token.is_extra ? "+" : ""));
      if (found != wanted) BOOST_FAIL("[" << text << "]");
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
