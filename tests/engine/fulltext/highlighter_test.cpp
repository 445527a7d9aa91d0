#include "engine/fulltext/highlighter.hpp"

#include "engine/fulltext/edit_distance.hpp"
#include "engine/fulltext/phrase_matcher.hpp"

#include <boost/test/unit_test.hpp>

#include <random>

using namespace cairn::engine;

namespace {

std::vector<Highlight> highlights_of(const std::string& question, const std::string& text) {
  return find_highlights(Analyzer({}), parse_text_query(question, {}).root, text).value();
}

/// The highlighted words, joined by commas.
std::string words_of(const std::string& question, const std::string& text) {
  std::string words;
  for (const Highlight& found : highlights_of(question, text))
    words += (words.empty() ? "" : ",") + text.substr(found.begin, found.end - found.begin);
  return words;
}

std::string snippet_of(const std::string& question, const std::string& text, std::size_t size) {
  const WordRange range = choose_snippet(text, highlights_of(question, text), size);
  return text.substr(range.begin, range.end - range.begin);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(highlighter)

BOOST_AUTO_TEST_CASE(inflected_words_of_a_question_are_found) {
  BOOST_TEST(words_of("drink tea", "Ada drinks Tea; she was drinking teas.") ==
             "drinks,Tea,drinking,teas");
  BOOST_TEST(words_of("the tea", "the tea of the house") == "tea");
  BOOST_TEST(words_of("the", "the tea of the house") == "the,the");
  BOOST_TEST(words_of("+the tea", "the tea") == "the,tea");
  BOOST_TEST(words_of("(the of)", "the tea of the house") == "the,of,the");
  BOOST_TEST(words_of("tea +(the)", "the tea of the house") == "the,tea,the");
  BOOST_TEST(words_of("tea (the)", "the tea of the house") == "tea");
}

BOOST_AUTO_TEST_CASE(syntax_counts_as_in_a_search) {
  BOOST_TEST(words_of("tea -milk", "tea with milk") == "tea");
  BOOST_TEST(words_of("gre*", "green grey blue") == "green,grey");
  BOOST_TEST(words_of("tee~1", "a tea tray") == "tea");
  BOOST_TEST(words_of("(tea OR cup)^2", "tea in a cup") == "tea,cup");
  BOOST_TEST(words_of("", "tea").empty());
  BOOST_TEST(words_of("tea", "").empty());
}

BOOST_AUTO_TEST_CASE(a_phrase_is_marked_as_a_whole_where_it_stands) {
  BOOST_TEST(words_of("\"green tea\"", "green cup of tea").empty());
  BOOST_TEST(words_of("\"green tea\"", "Green teas, tea: green tea") == "Green teas,green tea");
  BOOST_TEST(words_of("\"green tea\" cup", "a cup, green tea") == "cup,green tea");
  BOOST_TEST(words_of("\"green tea\" tea", "tea is green tea") == "tea,green tea");
  BOOST_TEST(words_of("\"green tea\"~2", "green, green tea; tea green") == "green tea,tea green");
  BOOST_TEST(words_of("\"green tea\"~1", "green hot tea, green and hot tea") == "green hot tea");
  BOOST_TEST(words_of("\"the end\"", "the end of the book") == "the end");
  BOOST_TEST(words_of("\"tea tea\"~3", "tea").empty());
  BOOST_TEST(words_of("\"tea tea\"~3", "tea or tea") == "tea or tea");
  BOOST_TEST(words_of("\"read log\"", "call read_log here") == "read_log");
  BOOST_TEST(words_of("-\"green tea\" cup", "green tea cup") == "cup");
}

// A text has a highlight of a phrase exactly where a search would find it.
BOOST_AUTO_TEST_CASE(phrases_are_marked_in_the_texts_that_have_them) {
  const unsigned seed = std::random_device{}();
  std::mt19937 random(seed);
  const char* const words[] = {"tea", "cup", "pot"};
  for (int round = 0; round < 400; ++round) {
    const auto make = [&](std::size_t count) {
      std::vector<std::string> made;
      while (made.size() < count) made.emplace_back(words[random() % std::size(words)]);
      return made;
    };
    const auto text = make(1 + random() % 7);
    const auto phrase = make(1 + random() % 3);
    const auto slop = static_cast<std::uint32_t>(random() % 4);
    const auto join = [](const std::vector<std::string>& all) {
      std::string joined;
      for (const std::string& word : all) joined += (joined.empty() ? "" : " ") + word;
      return joined;
    };
    std::vector<std::vector<std::int64_t>> places(phrase.size());
    PhraseRepeats repeats;
    for (std::size_t i = 0; i < phrase.size(); ++i) {
      for (std::size_t at = 0; at < text.size(); ++at)
        if (text[at] == phrase[i])
          places[i].push_back(static_cast<std::int64_t>(at) - static_cast<std::int64_t>(i));
      std::vector<PhraseRepeat> same;
      for (std::size_t j = i; j < phrase.size(); ++j)
        if (phrase[j] == phrase[i]) same.push_back({j, static_cast<std::uint32_t>(j)});
      if (same.size() > 1) repeats.push_back(same);
    }
    const bool has = count_occurrences(places, slop, repeats) > 0;
    const std::string question = "\"" + join(phrase) + "\"~" + std::to_string(slop);
    if (words_of(question, join(text)).empty() == has)
      BOOST_FAIL("seed " << seed << ": " << question << " in " << join(text));
  }
}

BOOST_AUTO_TEST_CASE(of_an_identifier_the_whole_or_its_part_is_found) {
  BOOST_TEST(words_of("read_log", "call read_log here") == "read_log");
  BOOST_TEST(words_of("log", "call read_log here") == "log");
}

BOOST_AUTO_TEST_CASE(a_snippet_has_the_most_different_words) {
  const std::string text =
      "tea tea tea at the beginning of all, then nothing for a while, and green cups of tea at "
      "last";
  BOOST_TEST(snippet_of("green tea", text, 30) == "and green cups of tea at");
  BOOST_TEST(snippet_of("nobody", text, 12) == "tea tea tea");
  BOOST_TEST(snippet_of("green", text, 1'000) == text);
  BOOST_TEST(snippet_of("beginning", text, 4).size() <= 4U);
}

BOOST_AUTO_TEST_CASE(a_snippet_keeps_its_size_in_characters_and_breaks_none) {
  const unsigned seed = std::random_device{}();
  BOOST_TEST_MESSAGE("seed " << seed);
  std::mt19937 random(seed);
  const char* const words[] = {"tea",  "gr\xc3\xbcn",      "\xe8\x8c\xb6",
                               "cup,", "\xf0\x9f\x8d\xb5", "\n"};
  for (int round = 0; round < 300; ++round) {
    std::string text;
    for (std::size_t count = random() % 30; count > 0; --count)
      text += std::string(words[random() % std::size(words)]) + (random() % 4 == 0 ? "" : " ");
    const std::size_t size = 1 + random() % 20;
    const std::string piece = snippet_of("tea gr\xc3\xbcn", text, size);
    const std::u32string points = code_points(piece);
    if (points.size() > size || text.find(piece) == text.npos)
      BOOST_FAIL("seed " << seed << " [" << text << "] " << size << " [" << piece << "]");
    if (!piece.empty() && (static_cast<unsigned char>(piece[0]) & 0xc0) == 0x80)
      BOOST_FAIL("seed " << seed << ": a broken character in [" << piece << "]");
  }
}

BOOST_AUTO_TEST_CASE(edits_are_counted_up_to_a_limit) {
  const auto edits = [](const char* a, const char* b, std::uint32_t limit) {
    return edits_between(code_points(a), code_points(b), limit);
  };
  BOOST_TEST(edits("tea", "tea", 2) == 0U);
  BOOST_TEST(edits("tea", "te", 2) == 1U);
  BOOST_TEST(edits("gr\xc3\xbcn", "grun", 2) == 1U);
  BOOST_TEST(edits("tea", "coffee", 2) == 3U);
}

BOOST_AUTO_TEST_SUITE_END()
