// Hybrid search by calls: the hits of each retriever, their ranking, and that records outside of the filter are neither
// found nor followed.
#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <cairn/hybrid_search.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cmath>
#include <limits>
#include <sstream>

namespace cairn::test {
namespace {

const auto within = boost::test_tools::tolerance(1e-6);

/// a and b lie near the question, c is a neighbour of a, d of another user.
struct Fixture {
  TemporaryDatabase database;
  HybridSearch search;

  Fixture() {
    run_all(
        *database,
        {"CREATE VECTOR INDEX v FOR (m:Memory) ON (m.v) OPTIONS {indexConfig: "
         "{`vector.dimensions`: 2, `vector.similarity_function`: 'cosine'}}",
         "CREATE VECTOR INDEX said FOR ()-[r:KNOWS]-() ON (r.v) OPTIONS {indexConfig: "
         "{`vector.dimensions`: 2, `vector.similarity_function`: 'cosine'}}",
         "CREATE FULLTEXT INDEX t FOR (m:Memory) ON EACH [m.text]",
         "CREATE FULLTEXT INDEX of_relationships FOR ()-[r:KNOWS]-() ON EACH [r.text]",
         "CREATE (a:Memory {name: 'a', user: 1, text: 'green tea', v: [1.0, 0.0]}), "
         "(b:Memory:Note {name: 'b', user: 1, text: 'black tea leaves in water', v: [1.0, 1.0], "
         "pinned: true}), "
         "(c:Memory:Note {name: 'c', user: 1, text: 'coffee'}), "
         "(d:Memory {name: 'd', user: 2, text: 'green tea', v: [1.0, 0.0]}), "
         "(a)-[:KNOWS {weight: 0.5}]->(c), (a)-[:KNOWS {weight: 0.9}]->(b), "
         "(a)-[:KNOWS]->(d), (d)-[:KNOWS]->(c)"});
    search.filter = Filter::where("user", FilterOperator::equals, 1);
  }

