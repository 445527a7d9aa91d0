#include "engine/fulltext/text_features.hpp"

#include <boost/test/unit_test.hpp>

using namespace cairn::engine;

namespace {

std::string join(const TextFeatures& features) {
  std::string names;
  for (const std::string_view name : features.names())
    names += (names.empty() ? "" : " ") + std::string(name);
  return names;
}

std::string of(std::string_view text) { return join(features_of(text)); }
std::string asked(std::string_view question) { return join(features_asked(question)); }

}  // namespace

BOOST_AUTO_TEST_SUITE(text_features)

BOOST_AUTO_TEST_CASE(each_feature_is_told_by_its_signs) {
  BOOST_TEST(of("Is it tea?") == "question");
  BOOST_TEST(of("see http://x.org/?a=b") == "");
  BOOST_TEST(of("Three cups") == "number");
  BOOST_TEST(of("3.5 cups") == "number");
  BOOST_TEST(of("We met last week") == "date");
  BOOST_TEST(of("in 2023") == "number date");
  BOOST_TEST(of("May I go, march on") == "");
  BOOST_TEST(of("It was in May") == "date");
  BOOST_TEST(of("- tea\n- milk") == "list");
  BOOST_TEST(of("- tea") == "");
  BOOST_TEST(of("tea, milk and sugar") == "list");
  BOOST_TEST(of("well, we had tea there and left") == "");
  BOOST_TEST(of("call `open` now") == "code");
  BOOST_TEST(of("run read_log") == "code");
  BOOST_TEST(of("I like tea") == "preference");
  BOOST_TEST(of("Ada prefers tea") == "preference");
  BOOST_TEST(of("it looks like tea") == "");
  BOOST_TEST(of("Always wash the cup") == "instruction");
  BOOST_TEST(of("") == "");
  BOOST_TEST(of("?") == "");
}

BOOST_AUTO_TEST_CASE(questions_ask_for_features) {
  BOOST_TEST(asked("When did Ada go?") == "date");
  BOOST_TEST(asked("How many cups are there?") == "number");
  BOOST_TEST(asked("What kinds of tea are there?") == "list");
  BOOST_TEST(asked("What does Ada like?") == "preference");
  BOOST_TEST(asked("which function reads it?") == "code");
  BOOST_TEST(asked("Where is Ada?") == "");
}

BOOST_AUTO_TEST_CASE(no_word_is_a_marker) {
  BOOST_TEST(marker_term("date") ==
             "\x01"
             "date");
}

BOOST_AUTO_TEST_SUITE_END()
