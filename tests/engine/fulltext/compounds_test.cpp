// Compounds and their parts, without an index.
#include "engine/fulltext/compounds.hpp"

#include "engine/fulltext/analyzer.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

using namespace cairn::engine;

namespace {

/// Returns the rests of a word, joined by commas. A rest before the part ends with a hyphen.
std::string rests(std::string_view word, std::string_view part) {
  std::string all;
  for (const CompoundRest& rest : compound_rests(word, part))
    all += (all.empty() ? "" : ",") + rest.rest + (rest.is_first ? "-" : "");
  return all;
}

std::vector<std::string> terms_of(const AnalyzerOptions& options, std::string_view text) {
  std::vector<std::string> terms;
  for (const Token& token : Analyzer(options).index_tokens(text)) terms.push_back(token.term);
  return terms;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(compounds)

BOOST_AUTO_TEST_CASE(a_mark_has_the_letters_from_the_last_to_the_first) {
  const std::string mark = compound_mark("grünöl");
  BOOST_TEST(mark == "\x01<lönürg");
  BOOST_TEST(marked_compound(mark) == "grünöl");
  BOOST_TEST(compound_mark("donaudampfschiff").starts_with(compound_mark("dampfschiff")));
}

BOOST_AUTO_TEST_CASE(a_part_leaves_the_rest_of_the_word) {
  BOOST_TEST(rests("donaudampfschiff", "dampfschiff") == "donau-");
  BOOST_TEST(rests("dampfschiff", "dampf") == "schiff,chiff");
  BOOST_TEST(rests("arbeitszeit", "arbeit") == "szeit,zeit");
  BOOST_TEST(rests("arbeitszeit", "zeit") == "arbeits-");
  BOOST_TEST(rests("arbeitszeit", "eitsz") == "");
  // Too short for a word, or without a vowel.
  BOOST_TEST(rests("vertrieb", "trieb") == "ver-");
  BOOST_TEST(rests("schlecht", "lecht") == "");
  BOOST_TEST(rests("hausen", "haus") == "");
  BOOST_TEST(rests("haus", "haus") == "");
}

BOOST_AUTO_TEST_CASE(a_word_is_split_where_both_sides_may_be_words) {
  const auto splits = compound_splits("hausarzt");
  BOOST_TEST(std::ranges::any_of(
      splits, [](const auto& split) { return split.first == "haus" && split.second == "arzt"; }));
  BOOST_TEST(compound_splits("rates").empty());
  for (const CompoundSplit& split : compound_splits("türöffner")) {
    BOOST_TEST(split.first + split.second == "türöffner");
    BOOST_TEST(count_letters(split.first) >= 3U);
  }
}

BOOST_AUTO_TEST_CASE(words_share_a_part_if_one_begins_or_ends_with_the_other) {
  BOOST_TEST(may_share_part("donaudampfschiff", "dampfschiff"));
  BOOST_TEST(may_share_part("dampf", "dampfschiff"));
  BOOST_TEST(!may_share_part("dampfschiff", "segelschiff"));
}

BOOST_AUTO_TEST_CASE(an_index_has_the_marks_of_long_words) {
  AnalyzerOptions options;
  options.language = "german";
  options.split_compounds = true;
  BOOST_TEST(terms_of(options, "Das Dampfschiff") ==
                 (std::vector<std::string>{"das", "dampfschiff", "\x01<ffihcsfpmad"}),
             boost::test_tools::per_element());
  options.split_compounds = false;
  BOOST_TEST(terms_of(options, "Dampfschiff").size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_mark_has_no_beginnings) {
  AnalyzerOptions options;
  options.language = "german";
  options.split_compounds = true;
  options.gram_length = 3;
  BOOST_TEST(terms_of(options, "Dampfschiff") ==
                 (std::vector<std::string>{"da", "dam", "dampfschiff", "\x01<ffihcsfpmad"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