  HybridHits find() { return must(hybrid_search(must(database->snapshot()), search)); }
  Error error_with(const StatementOptions& options) {
    const auto found = hybrid_search(must(database->snapshot()), search, options);
    return found ? Error{ErrorCode::corruption, "no error", {}} : found.error();
  }
  /// "a 1; b 0.5": names and scores, best first.
  std::string found() {
    std::ostringstream out;
    for (const Hit& hit : find().hits)
      out << (out.tellp() > 0 ? "; " : "") << hit.node->property("name").as_string() << ' '
          << std::round(1000 * hit.score) / 1000;
    return out.str();
  }
  Error error() { return error_with({}); }
  NodeId id(const std::string& name) {
    const std::string text =
        result_of(*database, "MATCH (m:Memory {name: $name}) RETURN id(m)", {{"name", name}});
    return NodeId{std::stoull(text)};
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(hybrid_search_calls, Fixture)

BOOST_AUTO_TEST_CASE(vectors_have_their_cosine_for_a_score) {
  search.retrievers = {VectorRetriever{.index = "v", .vector = {1, 0}}};
  BOOST_TEST(found() == "a 1; b 0.707");
  search.retrievers = {VectorRetriever{.index = "v", .vector = {1, 0}, .min_score = 0.8}};
  BOOST_TEST(found() == "a 1");
}

BOOST_AUTO_TEST_CASE(texts_are_shares_of_the_best_and_know_no_syntax) {
  search.retrievers = {TextRetriever{.index = "t", .text = "green -tea"}};
  const auto hits = find().hits;
  BOOST_REQUIRE(hits.size() == 2U);
  BOOST_TEST(hits[0].score == 1.0);
  BOOST_TEST((hits[1].score > 0 && hits[1].score < 1));
}

BOOST_AUTO_TEST_CASE(ranked_hits_are_those_of_recall_under_the_filter) {
  RecallOptions options;
  options.index = "t";
  search.retrievers = {RankedRetriever{"green tea", options}};
  options.filter = search.filter;
  const auto alone = must(recall(must(database->snapshot()), "green tea", options));
  const auto hits = find().hits;
  BOOST_REQUIRE(hits.size() == alone.size());
  for (std::size_t i = 0; i < hits.size(); ++i) {
    BOOST_TEST(hits[i].id == alone[i].id);
    BOOST_TEST(hits[i].score == alone[i].score, within);
  }
}

// Passages are those of the search: a retriever would only lose hits for them.
BOOST_AUTO_TEST_CASE(passages_are_of_all_hits_and_within_the_filter) {
  RecallOptions options;
  options.index = "t";
  search.retrievers = {RankedRetriever{"tea", options}};
  const std::string alone = found();
  options.context = 1;
  options.max_tokens = 3;
  search.retrievers = {RankedRetriever{"tea", options}};
  BOOST_TEST(found() == alone);
  const auto passages = [&] {
    std::string all;
    for (const Hit& hit : find().hits) {
      all += (all.empty() ? "" : "; ") + hit.node->property("name").as_string() + ":";
      for (const Node& node : hit.passage_nodes) all += " " + node.property("name").as_string();
      if (hit.left_out > 0) all += " -" + std::to_string(hit.left_out);
    }
    return all;
  };
  search.retrievers = {VectorRetriever{.index = "v", .vector = {1, 0}}};
  BOOST_TEST(passages() == "a:; b:");
  options.max_tokens = 0;
  search.passages = options;
  BOOST_TEST(passages() == "a: a b c");
  options.features.relationship_types = {"LIKES"};
  search.passages = options;
  BOOST_TEST(passages() == "a: a; b: b");
  // "green tea" takes three tokens with the end of the line, the text of b seven.
  options.max_tokens = 9;
  search.passages = options;
  BOOST_TEST(passages() == "a: a; b: -1");
  search.limit = 1;
  BOOST_TEST(passages() == "a: a");
  options.context = 1'001;
  search.passages = options;
  BOOST_TEST(error().message == "the context of recall must be at most 1000, got 1001");
  options.index = "none";
  search.passages = options;
  BOOST_TEST((error().code == ErrorCode::not_found));
}

BOOST_AUTO_TEST_CASE(the_graph_starts_from_the_first_retriever_and_stays_within_the_filter) {
  search.retrievers = {VectorRetriever{.index = "v", .vector = {1, 0}, .min_score = 0.8},
                       GraphRetriever{.hops = 1}};
  search.ranking.fusion.kind = Fusion::Kind::weighted_sum;
  BOOST_TEST(found() == "a 1; b 0.45; c 0.25");
  search.retrievers[1] = GraphRetriever{.hops = 1, .relationship_types = {"LIKES"}};
  BOOST_TEST(found() == "a 1");
  BOOST_TEST(find().warnings.size() == 1U);
  search.retrievers[1] = GraphRetriever{.hops = 1, .label = "Memory"};
  BOOST_TEST(found() == "a 1; b 0.45; c 0.25");
  search.label = "Note";
  BOOST_TEST(found() == "b 0.45; c 0.25");
}

BOOST_AUTO_TEST_CASE(hits_that_are_given_count_where_they_pass_the_filter) {
  search.retrievers = {
      GivenRetriever{RetrieverKind::keyword, {{id("c"), 0.5}, {id("d"), 0.9}, {id("a"), 0.7}}}};
  BOOST_TEST(found() == "a 0.7; c 0.5");
  BOOST_TEST((find().hits[0].explanation->retrievers.at(0).retriever == RetrieverKind::keyword));
  search.filter = Filter();
  BOOST_TEST(found() == "d 0.9; a 0.7; c 0.5");
}

// "in" is too short to count. Parts of words count, and the case does not.
BOOST_AUTO_TEST_CASE(keywords_are_found_without_an_index) {
  search.retrievers = {KeywordRetriever{"text", "Green TEA in"}};
  BOOST_TEST(found() == "a 1; b 0.5");
  BOOST_TEST((find().hits[0].explanation->retrievers.at(0).retriever == RetrieverKind::keyword));
  BOOST_TEST(find().warnings.empty());
  search.retrievers = {KeywordRetriever{"text", "leav"}};
  BOOST_TEST(found() == "b 1");
  search.retrievers = {KeywordRetriever{"text", "in"}};
  BOOST_TEST(found() == "");
  search.retrievers = {KeywordRetriever{"texts", "green"}};
  BOOST_TEST(found() == "");
  BOOST_REQUIRE(find().warnings.size() == 1U);
  BOOST_TEST(find().warnings[0].find("texts") != std::string::npos);
  search.retrievers = {KeywordRetriever{"v", "0.7"}};  // a vector is no text
  BOOST_TEST(found() == "");
}

// Each text is compared with each word, and limits count between words too.
BOOST_AUTO_TEST_CASE(a_search_for_very_many_keywords_ends_at_its_time) {
  run_all(*database, {"UNWIND range(1, 1000) AS i CREATE (:Memory {user: 4, text: "
                      "reduce(t = '', j IN range(1, 25) | t + 'ten letters')})"});
  search.filter = Filter::where("user", FilterOperator::equals, 4);
  std::string question;
  for (int i = 100'000; i < 300'000; ++i) question += std::to_string(i) + ' ';
  search.retrievers = {KeywordRetriever{"text", std::move(question)}};
  const auto started = std::chrono::steady_clock::now();
  const StatementOptions options{.timeout = std::chrono::milliseconds(50)};
  BOOST_TEST((error_with(options).code == ErrorCode::resource_limit));
  BOOST_TEST((std::chrono::steady_clock::now() - started < std::chrono::seconds(5)));
}

BOOST_AUTO_TEST_CASE(large_texts_are_searched_for_many_keywords) {
  run_all(*database, {"CREATE (:Memory {name: 'large', user: 5, text: "
                      "reduce(t = 'ten letter', j IN range(1, 16) | t + t)})"});
  search.filter = Filter::where("user", FilterOperator::equals, 5);
  std::string question = "letter";
  for (int i = 10'000; i < 11'800; ++i) question += ' ' + std::to_string(i);
  search.retrievers = {KeywordRetriever{"text", std::move(question)}};
  BOOST_TEST(found() == "large 0.001");
}

// Keywords of records that the vectors found, beyond the candidates of the keywords.
BOOST_AUTO_TEST_CASE(keywords_score_the_hits_of_other_retrievers) {
  search.retrievers = {VectorRetriever{.index = "v", .vector = {1, 0}},
                       KeywordRetriever{"text", "black leaves tea"}};
  search.ranking.oversample = 1;
  search.limit = 1;
  const auto hits = find().hits;
  BOOST_TEST_REQUIRE(hits.size() == 1U);
  BOOST_TEST(hits[0].explanation->retrievers.size() == 2U);
}

// Given hits cannot be of a kind that no list of a fusion has.
BOOST_AUTO_TEST_CASE(the_kind_ranked_is_of_no_given_hits) {
  search.retrievers = {GivenRetriever{RetrieverKind::ranked, {{id("a"), 1}}}};
  BOOST_TEST((error().code == ErrorCode::invalid_argument));
}

// 4,000 hits and what fuses them need about 1 MB.
BOOST_AUTO_TEST_CASE(lists_and_fused_hits_count_as_memory_of_the_call) {
  run_all(*database, {"UNWIND range(1, 4000) AS i CREATE (:Memory {user: 3})"});
  search.filter = Filter::where("user", FilterOperator::equals, 3);
  GivenRetriever given;
  for (const std::string& id : rows_of(*database, "MATCH (m {user: 3}) RETURN id(m)"))
    given.hits.push_back({NodeId{std::stoull(id)}, 1});
  search.retrievers = {given};
  search.limit = given.hits.size();
  BOOST_TEST(find().hits.size() == 4'000U);
  const StatementOptions small{.memory_bytes = 500'000};
  BOOST_TEST((error_with(small).code == ErrorCode::resource_limit));
  search.limit = 10;
  BOOST_TEST(must(hybrid_search(must(database->snapshot()), search, small)).hits.size() == 10U);
}

BOOST_AUTO_TEST_CASE(lists_are_fused_and_boosted_before_the_cut) {
  search.retrievers = {VectorRetriever{.index = "v", .vector = {1, 0}},
                       GivenRetriever{RetrieverKind::keyword, {{id("b"), 0.2}, {id("c"), 0.1}}}};
  search.limit = 1;
  search.ranking.fusion.kind = Fusion::Kind::weighted_sum;
  search.ranking.highest_score = std::nullopt;
  search.ranking.boosts = {{.field = "pinned", .factor = 1}};
  const auto hits = find().hits;
  BOOST_REQUIRE(hits.size() == 1U);
  BOOST_TEST(hits[0].node->property("name").as_string() == "b");
  const Explanation& why = *hits[0].explanation;
  BOOST_TEST(why.retrievers.size() == 2U);
  BOOST_TEST(why.fused == std::sqrt(0.5) + 0.2, within);
  BOOST_TEST(why.factors.at(0) == 2.0);
  BOOST_TEST(why.raw == hits[0].score);
  BOOST_TEST(!why.features.has_value());
}

BOOST_AUTO_TEST_CASE(relationships_lead_to_what_passes_and_the_heaviest_is_first) {
  search.retrievers = {VectorRetriever{.index = "v", .vector = {1, 0}, .min_score = 0.8}};
  BOOST_TEST(find().hits.at(0).relationships.empty());
  search.relationships = HitRelationships{};
  const auto hits = find().hits;
  BOOST_REQUIRE(hits.at(0).relationships.size() == 2U);
  BOOST_TEST((hits[0].relationships[0].property("weight") == Value(0.9)));
  search.relationships = HitRelationships{{"LIKES"}};
  BOOST_TEST(find().hits.at(0).relationships.empty());
}

BOOST_AUTO_TEST_CASE(nothing_to_search_by_finds_nothing) {
  BOOST_TEST(found().empty());
  search.retrievers = {TextRetriever{.index = "t", .text = ""}};
  BOOST_TEST(found().empty());
  search.filter = Filter::where("usr", FilterOperator::equals, 1);
  BOOST_TEST(find().warnings.at(0).find("usr") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_cannot_work_is_refused) {
  search.retrievers = {VectorRetriever{.index = "nothing", .vector = {1, 0}}};
  BOOST_TEST((error().code == ErrorCode::not_found));
  search.retrievers = {VectorRetriever{.index = "t", .vector = {1, 0}}};
  BOOST_TEST((error().code == ErrorCode::invalid_argument));
  search.retrievers = {VectorRetriever{.index = "v", .vector = {1, 0, 0}}};
  BOOST_TEST((error().code == ErrorCode::invalid_argument));
  search.retrievers = {VectorRetriever{.index = "said", .vector = {1, 0}}};
  BOOST_TEST((error().code == ErrorCode::invalid_argument));
  search.retrievers = {VectorRetriever{
      .index = "v", .vector = {1, 0}, .min_score = std::numeric_limits<double>::quiet_NaN()}};
  BOOST_TEST((error().code == ErrorCode::invalid_argument));
  search.retrievers = {GraphRetriever{}};
  BOOST_TEST((error().code == ErrorCode::invalid_argument));
  search.retrievers = {
      GivenRetriever{RetrieverKind::keyword, {{id("a"), std::numeric_limits<double>::infinity()}}}};
  BOOST_TEST((error().code == ErrorCode::invalid_argument));
  search.retrievers = {TextRetriever{.index = "t", .text = "tea"}};
  search.filter = Filter::where("a.", FilterOperator::exists);
  BOOST_TEST((error().code == ErrorCode::invalid_argument));
}

BOOST_AUTO_TEST_CASE(an_index_of_texts_is_found_by_what_it_holds) {
  const Snapshot snapshot = must(database->snapshot());
  BOOST_TEST(must(full_text_indexes(snapshot, "Memory", "text")).size() == 1U);
  BOOST_TEST(must(full_text_indexes(snapshot, "Memory", "text")).at(0) == "t");
  BOOST_TEST(must(full_text_indexes(snapshot, "Memory", "name")).empty());
  BOOST_TEST(must(full_text_indexes(snapshot, "Note", "text")).empty());
  BOOST_TEST(must(full_text_indexes(snapshot, "Nothing", "text")).empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
