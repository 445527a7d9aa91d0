#include "tests/query/memory/support.hpp"
#include "tests/support/run_query.hpp"

#include <cairn/memory/recall.hpp>
#include <cairn/recall.hpp>

#include <boost/test/unit_test.hpp>

#include <cmath>

namespace cairn::memory {
namespace {

using test::must;

const auto within = boost::test_tools::tolerance(1e-6);

struct RecallFixture {
  test::TemporaryDatabase database;
  Memory memory = open_with_words(*database);

  NodeId add(std::string content, Properties metadata = {}, std::string kind = "note") {
    NewRecord record = note(std::move(content), std::move(metadata));
    record.kind = std::move(kind);
    return must(memory.add(record)).ids.at(0);
  }
  void relate(const char* from, const char* to, double weight) {
    Rows rows =
        must(execute(*database,
                     "MATCH (a {content: $a}), (b {content: $b}) CREATE (a)-[:NEAR {weight: "
                     "$w}]->(b)",
                     {{"a", from}, {"b", to}, {"w", weight}}));
  }
  std::string found(const RecallRequest& request) {
    std::vector<std::string> contents;
    for (const Hit& hit : must(memory.recall(request)).hits)
      contents.push_back(record_of(hit).content);
    return joined(contents);
  }
};

RecallRequest asking(std::string query, Strategy strategy = Strategy::vector) {
  RecallRequest request = similarity_request(std::move(query));
  request.strategy = strategy;
  return request;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(recall, RecallFixture)

// M0.40, M0.43: cosine, least 0.7 unless said otherwise
BOOST_AUTO_TEST_CASE(the_nearest_come_first_and_the_far_not_at_all) {
  add("red green");
  add("red");
  add("green");
  add("nothing of these");
  BOOST_TEST(found(asking("red")) == "red, red green");
  RecallRequest request = asking("red");
  request.min_score = -1;
  BOOST_TEST(found(request) == "red, red green, green");
  const auto hits = must(memory.recall(request)).hits;
  BOOST_TEST(hits[1].score == std::sqrt(0.5), within);
}

// M0.42, M4.22, R.12: session and conditions bind before the search
BOOST_AUTO_TEST_CASE(conditions_bind_before_the_search) {
  for (int i = 0; i < 40; ++i) add("red", {{"sessionId", "other"}});
  for (int i = 0; i < 5; ++i) add("red red green", {{"sessionId", "mine"}, {"i", i}});
  RecallRequest request = asking("red");
  request.limit = 5;
  request.scope.session = "mine";
  BOOST_TEST(must(memory.recall(request)).hits.size() == 5U);
  request.scope.where = "m.i >= $least";
  request.scope.parameters = {{"least", 3}};
  BOOST_TEST(must(memory.recall(request)).hits.size() == 2U);
  request.scope.kinds = {"task"};
  BOOST_TEST(must(memory.recall(request)).hits.empty());
}

// M0.45, M0.46, R.6: 1.0 * 1.5 is shown as 1 and comes before 1.0; sqrt(0.5) * 1.5 is above 1 too.
BOOST_AUTO_TEST_CASE(souvenir_orders_by_the_raw_value_and_shows_one_at_most) {
  add("red");
  add("red green", {{"important", true}});
  add("red red", {{"important", true}});
  RecallRequest request = asking("red");
  request.ranking = similarity_ranking({{"important", 0.5}});
  const auto hits = must(memory.recall(request)).hits;
  BOOST_REQUIRE(hits.size() == 3U);
  BOOST_TEST(record_of(hits[0]).content == "red red");
  BOOST_TEST(record_of(hits[1]).content == "red green");
  BOOST_TEST(hits[0].score == 1.0);
  BOOST_TEST(hits[0].explanation->raw == 1.5, within);
  BOOST_TEST(hits[1].explanation->raw == 1.5 * std::sqrt(0.5), within);
  BOOST_TEST(hits[2].explanation->raw == 1.0, within);
}

// M3.37, M3.38, M3.39: 0.7071 + 0.1 / (1 + 30/30) + 0.05 * (1 - 0/2) = 0.8071
BOOST_AUTO_TEST_CASE(minima_adds_recency_and_early_chunks) {
  add("red green",
      {{"modified_time", "2026-01-15T12:00:00Z"}, {"chunk_index", 0}, {"total_chunks", 2}},
      "chunk");
  RecallRequest request = asking("red");
  request.ranking = recency_ranking();
  const auto hits = must(memory.recall(request)).hits;
  BOOST_TEST(hits.at(0).score == std::sqrt(0.5) + 0.05 + 0.05, within);
}

// M4.27: rank 1 by meaning, 1 by words; the neighbour is known by the graph alone
BOOST_AUTO_TEST_CASE(cognitive_fuses_the_three_retrievers) {
  add("red");
  add("neighbour");
  relate("red", "neighbour", 1);
  RecallRequest request = asking("red", Strategy::hybrid);
  request.ranking = rrf_ranking();
  const auto hits = must(memory.recall(request)).hits;
  BOOST_REQUIRE(hits.size() == 2U);
  BOOST_TEST(hits[0].explanation->raw == 0.6 / 61 + 0.2 / 61, within);
  BOOST_TEST(record_of(hits[1]).content == "neighbour");
  BOOST_TEST(hits[1].explanation->raw == 0.2 / 61, within);
  BOOST_TEST((hits[1].explanation->retrievers.at(0).retriever == RetrieverKind::graph));
}

// M0.49: filters bind graph-expanded nodes, on the way as well
BOOST_AUTO_TEST_CASE(expansion_of_the_graph_stays_within_the_conditions) {
  add("red", {{"user", "alice"}});
  add("alices", {{"user", "alice"}});
  add("bobs", {{"user", "bob"}});
  add("alices behind bobs", {{"user", "alice"}});
  relate("red", "alices", 1);
  relate("red", "bobs", 1);
  relate("bobs", "alices behind bobs", 1);
  RecallRequest request = asking("red", Strategy::graph_completion);
  BOOST_TEST(must(memory.recall(request)).hits.size() == 4U);
  request.scope.filter = Filter::where("user", FilterOperator::equals, "alice");
  BOOST_TEST(found(request) == "red, alices");
}

// M0.49: the five strategies
BOOST_AUTO_TEST_CASE(strategies_reach_as_far_as_they_say) {
  add("red");
  add("one", {}, "summary");
  add("two");
  add("weak");
  relate("red", "one", 0.8);
  relate("two", "one", 1);
  relate("red", "weak", 0.1);
  BOOST_TEST(found(asking("red")) == "red");
  BOOST_TEST(found(asking("red", Strategy::graph_neighborhood)) == "red, one, weak");
  BOOST_TEST(found(asking("red", Strategy::graph_completion)) == "red, one, two, weak");
  BOOST_TEST(found(asking("red", Strategy::graph_summary)) == "one");
  BOOST_TEST(found(asking("red", Strategy::hybrid)) == "red, one, weak");
}

// M0.47, M0.57: relationships by weight, of the types asked for
BOOST_AUTO_TEST_CASE(relationships_come_with_the_hits) {
  add("red");
  add("one");
  add("two");
  relate("red", "one", 0.2);
  relate("two", "red", 0.9);
  RecallRequest request = asking("red");
  BOOST_TEST(must(memory.recall(request)).hits.at(0).relationships.empty());
  request.include_relationships = true;
  const auto hits = must(memory.recall(request)).hits;
  BOOST_REQUIRE(hits.at(0).relationships.size() == 2U);
  BOOST_TEST((hits[0].relationships[0].property("weight") == Value(0.9)));
  request.relationship_types = {"OTHER"};
  BOOST_TEST(must(memory.recall(request)).hits.at(0).relationships.empty());
}

// M0.52, M0.53: the fallbacks keep the conditions and say which stage answered
BOOST_AUTO_TEST_CASE(fallbacks_are_taken_in_order_and_named) {
  add("green green red", {{"user", "alice"}});
  add("only Words", {{"user", "alice"}});
  add("only words of bob", {{"user", "bob"}});
  RecallRequest request = asking("red");
  request.scope.where = "m.user = 'alice'";
  BOOST_TEST(must(memory.recall(request)).hits.empty());
  request.fallback = {true, true};
  RecallResult result = must(memory.recall(request));
  BOOST_TEST((result.stage == RecallStage::without_minimum));
  BOOST_TEST(record_of(result.hits.at(0)).content == "green green red");
  request.query = "words of it";
  result = must(memory.recall(request));
  BOOST_TEST((result.stage == RecallStage::keywords));
  BOOST_REQUIRE(result.hits.size() == 1U);
  BOOST_TEST(record_of(result.hits[0]).content == "only Words");
  request.query = "absent";
  BOOST_TEST(must(memory.recall(request)).hits.empty());
}

// M0.41
BOOST_AUTO_TEST_CASE(a_request_needs_text_or_a_vector) {
  const auto refused = memory.recall({});
  BOOST_REQUIRE(!refused);
  BOOST_TEST(
      refused.error().message.starts_with("Embedding provider required for vector retrieval"));
  add("red");
  RecallRequest request;
  request.vector = {1, 0, 0};
  BOOST_TEST(found(request) == "red");
}

// M2.31: criteria and a query; sort_by orders what was found
BOOST_AUTO_TEST_CASE(a_search_with_text_is_ranked_by_meaning) {
  add("red green", {{"n", 1}});
  add("red", {{"n", 2}});
  add("blue", {{"n", 3}});
  add("red red", {{"n", 4}}, "task");
  SearchRequest request;
  request.query = "red";
  request.kinds = {"note"};
  request.limit = 2;
  const Page page = must(memory.search(request));
  BOOST_TEST(joined(contents_of(page)) == "red, red green");
  BOOST_TEST(page.total == 3U);
  request.sort_by = "n";
  BOOST_TEST(joined(contents_of(must(memory.search(request)))) == "red green, red");
  request.descending = true;
  request.sort_by = "absent";
  BOOST_TEST(joined(contents_of(must(memory.search(request)))) == "red, red green");
}

// M2.35
BOOST_AUTO_TEST_CASE(hidden_records_are_neither_found_nor_walked_over) {
  add("red");
  const NodeId hidden = add("hidden");
  add("behind");
  const NodeId red = add("red red");
  relate("red", "hidden", 1);
  relate("hidden", "behind", 1);
  must(memory.remove(hidden));
  must(memory.remove(red));
  RecallRequest request = asking("red", Strategy::graph_completion);
  BOOST_TEST(found(request) == "red");
  request.scope.include_deleted = true;
  BOOST_TEST(must(memory.recall(request)).hits.size() == 4U);
}

BOOST_AUTO_TEST_CASE(an_empty_memory_recalls_nothing) {
  BOOST_TEST(found(asking("red", Strategy::hybrid)) == "");
}

// M3.48, M3.49, M3.50: file extensions; types and a date; first chunks only
BOOST_AUTO_TEST_CASE(use_cases_of_documents) {
  const auto chunk = [&](const char* ext, const char* type, const char* time, int index) {
    add(std::string("red ") + ext + " " + std::to_string(index),
        {{"file_ext", ext}, {"file_type", type}, {"modified_time", time}, {"chunk_index", index}},
        "chunk");
  };
  chunk(".py", "code", "2024-06-01T00:00:00Z", 0);
  chunk(".md", "doc", "2025-01-01T00:00:00Z", 0);
  chunk(".md", "doc", "2024-12-31T23:59:59Z", 1);
  chunk(".js", "code", "2025-06-01T00:00:00Z", 2);
  RecallRequest request = asking("red");
  request.scope.filter = Filter::where("file_ext", FilterOperator::in, list_of({".py"}));
  BOOST_TEST(found(request) == "red .py 0");
  request.scope.filter = Filter::all_of(
      {Filter::where("file_type", FilterOperator::in, list_of({"doc"})),
       Filter::where("modified_time", FilterOperator::since, "2025-01-01T00:00:00Z")});
  BOOST_TEST(found(request) == "red .md 0");
  request.scope.filter = Filter::where("chunk_index", FilterOperator::less_or_equal, 0);
  BOOST_TEST(found(request) == "red .py 0, red .md 0");
}

// M0.49: summaries are chosen before the retriever is cut
BOOST_AUTO_TEST_CASE(summaries_are_not_pushed_out_by_nearer_records_of_other_kinds) {
  add("red");
  add("sum", {}, "summary");
  relate("red", "sum", 0.1);
  for (int i = 0; i < 12; ++i) {
    const std::string name = "near" + std::to_string(i);
    add(name);
    relate("red", name.c_str(), 1);
  }
  RecallRequest request = asking("red", Strategy::graph_summary);
  request.limit = 1;
  BOOST_TEST(found(request) == "sum");
}

// M0.49: a path from a hit back to that hit does not raise its score
BOOST_AUTO_TEST_CASE(a_seed_earns_nothing_from_itself) {
  add("red");
  add("between");
  add("red green");
  relate("red", "between", 1);
  RecallRequest request = asking("red", Strategy::graph_completion);
  BOOST_TEST(must(memory.recall(request)).hits.at(0).explanation->raw == 1.0, within);
  // From the other seed, over the record between them, it does: 1 + 0.7071 / 4.
  relate("red green", "between", 1);
  BOOST_TEST(must(memory.recall(request)).hits.at(0).explanation->raw == 1 + std::sqrt(0.5) / 4,
             within);
}

BOOST_AUTO_TEST_CASE(what_is_far_away_does_not_raise_its_neighbours) {
  add("red");
  RecallRequest request = asking("red", Strategy::graph_neighborhood);
  request.vector = {-1, 0, 0};
  request.min_score = -1;
  add("beside");
  relate("red", "beside", 1);
  BOOST_TEST(found(request) == "red");
}

// M3.1: a field that no record has is named
BOOST_AUTO_TEST_CASE(a_misspelt_field_is_a_warning_of_the_recall) {
  add("red", {{"importance", 1}});
  RecallRequest request = asking("red", Strategy::hybrid);
  request.scope.where = "m.importanse > 0";
  const RecallResult result = must(memory.recall(request));
  BOOST_TEST(result.hits.empty());
  BOOST_REQUIRE(result.warnings.size() == 1U);
  BOOST_TEST(result.warnings[0].find("importance") != std::string::npos, result.warnings[0]);
}

// Nothing is at least NaN: without an error, nothing would be found.
BOOST_AUTO_TEST_CASE(a_least_score_that_is_no_number_is_refused) {
  add("red");
  RecallRequest request = asking("red");
  request.min_score = std::nan("");
  const auto answer = memory.recall(request);
  BOOST_REQUIRE(!answer);
  BOOST_TEST(answer.error().message == "min_score is NaN; set the minimum cosine, from -1 to 1");
}

BOOST_AUTO_TEST_CASE(a_limit_beyond_every_number_is_all_records) {
  add("red");
  add("red red");
  RecallRequest request = asking("red", Strategy::hybrid);
  request.limit = ~std::size_t{0};
  request.ranking.oversample = ~std::size_t{0} / 2;
  BOOST_TEST(must(memory.recall(request)).hits.size() == 2U);
}

// M2.13: contents of other types, as statements may write them, are no error of the words
BOOST_AUTO_TEST_CASE(contents_that_are_no_text_have_no_words) {
  add("red");
  test::run_all(*database, {"CREATE (:Memory:Note {kind: 'note', content: 5}), "
                            "(:Memory:Note {kind: 'note', content: ['red']})"});
  RecallRequest request = asking("red", Strategy::hybrid);
  BOOST_TEST(found(request) == "red, ");  // texts of a list are words, and a number has none
}

// M4.27, M0.49: where contents have a full-text index it is the retriever of words, under the conditions.
BOOST_AUTO_TEST_CASE(an_index_of_contents_is_the_retriever_of_words) {
  test::run_all(*database, {"CREATE FULLTEXT INDEX contents FOR (m:Memory) ON EACH [m.content]"});
  add("red lamps", {{"user", "alice"}});
  add("a lamp", {{"user", "bob"}});
  add("blue", {{"user", "alice"}});
  RecallRequest request = asking("lamp", Strategy::hybrid);
  request.ranking = rrf_ranking();
  BOOST_TEST(found(request) == "red lamps, a lamp");
  request.scope.filter = Filter::where("user", FilterOperator::equals, "alice");
  const auto hits = must(memory.recall(request)).hits;
  BOOST_REQUIRE(hits.size() == 1U);
  BOOST_TEST((hits[0].explanation->retrievers.at(0).retriever == RetrieverKind::text));
  BOOST_TEST(hits[0].explanation->retrievers[0].score == 1, within);
  BOOST_TEST(hits[0].explanation->raw == 0.2 / 61, within);
  request.query = "-lamp AND \"";
  BOOST_TEST(found(request) == "red lamps");
}

// The strategy of words is the recall of the public face, over the records of the scope.
BOOST_AUTO_TEST_CASE(the_strategy_of_words_has_the_features_of_recall) {
  test::run_all(*database, {"CREATE FULLTEXT INDEX contents FOR (m:Memory) ON EACH [m.content]"});
  const NodeId first = add("a red lamp", {{"user", "alice"}});
  const NodeId second = add("an answer", {{"user", "alice"}});
  add("a lamp of bob", {{"user", "bob"}});
  relate("a red lamp", "an answer", 1);
  RecallRequest request = asking("lamp", Strategy::text);
  request.scope.filter = Filter::where("user", FilterOperator::equals, "alice");
  const auto hits = must(memory.recall(request)).hits;
  BOOST_REQUIRE(hits.size() == 2U);
  BOOST_TEST((NodeId{hits[0].id} == first && NodeId{hits[1].id} == second));
  BOOST_TEST(hits[0].score == 1, within);
  RecallOptions options;
  options.filter = request.scope.filter;
  const auto same = must(cairn::recall(must(database->snapshot()), "lamp", options));
  BOOST_REQUIRE(same.size() == 2U);
  BOOST_TEST(hits[1].explanation->raw == same[1].score / same[0].score, within);
}

BOOST_AUTO_TEST_CASE(the_fallback_knows_parts_of_words_beside_an_index) {
  test::run_all(*database, {"CREATE FULLTEXT INDEX contents FOR (m:Memory) ON EACH [m.content]"});
  add("teapots");
  RecallRequest request = asking("teap");
  request.fallback = {false, true};
  const RecallResult result = must(memory.recall(request));
  BOOST_TEST((result.stage == RecallStage::keywords));
  BOOST_REQUIRE(result.hits.size() == 1U);
  request.query = "teapot";
  BOOST_TEST((must(memory.recall(request)).hits.at(0).explanation->retrievers.at(0).retriever ==
              RetrieverKind::text));
}

// An index of something else is none of contents, and where there is none contents are read.
BOOST_AUTO_TEST_CASE(other_indexes_are_not_the_retriever_of_words) {
  test::run_all(*database, {"CREATE FULLTEXT INDEX titles FOR (m:Memory) ON EACH [m.title]",
                            "CREATE FULLTEXT INDEX others FOR (m:Other) ON EACH [m.content]"});
  add("red");
  test::run_all(*database, {"DROP INDEX memory_contents"});
  for (const Strategy strategy : {Strategy::hybrid, Strategy::automatic}) {
    const auto hits = must(memory.recall(asking("red", strategy))).hits;
    BOOST_REQUIRE(hits.size() == 1U);
    BOOST_TEST((hits[0].explanation->retrievers.at(1).retriever == RetrieverKind::keyword));
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::memory
