// Recall as a whole: the choice of the index, the reading of questions, errors, order, the parts of scores, filters,
// snapshots and budgets.

#include "tests/query/recall/support.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>

namespace cairn::test {
namespace {

// Sixty turns of three conversations in sessions, each turn with two of a few words.
struct Talks : Recalling {
  Talks() {
    add("UNWIND range(0, 59) AS i CREATE (:Memory {name: 'm' + toString(i), i: i, "
        "content: ['tea', 'milk', 'lemon', 'rain', 'cup'][i % 5] + ' ' + "
        "['tea', 'sun', 'cup', 'rain'][i / 3 % 4], speaker: ['Ada', 'Bob'][i % 2], "
        "conversation: i / 20, session: i / 5, time: '2023-0' + toString(1 + i / 10)})");
    add("MATCH (a:Memory), (b:Memory) WHERE b.i = a.i + 1 AND b.conversation = a.conversation "
        "CREATE (a)-[:NEXT]->(b)");
    options.features = RecallFeatures();
    options.limit = 100;
  }
};

constexpr const char* question_text = "which tea did Ada take in March 2023?";

}  // namespace

BOOST_FIXTURE_TEST_SUITE(recall_call, Recalling)

BOOST_AUTO_TEST_CASE(a_question_has_no_syntax) {
  add("CREATE (:Memory {name: 'a', content: 'green tea'}), (:Memory {name: 'b', content: 'milk'})");
  BOOST_TEST(scores("-tea") == "a 1");
  BOOST_TEST(scores("\"tea green\" AND (") == "a 1");
}

BOOST_AUTO_TEST_CASE(a_question_without_words_finds_nothing) {
  add("CREATE (:Memory {name: 'a', content: 'green tea'})");
  options.features = RecallFeatures();
  for (const char* empty : {"", " ", "?!", "coffee"}) BOOST_TEST(scores(empty).empty());
}

BOOST_AUTO_TEST_CASE(hits_carry_their_records_where_that_is_asked_for) {
  add("CREATE (:Memory {name: 'a', content: 'green tea'}), (:Memory {name: 'b', content: 'tea'})");
  for (const Hit& hit : hits("tea")) BOOST_TEST(!hit.node.has_value());
  options.with_nodes = true;
  const Snapshot before = must(database->snapshot());
  add("MATCH (m:Memory) SET m.name = 'changed'");
  const auto found = must(recall(before, "green tea", options));
  BOOST_REQUIRE(found.size() == 2U);
  BOOST_TEST(found[0].node.value().property("name").as_string() == "a");
  BOOST_TEST(found[1].node.value().property("name").as_string() == "b");
  for (const Hit& hit : found) BOOST_TEST(hit.node.value().id().value == hit.id);
}

// Each has a text of a mebibyte: the hits alone fit, their records do not.
BOOST_AUTO_TEST_CASE(records_of_hits_count_as_memory) {
  add("UNWIND range(1, 4) AS i WITH i, reduce(s = 'tea ', j IN range(1, 18) | s + s) AS t "
      "CREATE (:Memory {name: toString(i), content: 'tea', long: t})");
  statement_options.memory_bytes = std::size_t{3} << 20;
  BOOST_TEST(hits("tea").size() == 4U);
  options.with_nodes = true;
  BOOST_TEST((error("tea").code == ErrorCode::resource_limit));
}

BOOST_AUTO_TEST_CASE(an_empty_index_has_no_hits) {
  options.features = RecallFeatures();
  options.features.feedback_weight = options.features.diversity = 1;
  BOOST_TEST(scores("tea").empty());
}

BOOST_AUTO_TEST_CASE(the_index_is_the_named_one_or_the_only_one) {
  add("CREATE (:Memory {name: 'a', content: 'tea', title: 'milk'})");
  add("CREATE FULLTEXT INDEX said FOR ()-[r:SAID]-() ON EACH [r.text]");
  BOOST_TEST(scores("tea") == "a 1");
  add("CREATE FULLTEXT INDEX titles FOR (m:Memory) ON EACH [m.title]");
  BOOST_TEST((error("tea").code == ErrorCode::invalid_argument));
  options.index = "titles";
  BOOST_TEST(scores("milk") == "a 1");
  BOOST_TEST(scores("tea").empty());
  for (const char* unknown : {"said", "not there"}) {
    options.index = unknown;
    BOOST_TEST((error("tea").code == ErrorCode::not_found));
    BOOST_TEST(error("tea").message.find(unknown) != std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(without_an_index_the_error_says_how_to_make_one) {
  add("DROP INDEX texts");
  BOOST_TEST((error("tea").code == ErrorCode::not_found));
  BOOST_TEST(error("tea").message.find("CREATE FULLTEXT INDEX") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(weights_that_make_no_sense_are_refused) {
  for (const double weight :
       {-0.1, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    for (double RecallFeatures::* feature :
         {&RecallFeatures::propagation_weight, &RecallFeatures::group_weight,
          &RecallFeatures::entity_weight, &RecallFeatures::author_weight,
          &RecallFeatures::date_weight, &RecallFeatures::feedback_weight,
          &RecallFeatures::feedback_length, &RecallFeatures::feedback_clarity,
          &RecallFeatures::dense_weight, &RecallFeatures::diversity}) {
      options.features = RecallFeatures();
      options.features.*feature = weight;
      BOOST_TEST((error("tea").code == ErrorCode::invalid_argument));
    }
  }
  options.features = RecallFeatures();
  options.features.diversity = 1.1;
  BOOST_TEST((error("tea").code == ErrorCode::invalid_argument));
}

BOOST_AUTO_TEST_CASE(equal_scores_stand_by_ascending_id_and_the_limit_cuts_there) {
  add("UNWIND range(1, 30) AS i CREATE (:Memory {name: 'n', content: 'tea'})");
  options.limit = 30;
  const auto all = hits("tea");
  BOOST_TEST_REQUIRE(all.size() == 30U);
  for (std::size_t i = 1; i < all.size(); ++i) BOOST_TEST(all[i - 1].id < all[i].id);
  options.limit = 7;
  const auto some = hits("tea");
  BOOST_TEST_REQUIRE(some.size() == 7U);
  for (std::size_t i = 0; i < some.size(); ++i) BOOST_TEST(some[i].id == all[i].id);
  options.limit = 0;
  BOOST_TEST(hits("tea").empty());
}

BOOST_AUTO_TEST_CASE(more_hits_than_the_features_work_on_are_given_where_asked_for) {
  add("UNWIND range(1, 400) AS i CREATE (:Memory {name: 'n', content: 'tea'})");
  options.features = RecallFeatures();
  options.limit = 1'000;
  BOOST_TEST(hits("tea").size() == 400U);
}

BOOST_AUTO_TEST_CASE(all_parts_are_read_from_the_one_snapshot) {
  options.features = RecallFeatures();
  options.features.entity_weight = options.features.author_weight = 1;
  options.features.propagation_weight = options.features.group_weight = 0.5;
  add("CREATE (:Memory {name: 'a', content: 'tea', speaker: 'Ada', session: 1})-[:NEXT]->"
      "(:Memory {name: 'b', content: 'x', session: 2})");
  const Snapshot before = must(database->snapshot());
  const auto shape = [&] {
    std::string text;
    for (const Hit& hit : must(recall(before, "Ada tea", options)))
      text += name(hit.id) + " " + std::to_string(raw(hit)) + "; ";
    return text;
  };
  const std::string first = shape();
  BOOST_TEST(first == "a 6.000000; b 0.500000; ");
  add("MATCH (a:Memory {name: 'a'})-[r]->() DELETE r SET a.content = 'x', a.speaker = 'Bob', "
      "a.session = 2");
  BOOST_TEST(shape() == first);
  BOOST_TEST(scores("Ada tea").empty());
}

BOOST_AUTO_TEST_CASE(namespaces_are_apart) {
  statement_options.name_space = "other";
  run_all(*database, {"CREATE (:Memory {name: 'a', content: 'tea'})"});
  BOOST_TEST(scores("tea").empty());
}

BOOST_AUTO_TEST_CASE(a_cancelled_call_ends) {
  add("UNWIND range(1, 400) AS i CREATE (:Memory {name: 'n', content: 'tea ' + toString(i)})");
  add("MATCH (a:Memory), (b:Memory) WHERE id(b) > id(a) AND id(b) < id(a) + 20 "
      "CREATE (a)-[:NEXT]->(b)");
  std::stop_source source;
  source.request_stop();
  statement_options.cancel = source.get_token();
  options.features = RecallFeatures();
  BOOST_TEST((error("tea").code == ErrorCode::cancelled));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(recall_defaults, Talks)

BOOST_AUTO_TEST_CASE(a_score_is_made_of_its_parts_and_orders_the_hits) {
  const auto found = hits(question_text);
  BOOST_TEST_REQUIRE(found.size() > 20U);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Hit& hit = found[i];
    BOOST_TEST(hit.score == raw(hit) / hit.explanation->features->whole);
    BOOST_TEST(hit.score <= 1);
    if (i > 0) {
      BOOST_TEST(found[i - 1].score >= hit.score);
      if (found[i - 1].score == hit.score) BOOST_TEST(found[i - 1].id < hit.id);
    }
  }
}

// Whatever multiplies or adds: shares are from 0 to 1, and their order is the order of what the features gave.
BOOST_AUTO_TEST_CASE(scores_are_shares_under_any_weights) {
  for (const double weight : {0.0, 0.3, 7.0}) {
    options.features.propagation_weight = std::min(weight, 1.0);
    options.features.group_weight = options.features.feedback_weight = weight;
    options.features.entity_weight = options.features.author_weight = weight;
    options.features.date_weight = options.features.feature_weight = weight;
    options.boosts = {{Filter::where("speaker", FilterOperator::equals, "Ada"), weight}};
    for (const char* question :
         {question_text, "tea", "tea tea milk", "a yak by the lake", "sun"}) {
      const auto found = hits(question);
      for (std::size_t i = 0; i < found.size(); ++i) {
        BOOST_TEST((found[i].score > 0 && found[i].score <= 1));
        if (i > 0) BOOST_TEST(raw(found[i - 1]) >= raw(found[i]));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(words_that_no_record_has_lower_every_score_alike) {
  const auto all = hits("tea");
  const auto part = hits("tea zebra");
  BOOST_TEST_REQUIRE(part.size() == all.size());
  BOOST_TEST(part[0].score < 0.6 * all[0].score);
  for (std::size_t i = 0; i < all.size(); ++i) {
    BOOST_TEST(part[i].id == all[i].id);
    BOOST_TEST(part[i].score / part[0].score == all[i].score / all[0].score,
               boost::test_tools::tolerance(1e-9));
  }
}

BOOST_AUTO_TEST_CASE(the_same_question_has_the_same_answer) {
  options.features.feedback_length = 0;
  options.features.diversity = 0.3;
  const std::string first = scores(question_text);
  BOOST_TEST(scores(question_text) == first);
  database.reopen();
  BOOST_TEST(scores(question_text) == first);
}

BOOST_AUTO_TEST_CASE(a_filter_binds_with_every_feature) {
  options.features.feedback_length = 0;
  options.features.diversity = 0.3;
  options.filter = Filter::all_of({Filter::where("conversation", FilterOperator::equals, 1),
                                   Filter::where("i", FilterOperator::not_equals, 30)});
  const auto found = hits(question_text);
  BOOST_TEST_REQUIRE(found.size() > 5U);
  for (const Hit& hit : found) {
    const int turn = std::stoi(name(hit.id).substr(1));
    BOOST_TEST((turn >= 20 && turn < 40 && turn != 30));
  }
  options.filter = Filter::where("not_there", FilterOperator::equals, 1);
  BOOST_TEST(hits(question_text).empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
