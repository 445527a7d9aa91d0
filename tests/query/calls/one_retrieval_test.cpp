// One retrieval: the same request returns the same hits with the same scores, by whichever call it is made.
#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <cairn/hybrid_search.hpp>
#include <cairn/memory/memory.hpp>
#include <cairn/memory/recall.hpp>
#include <cairn/recall.hpp>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <sstream>

namespace cairn::test {
namespace {

/// 600 memories. The vector index and the texts order them differently, and every fifth has no vector. So the lists of
/// candidates are cut, and each has records that the other lacks.
struct OneRequest {
  TemporaryDatabase database;
  HybridSearch search;
  const std::vector<float> vector = {0.6F, 0.8F};
  const std::string text = "green tea";

  OneRequest() {
    run_all(
        *database,
        {"CREATE VECTOR INDEX v FOR (m:Memory) ON (m.v) OPTIONS {indexConfig: "
         "{`vector.dimensions`: 2, `vector.similarity_function`: 'cosine'}}",
         "CREATE FULLTEXT INDEX t FOR (m:Memory) ON EACH [m.content]",
         "UNWIND range(0, 599) AS i CREATE (m:Memory {n: i, user: i % 3, content: "
         "CASE i % 7 WHEN 0 THEN 'green tea' WHEN 1 THEN 'tea ' WHEN 2 THEN 'green lamp' "
         "ELSE 'rain' END + ' and ' + reduce(t = '', x IN range(0, i % 11) | t + ' word' + x)}) "
         "FOREACH (x IN CASE i % 5 WHEN 0 THEN [] ELSE [1] END | "
         "SET m.v = [cos(i * 0.011), sin(i * 0.011)])"});
    search.filter = Filter::where("user", FilterOperator::in, List{0, 1});
  }

  [[nodiscard]] RankedRetriever ranked() const {
    RankedRetriever made{text, {}};
    made.options.index = "t";
    return made;
  }
  /// "17 0.918273; ...": ids and scores, best first.
  static void add(std::ostringstream& out, std::int64_t id, double score) {
    out << id << ' ' << std::round(1e9 * score) / 1e9 << "; ";
  }
  static std::string shown(const std::vector<Hit>& hits) {
    std::ostringstream out;
    for (const Hit& hit : hits) add(out, static_cast<std::int64_t>(hit.id), hit.score);
    return out.str();
  }
  std::string by_call(std::vector<HybridRetriever> retrievers) {
    search.retrievers = std::move(retrievers);
    return shown(must(hybrid_search(must(database->snapshot()), search)).hits);
  }
  /// The rows of a statement that returns ids and scores.
  std::string by_statement(const std::string& statement) {
    std::ostringstream out;
    Rows rows = must(execute(*database, statement, {{"v", Vector(vector)}, {"t", text}}));
    for (const auto& row : must(rows.all())) add(out, row[0].as_integer(), row[1].as_float());
    return out.str();
  }
  std::string by_search(const std::string& retrievers, const std::string& fusion = "") {
    return by_statement("MATCH (m:Memory) SEARCH m IN (" + retrievers + fusion +
                        " WHERE m.user IN [0, 1] LIMIT 10) SCORE AS s RETURN id(m), s");
  }
};

const std::string vectors = "VECTOR INDEX v FOR $v";
const std::string texts = "FULLTEXT INDEX t FOR $t PLAIN";
const std::string recalled = "RANKED INDEX t FOR $t";

}  // namespace

BOOST_FIXTURE_TEST_SUITE(one_retrieval, OneRequest)

BOOST_AUTO_TEST_CASE(calls_and_statements_fuse_alike_by_default) {
  const VectorRetriever near{.index = "v", .vector = vector};
  const TextRetriever worded{.index = "t", .text = text};
  const std::string both = by_call({near, worded});
  BOOST_TEST(both == by_search("HYBRID " + vectors + ", " + texts));
  BOOST_TEST(both == by_search("HYBRID " + vectors + ", " + texts, " FUSE MAX_NORM"));
  BOOST_TEST(by_call({near, ranked()}) == by_search("HYBRID " + vectors + ", " + recalled));
  BOOST_TEST(by_call({worded, near, ranked()}) ==
             by_search("HYBRID " + texts + ", " + vectors + ", " + recalled));
  search.limit = 70;
  BOOST_TEST(by_call({near, worded}).starts_with(both.substr(0, both.find(';'))));
}

BOOST_AUTO_TEST_CASE(calls_and_statements_fuse_alike_by_each_rule) {
  const std::vector<std::pair<Fusion::Kind, std::string>> rules = {
      {Fusion::Kind::z_score, "ZSCORE"},
      {Fusion::Kind::min_max, "MIN_MAX"},
      {Fusion::Kind::reciprocal_rank, "RRF"}};
  search.ranking.highest_score = std::nullopt;  // z-scores are larger
  for (const auto& [kind, name] : rules) {
    search.ranking.fusion.kind = kind;
    BOOST_TEST(by_call({VectorRetriever{.index = "v", .vector = vector}, ranked()}) ==
                   by_search("HYBRID " + vectors + ", " + recalled, " FUSE " + name),
               name);
  }
}

// The shares of an explanation add up, also those of records that a retriever did not find.
BOOST_AUTO_TEST_CASE(explanations_add_up_to_the_fused_score) {
  search.retrievers = {VectorRetriever{.index = "v", .vector = vector},
                       TextRetriever{.index = "t", .text = text}};
  search.limit = 200;
  bool has_one = false;
  for (const Hit& hit : must(hybrid_search(must(database->snapshot()), search)).hits) {
    double sum = 0;
    for (const RetrieverShare& share : hit.explanation->retrievers) sum += share.share;
    BOOST_TEST(sum == hit.explanation->fused, boost::test_tools::tolerance(1e-9));
    has_one = has_one || hit.explanation->retrievers.size() == 1;
  }
  BOOST_TEST(has_one);
}

// A ranked index alone needs no fusion: its scores are those of recall everywhere.
BOOST_AUTO_TEST_CASE(recall_is_the_same_by_every_call) {
  RecallOptions options;
  options.index = "t";
  options.filter = search.filter;
  const std::string expected = shown(must(recall(must(database->snapshot()), text, options)));
  BOOST_TEST(!expected.empty());
  BOOST_TEST(by_call({ranked()}) == expected);
  BOOST_TEST(by_search(recalled) == expected);
  BOOST_TEST(by_statement("CALL db.recall($t, {index: 't', filter: {field: 'user', operator: 'in', "
                          "value: [0, 1]}}) "
                          "YIELD node, score RETURN id(node), score") == expected);
  memory::Memory memory = must(memory::Memory::open(*database));
  memory::RecallRequest request;
  request.query = text;
  request.scope.filter = search.filter;
  BOOST_TEST(shown(must(memory.recall(request)).hits) == expected);
}

// The vector retriever has no share in a hit whose vector is below the minimum.
BOOST_AUTO_TEST_CASE(a_least_score_adds_nothing_to_what_it_drops) {
  search.retrievers = {VectorRetriever{.index = "v", .vector = vector, .min_score = 0.99},
                       TextRetriever{.index = "t", .text = text}};
  search.limit = 200;
  std::size_t dropped = 0;
  for (const Hit& hit : must(hybrid_search(must(database->snapshot()), search)).hits) {
    for (const RetrieverShare& share : hit.explanation->retrievers)
      BOOST_TEST((share.retriever != RetrieverKind::vector || share.score >= 0.99));
    if (hit.explanation->retrievers.front().retriever == RetrieverKind::text) ++dropped;
  }
  BOOST_TEST(dropped > 0U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
