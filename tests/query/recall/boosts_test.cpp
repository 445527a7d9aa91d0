// Boost rules, features of texts and words beside those of the question.

#include "tests/query/recall/support.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>

namespace cairn::test {
namespace {

struct Boosting : Recalling {
  Boosting() {
    run_all(*database, {"DROP INDEX texts",
                        "CREATE FULLTEXT INDEX texts FOR (m:Memory) ON EACH [m.content] OPTIONS "
                        "{indexConfig: {`fulltext.features`: true}}"});
    options.features.feature_weight = 0;
  }
};

RecallBoost boost(const std::string& tag, double weight) {
  return {Filter::where("tags", FilterOperator::contains, tag), weight};
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(boosts, Boosting)

// Texts of equal length, so that only rules part them.
BOOST_AUTO_TEST_CASE(a_rule_multiplies_the_scores_of_what_passes_its_filter) {
  add("CREATE (:Memory {name: 'a', content: 'red tea'}), "
      "(:Memory {name: 'b', content: 'old tea', tags: ['pinned']}), "
      "(:Memory {name: 'c', content: 'bad tea', tags: ['stale', 'pinned']})");
  BOOST_TEST(scores("tea") == "a 1; b 1; c 1");
  options.boosts = {boost("pinned", 0.5)};
  BOOST_TEST(scores("tea") == "b 1.5; c 1.5; a 1");
  BOOST_TEST(parts_of(hits("tea")[0]).rules == 1.5);
  options.boosts = {boost("pinned", 0.5), boost("stale", -0.5)};
  BOOST_TEST(scores("tea") == "b 1.5; a 1; c 0.75");
  options.boosts = {boost("stale", -1)};
  BOOST_TEST(scores("tea") == "a 1; b 1; c 0");
  options.boosts = {boost("nobody", 3)};
  BOOST_TEST(scores("tea") == "a 1; b 1; c 1");
}

BOOST_AUTO_TEST_CASE(tags_of_tagging_rules_are_what_a_rule_boosts) {
  add("CREATE (:Memory {name: 'a', content: 'tea was cold'}), "
      "(:Memory {name: 'b', content: 'tea URGENT order'})");
  add("CALL db.rules.put('todo', 'URGENT', ['open'])");
  add("CALL db.rules.apply() YIELD rule RETURN rule");
  options.boosts = {boost("open", 1)};
  BOOST_TEST(scores("tea") == "b 2; a 1");
}

BOOST_AUTO_TEST_CASE(weights_of_rules_out_of_sense_are_refused) {
  for (const double weight : {-1.1, 1'000.5, std::numeric_limits<double>::infinity(),
                              std::numeric_limits<double>::quiet_NaN()}) {
    options.boosts = {boost("x", weight)};
    BOOST_TEST((error("tea").code == ErrorCode::invalid_argument));
  }
}

BOOST_AUTO_TEST_CASE(texts_with_a_feature_that_answers_have_are_lifted) {
  add("CREATE (:Memory {name: 'a', content: 'Ada made tea'}), "
      "(:Memory {name: 'b', content: 'tea came yesterday'}), "
      "(:Memory {name: 'c', content: 'tea for seven'})");
  options.features.feature_weight = 0.5;
  BOOST_TEST(scores("tea") == "a 1; b 1; c 1");
  BOOST_TEST(scores("When was tea?") == "b 1.5; a 1; c 1");
  BOOST_TEST(scores("How many tea?") == "c 1.5; a 1; b 1");
  BOOST_TEST(parts_of(hits("When was tea?")[0]).rules == 1.5);
  options.features.feature_weight = 0;
  BOOST_TEST(scores("When was tea?") == "a 1; b 1; c 1");
}

// Markers lie among the terms; what begins like one is no word.
BOOST_AUTO_TEST_CASE(no_prefix_finds_what_marks_a_feature) {
  add("CREATE (:Memory {name: 'a', content: 'tea came yesterday'})");
  for (const char* prefix : {"\\u0001*", "\\u0001date*", "\\u00AD*"})
    BOOST_TEST(rows_of(*database, std::string("CALL db.index.fulltext.queryNodes('texts', '") +
                                      prefix + "') YIELD node RETURN node")
                   .empty());
}

BOOST_AUTO_TEST_CASE(features_follow_updates_at_once_and_the_check_knows_them) {
  add("CREATE (:Memory {name: 'a', content: 'tea was red'}), "
      "(:Memory {name: 'b', content: 'tea came yesterday'})");
  options.features.feature_weight = 1;
  BOOST_TEST(scores("when tea") == "b 2; a 1");
  add("MATCH (m {name: 'b'}) SET m.content = 'tea came late'");
  add("MATCH (m {name: 'a'}) SET m.content = ['tea', 'red today']");
  BOOST_TEST(scores("when tea") == "a 2; b 1");
  BOOST_TEST(must(database->check()).empty());
  Options opened;
  opened.repair = true;
  database.reopen(opened);
  BOOST_TEST(scores("when tea") == "a 2; b 1");
  BOOST_TEST(must(database->check()).empty());
}

// The terms that stand for features are no words: nothing but the feature sees them.
BOOST_AUTO_TEST_CASE(features_change_no_search_for_words) {
  add("CREATE (:Memory:Plain {name: 'a', content: 'tea yesterday, two lists'})");
  add("CREATE FULLTEXT INDEX plain FOR (m:Plain) ON EACH [m.content]");
  for (const std::string question :
       {"tea", "date", "lists~2", "date~2", "numbers", "d*", "\"tea yesterday\""}) {
    const auto found = [&](const std::string& index) {
      return result_of(*database,
                       "CALL db.index.fulltext.queryNodes('" + index +
                           "', $q) YIELD node, score RETURN node.name, score",
                       {{"q", question}});
    };
    BOOST_TEST(found("texts") == found("plain"), question);
  }
}

BOOST_AUTO_TEST_CASE(words_beside_those_of_the_question_count_by_their_share) {
  add("CREATE (:Memory {name: 'a', content: 'red car'}), (:Memory {name: 'b', content: 'old "
      "auto'})");
  options.features.expansion_weight = 0.5;
  BOOST_TEST(scores("car") == "a 1");
  options.expansion = {{"auto", 0.8}, {"cars", 1}};
  BOOST_TEST(scores("car") == "a 1; b 0.4");
  BOOST_TEST(scores("nobody") == "a 0.5; b 0.4");
  options.features.expansion_weight = 0;
  BOOST_TEST(scores("car") == "a 1");
}

BOOST_AUTO_TEST_CASE(the_filter_binds_words_beside_the_question_too) {
  add("CREATE (:Memory {name: 'a', content: 'red auto'}), (:Memory {name: 'b', content: 'old "
      "auto'})");
  options.expansion = {{"auto", 1}};
  options.filter = Filter::where("name", FilterOperator::equals, "b");
  BOOST_TEST(scores("car") == "b 0.5");
}

BOOST_AUTO_TEST_CASE(shares_out_of_sense_are_refused) {
  options.expansion = {{"auto", 1.5}};
  BOOST_TEST(error("car").message.find("auto") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(any_number_of_words_may_be_beside_the_question) {
  add("CREATE (:Memory {name: 'a', content: 'red car'}), (:Memory {name: 'b', content: 'old "
      "auto'})");
  for (int i = 0; i < 500; ++i) options.expansion.push_back({"word" + std::to_string(i), 1});
  options.expansion.push_back({"auto", 0.8});
  BOOST_TEST(scores("car") == "a 1; b 0.4");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
