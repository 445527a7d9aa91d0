// A question may have megabytes. Each step of its analysis counts its work, so that limits end it.
#include "engine/fulltext/analyzer.hpp"
#include "engine/fulltext/stop_words.hpp"
#include "engine/fulltext/text_features.hpp"
#include "engine/fulltext/text_query.hpp"
#include "tests/engine/algorithm/counted_limits.hpp"

#include <boost/test/unit_test.hpp>

#include <ctime>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::test {
namespace {

using engine::Analyzer;
using engine::TextWork;

std::string repeated(std::string_view text) {
  constexpr int times = 20'000;
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

/// Checks that `analyse` takes at least `least_steps`, and that it ends soon after a limit on steps and a limit on memory.
template <class Analyse>
void expect_limits(std::uint64_t least_steps, const Analyse& analyse, bool has_memory = true) {
  constexpr std::uint64_t most_steps = 500, most_late = 200;
  CountedLimits all;
  BOOST_TEST_REQUIRE(analyse(all).has_value());
  BOOST_TEST(all.steps >= least_steps);
  CountedLimits steps;
  steps.most_steps = most_steps;
  const Status stopped = analyse(steps);
  BOOST_TEST_REQUIRE(!stopped.has_value());
  BOOST_TEST((stopped.error().code == ErrorCode::cancelled));
  BOOST_TEST(steps.steps <= most_steps + most_late);
  CountedLimits memory;
  memory.most_bytes = has_memory ? 100'000 : memory.most_bytes;
  const Status full = analyse(memory);
  BOOST_TEST(full.has_value() == !has_memory);
  BOOST_TEST((full || full.error().code == ErrorCode::resource_limit));
}

template <class Work>
double processor_seconds(const Work& work) {
  const std::clock_t started = std::clock();
  work();
  return static_cast<double>(std::clock() - started) / CLOCKS_PER_SEC;
}

template <class T>
Status done(const Result<T>& result) {
  return result ? Status() : Status(result.error());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(long_question)

BOOST_AUTO_TEST_CASE(the_places_of_words_count) {
  for (const std::string_view text : {"green tea ", "th\u00e9 vert "}) {
    const std::string question = repeated(text);
    BOOST_TEST_CONTEXT(text) {
      expect_limits(550, [&](engine::Limits& limits) {
        TextWork work(&limits);
        return done(engine::break_words(question, work));
      });
    }
  }
}

// ICU reads a run of letters of a script without blanks as a whole: no limit would end the question sooner.
BOOST_AUTO_TEST_CASE(a_run_of_letters_without_blanks_is_split_in_pieces) {
  for (const std::string_view text :
       {"\u7eff\u8336\u5f88\u597d\u559d",
        "\u0e0a\u0e32\u0e40\u0e02\u0e35\u0e22\u0e27\u0e2d\u0e23\u0e48\u0e2d\u0e22"}) {
    const std::string question = repeated(text) + repeated(text);
    const double whole = processor_seconds([&] { (void)engine::break_words(question); });
    CountedLimits limits;
    limits.most_steps = 0;
    TextWork work(&limits);
    const double ended =
        processor_seconds([&] { BOOST_TEST(!engine::break_words(question, work).has_value()); });
    BOOST_TEST_CONTEXT(text << ": " << ended << " of " << whole << " s") {
      BOOST_TEST(ended < whole / 4);
    }
  }
}

// A piece ends after a blank, so that no word is cut.
BOOST_AUTO_TEST_CASE(the_words_of_a_long_text_are_those_of_its_lines) {
  std::string text;
  std::vector<engine::WordRange> words;
  for (int i = 0; text.size() < 300'000; ++i) {
    const std::string line = "th\u00e9 vert n\u00b0" + std::to_string(i) +
                             ", \u7eff\u8336 don\u2019t 3.5 e\u0301t\u00e9\n";
    for (const engine::WordRange& word : engine::break_words(line))
      words.push_back({text.size() + word.begin, text.size() + word.end});
    text += line;
  }
  const bool same = engine::break_words(text) == words;
  BOOST_TEST(same);
}

// Between words, between the parts of a single one, and beyond ASCII.
BOOST_AUTO_TEST_CASE(the_words_of_a_question_count) {
  const Analyzer analyzer(engine::AnalyzerOptions{});
  constexpr std::uint64_t of_words = 15'000;  // half a step for each; finding them takes less
  for (const std::string_view text : {"green tea ", "greenTea", "th\u00e9 vert "}) {
    const std::string question = repeated(text);
    BOOST_TEST_CONTEXT(text) {
      expect_limits(of_words, [&](engine::Limits& limits) {
        TextWork work(&limits);
        return done(analyzer.query_tokens(question, work));
      });
      expect_limits(of_words, [&](engine::Limits& limits) {
        TextWork work(&limits);
        return done(analyzer.phrase_tokens(question, work));
      });
      expect_limits(of_words, [&](engine::Limits& limits) {
        TextWork work(&limits);
        return done(analyzer.text_tokens(question, work));
      });
    }
  }
}

BOOST_AUTO_TEST_CASE(within_its_limits_a_question_has_the_same_words) {
  const Analyzer analyzer(engine::AnalyzerOptions{});
  const std::string question = repeated("green teaCup th\u00e9 ");
  CountedLimits limits;
  TextWork work(&limits);
  const auto tokens = analyzer.query_tokens(question, work);
  BOOST_TEST_REQUIRE(tokens.has_value());
  BOOST_TEST(limits.steps > 30'000U);
  const auto others = analyzer.query_tokens(question);
  BOOST_TEST_REQUIRE(tokens->size() == others.size());
  for (std::size_t i = 0; i < others.size(); ++i)
    BOOST_TEST_REQUIRE(
        ((*tokens)[i].term == others[i].term && (*tokens)[i].position == others[i].position));
}

// ICU takes time quadratic in the length of a word to remove its marks.
BOOST_AUTO_TEST_CASE(only_the_beginning_of_a_long_word_is_folded) {
  constexpr std::size_t most_bytes = 4'096;
  const std::string word = repeated("\u00c4\u00df\u20ac");
  const std::string folded = engine::fold_word(word);
  BOOST_TEST(folded.size() <= most_bytes);
  BOOST_TEST(folded == engine::fold_word(word.substr(0, 585 * 7)));
  engine::AnalyzerOptions options;
  options.fold_diacritics = true;
  const Analyzer analyzer(options);
  const auto tokens = analyzer.query_tokens(repeated("\u00c4"));
  BOOST_TEST_REQUIRE(tokens.size() == 1U);
  BOOST_TEST(tokens.front().term == std::string(Analyzer::max_term_bytes, 'a'));
  BOOST_TEST(tokens.front().end == 40'000U);
}

// Each clause is short, and their work adds up.
BOOST_AUTO_TEST_CASE(the_clauses_of_a_question_count) {
  const std::string question = repeated("the of ");
  expect_limits(19'000, [&](engine::Limits& limits) {
    TextWork work(&limits);
    return done(engine::parse_text_query(question, {}, work));
  });
  const auto parsed = engine::parse_text_query(question, {});
  BOOST_TEST(parsed.root.children.size() == 40'000U);
  const Analyzer analyzer(engine::AnalyzerOptions{});
  // Words that are excluded are not read, but visited twice.
  for (const std::string_view text : {"the of ", "-tea "}) {
    engine::TextNode root = engine::parse_text_query(repeated(text), {}).root;
    expect_limits(
        2'000,
        [&](engine::Limits& limits) {
          TextWork work(&limits);
          return engine::keep_meant_stop_words(root, analyzer, work);
        },
        false);
  }
}

BOOST_AUTO_TEST_CASE(what_a_question_asks_for_counts) {
  const std::string question = repeated("how many cups ");
  expect_limits(30'000, [&](engine::Limits& limits) {
    TextWork work(&limits);
    return done(engine::features_asked(question, work));
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
