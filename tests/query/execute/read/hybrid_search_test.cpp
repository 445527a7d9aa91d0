// Hybrid searches by statement: which variables bind, what is explained, what is refused, and the
// recall classes of a vector search.

#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <cairn/filter.hpp>

#include <boost/test/unit_test.hpp>

namespace cairn::test {
namespace {

struct Fixture {
  TemporaryDatabase database;

  Fixture() {
    run_all(*database,
            {"CREATE VECTOR INDEX v FOR (m:Memory) ON (m.v) OPTIONS {indexConfig: "
             "{`vector.dimensions`: 2, `vector.similarity_function`: 'cosine'}}",
             "CREATE FULLTEXT INDEX t FOR (m:Memory) ON EACH [m.text]",
             "CREATE (a:Memory {n: 1, user: 'ada', v: [1.0, 0.0], text: 'green tea'})"
             "-[:NEXT]->(b:Memory {n: 2, user: 'bob', v: [0.9, 0.1], text: 'tea again'})"
             "-[:NEXT]->(c:Memory {n: 3, user: 'ada', text: 'a lamp'}), "
             "(d:Memory {n: 4, user: 'ada', v: [0.0, 1.0], text: 'rain'})-[:NEXT]->"
             "(e:Memory {n: 5, user: 'ada', text: 'oak'}), (f:Other {n: 6, text: 'tea'}), "
             "(a)-[:NEXT]->(f)"});
  }
  /// A statement with `inside` as the search between the brackets.
  [[nodiscard]] static std::string search(const std::string& inside,
                                          const std::string& back = "m.n") {
    return "MATCH (m:Memory) SEARCH m IN (" + inside + ") SCORE AS s BREAKDOWN AS p RETURN " + back;
  }
  std::string result(const std::string& inside, const std::string& back = "m.n") {
    return result_of(*database, search(inside, back));
  }
  std::string refusal(const std::string& inside) {
    return error_of(*database, search(inside)).message;
  }
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

const std::string vectors = "VECTOR INDEX v FOR [1.0, 0.0]";
const std::string texts = "FULLTEXT INDEX t FOR 'tea'";

}  // namespace

BOOST_FIXTURE_TEST_SUITE(hybrid_search, Fixture)

BOOST_AUTO_TEST_CASE(retrievers_become_one_ranking) {
  BOOST_TEST(result("HYBRID " + vectors + ", FULLTEXT INDEX t FOR 'rain' WEIGHT 0 LIMIT 2") ==
             "1; 2");
  BOOST_TEST(result("HYBRID " + vectors + " WEIGHT 0.1, FULLTEXT INDEX t FOR 'rain' LIMIT 1") ==
             "4");
  BOOST_TEST(result("HYBRID " + vectors + ", " + texts + " FUSE RRF(60) LIMIT 1",
                    "m.n, s = 1.0 / 61") == "1 | true");
  BOOST_TEST(result("HYBRID " + vectors + ", " + texts + " FUSE min_max LIMIT 1",
                    "m.n, s > 0.9 AND s <= 1") == "1 | true");
}

// The filter applies to every retriever, and to every step along the graph.
BOOST_AUTO_TEST_CASE(the_filter_binds_before_every_retriever) {
  const std::string around = ", GRAPH (m)-[:NEXT*1..2]-() ";
  BOOST_TEST(result("HYBRID " + vectors + ", " + texts + around + "LIMIT 9") == "1; 2; 3; 4; 5");
  // Node 3 is two steps from node 1, but the path visits bob's node 2.
  BOOST_TEST(result("HYBRID " + texts + around + "WHERE m.user = 'ada' LIMIT 9") == "1");
  BOOST_TEST(result("HYBRID FULLTEXT INDEX t FOR 'rain'" + around +
                    "WHERE m.user = 'ada' LIMIT 9") == "4; 5");
  BOOST_TEST(result("HYBRID FULLTEXT INDEX t FOR 'again'" + around + "WHERE m.n <> 2 LIMIT 9") ==
             "");
  BOOST_TEST(result("HYBRID " + vectors + ", " + texts + around +
                    "WHERE NOT m.user = 'ada' AND EXISTS { (m)--() } LIMIT 9") == "2");
}

BOOST_AUTO_TEST_CASE(what_no_index_covers_is_not_reached) {
  BOOST_TEST(sorted_rows(*database,
                         "MATCH (m) SEARCH m IN (HYBRID FULLTEXT INDEX t FOR 'green', GRAPH "
                         "(m)--() LIMIT 9) RETURN m.n") == (std::vector<std::string>{"1", "2"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_retriever_by_the_graph_may_start_from_a_bound_node) {
  const std::string walk =
      "SEARCH m IN (HYBRID FULLTEXT INDEX t FOR 'oak' WEIGHT 0.1, GRAPH "
      "(m)-[:NEXT*1..2]-(o) LIMIT 9) RETURN m.n";
  BOOST_TEST(result_of(*database, "MATCH (o:Other) MATCH (m:Memory) " + walk) == "1; 2; 5");
  BOOST_TEST(result_of(*database, "OPTIONAL MATCH (o:None) MATCH (m:Memory) " + walk) == "5");
  BOOST_TEST(result_of(*database,
                       "MATCH (o:Other) MATCH (m:Memory) SEARCH m IN (HYBRID GRAPH (m)<--(o), "
                       "GRAPH (m)-->(o) LIMIT 9) RETURN m.n") == "1");
  BOOST_TEST(result_of(*database,
                       "MATCH (o:Other) SET o@expires_at = datetime('1970-01-01T00:00:00Z') WITH o "
                       "MATCH (m:Memory) " +
                           walk) == "5");
}

BOOST_AUTO_TEST_CASE(parts_say_what_each_retriever_gave) {
  BOOST_TEST(result("HYBRID " + vectors + " WEIGHT 3, " + texts +
                        ", GRAPH (m)-[:NEXT]-() FUSE RRF "
                        "LIMIT 1",
                    "[part IN p | part.retriever], p[0].index, p[0].rank, p[0].score, "
                    "p[0].share = 3.0 / 5 / 61, p[2].index") ==
             "['vector', 'text', 'graph'] | 'v' | 1 | 1.0 | true | null");
  BOOST_TEST(result("HYBRID " + vectors + ", FULLTEXT INDEX t FOR 'rain' FUSE RRF LIMIT 1",
                    "p[1].rank, m.n, p[0].rank") == "1 | 4 | 3");
  BOOST_TEST(result("HYBRID " + vectors + ", FULLTEXT INDEX t FOR 'green' LIMIT 9",
                    "m.n, p[1].rank, p[1].score IS NULL") ==
             "1 | 1 | false; 2 | null | true; "
             "4 | null | true");
  BOOST_TEST(result(vectors + " LIMIT 1", "p[0].retriever, p[0].rank, p[0].share = s") ==
             "'vector' | 1 | true");
}

BOOST_AUTO_TEST_CASE(equal_scores_are_ordered_by_id) {
  run_all(*database, {"UNWIND range(1, 6) AS i CREATE (:Memory {n: 100 + i, v: [0.5, 0.5], "
                      "text: 'same words'})"});
  for (const std::string fusion : {"ZSCORE", "MAX_NORM", "MIN_MAX"})
    BOOST_TEST(result("HYBRID VECTOR INDEX v FOR [1.0, 1.0], FULLTEXT INDEX t FOR 'same' FUSE " +
                      fusion + " LIMIT 4") == "101; 102; 103; 104");
}

BOOST_AUTO_TEST_CASE(a_retriever_without_a_question_brings_nothing) {
  BOOST_TEST(result("HYBRID VECTOR INDEX v FOR null, " + texts + " LIMIT 9") == "1; 2");
  BOOST_TEST(result("HYBRID VECTOR INDEX v FOR null, FULLTEXT INDEX t FOR null LIMIT 9") == "");
  BOOST_TEST(result("HYBRID " + vectors + ", " + texts + " LIMIT 0") == "");
}

BOOST_AUTO_TEST_CASE(relationships_are_found_by_retrievers_of_their_indexes) {
  run_all(*database, {"CREATE FULLTEXT INDEX said FOR ()-[r:SAID]-() ON EACH [r.a]",
                      "CREATE FULLTEXT INDEX told FOR ()-[r:SAID]-() ON EACH [r.b]",
                      "CREATE (:X)-[:SAID {a: 'tea', b: 'cup'}]->(:X)-[:SAID {a: 'tea'}]->(:X)"});
  const std::string retrievers = "SEARCH r IN (HYBRID FULLTEXT INDEX said FOR 'tea', ";
  BOOST_TEST(result_of(*database, "MATCH ()-[r]->() " + retrievers +
                                      "FULLTEXT INDEX told FOR 'cup' LIMIT 1) RETURN r.b") ==
             "'cup'");
  const Error error = error_of(*database, "MATCH ()-[r]->() " + retrievers +
                                              "FULLTEXT INDEX t FOR 'cup' LIMIT 1) RETURN r.b");
  BOOST_TEST(has(error.message, "`r` is a relationship, index \"t\" is of nodes"), error.message);
}

// Hits are ids, and node 1 is not relationship 1: a hit of one kind must not find or delete a
// record of the other.
BOOST_AUTO_TEST_CASE(an_index_of_the_other_kind_is_refused_by_every_retriever) {
  run_all(*database, {"CREATE FULLTEXT INDEX rt FOR ()-[r:SAID]-() ON EACH [r.a]",
                      "CREATE VECTOR INDEX rv FOR ()-[r:SAID]-() ON (r.v) OPTIONS {indexConfig: "
                      "{`vector.dimensions`: 2}}",
                      "CREATE (:X)-[:SAID {a: 'tea', v: [1.0, 0.0]}]->(:X)"});
  const std::string of_texts = "FULLTEXT INDEX rt FOR 'tea'";
  const std::string of_vectors = "VECTOR INDEX rv FOR [1.0, 0.0]";
  const std::string by_recall = "RANKED INDEX rt FOR 'tea'";
  const auto refused = [&](const std::string& statement, const std::string& part) {
    const Error error = error_of(*database, statement);
    BOOST_TEST((error.code == ErrorCode::invalid_argument), statement);
    BOOST_TEST(has(error.message, part), statement << ": " << error.message);
  };
  for (const std::string& inside :
       {of_texts, of_vectors, by_recall, "HYBRID " + vectors + ", " + of_texts,
        "HYBRID " + of_vectors + ", " + texts, "HYBRID " + of_texts + ", " + of_vectors,
        "HYBRID " + texts + ", " + by_recall, "HYBRID " + of_texts + ", GRAPH (m)--()"}) {
    const std::string find = "MATCH (m) SEARCH m IN (" + inside + " LIMIT 3) ";
    refused(find + "RETURN m", "`m` is a node, index \"r");
    refused(find + "DETACH DELETE m", "is of relationships");
    refused(find + "RETURN m", "of nodes");
  }
  for (const std::string& inside :
       {texts, vectors, std::string("RANKED INDEX t FOR 'tea'"), by_recall,
        "HYBRID " + of_texts + ", " + vectors, "HYBRID " + of_texts + ", " + by_recall,
        "HYBRID " + of_texts + ", GRAPH (r)--()"}) {
    const std::string find = "MATCH ()-[r]->() SEARCH r IN (" + inside + " LIMIT 3) RETURN r";
    refused(find, "`r` is a relationship, ");
    refused(find, ": MATCH (n) SEARCH n");
  }
  BOOST_TEST(result_of(*database, "MATCH ()-[r:SAID]->() RETURN count(r)") == "1");
  BOOST_TEST(result_of(*database, "MATCH ()-[r]->() SEARCH r IN (HYBRID " + of_texts + ", " +
                                      of_vectors + " LIMIT 3) RETURN r.a") == "'tea'");
}

BOOST_AUTO_TEST_CASE(a_retriever_by_recall_takes_the_features_that_the_call_takes) {
  const std::string features =
      "hops: 1, group_weight: 0, boosts: [{filter: {field: 'n', operator: "
      "'equals', value: 2}, weight: 4}]";
  const auto by_retriever = [&](const std::string& retriever) {
    return result_of(*database, Fixture::search(retriever + " LIMIT 9", "m.n, s"));
  };
  BOOST_TEST(by_retriever("RANKED INDEX t FOR {question: 'tea cup', " + features + "}") ==
             result_of(*database, "CALL db.recall('tea cup', {limit: 9, " + features +
                                      "}) YIELD node, score RETURN node.n, score"));
  BOOST_TEST(by_retriever("RANKED INDEX t FOR {question: 'tea cup'}") ==
             by_retriever("RANKED INDEX t FOR 'tea cup'"));
  BOOST_TEST(by_retriever("RANKED INDEX t FOR {question: 'tea cup', " + features + "}") !=
             by_retriever("RANKED INDEX t FOR 'tea cup'"));
  BOOST_TEST(by_retriever("RANKED INDEX t FOR {question: null}").empty());
  for (const auto& [given, wanted] : std::vector<std::pair<std::string, std::string>>{
           {"{hops: 1}", "question"},
           {"{question: 'tea', limit: 3}", "LIMIT"},
           {"{question: 'tea', filter: {}}", "WHERE"},
           {"{question: 'tea', index: 't'}", "RANKED INDEX name"},
           {"{question: 'tea', hop: 1}", "`hops`"},
           {"{question: 1}", "a string"}}) {
    const Error error =
        error_of(*database, Fixture::search("RANKED INDEX t FOR " + given + " LIMIT 3"));
    BOOST_TEST(error.message.find(wanted) != std::string::npos, error.message);
    BOOST_TEST(error.where.has_value());
  }
}

// RANKED INDEX searches like db.recall(), under the filter of the search.
BOOST_AUTO_TEST_CASE(recall_is_a_retriever) {
  const std::string call =
      "CALL db.recall('tea cup', {limit: 9, filter: $f}) YIELD node, score "
      "RETURN node.n, score";
  const std::string search =
      "MATCH (m:Memory) SEARCH m IN (RANKED INDEX t FOR 'tea cup' WHERE matches_filter(m, $f) "
      "LIMIT 9) SCORE AS s RETURN m.n, s";
  for (const std::string user : {"ada", "bob"}) {
    const Parameters filter = {
        {"f", to_value(Filter::where("user", FilterOperator::equals, user))}};
    BOOST_TEST(!result_of(*database, search, filter).empty());
    BOOST_TEST(result_of(*database, search, filter) == result_of(*database, call, filter));
  }
  BOOST_TEST(result("HYBRID RANKED INDEX t FOR 'green' WEIGHT 9, " + vectors + " LIMIT 3",
                    "m.n, p[0].retriever, p[0].rank") ==
             "1 | 'recall' | 1; 2 | 'recall' | 2; 3 | 'recall' | 3");
  BOOST_TEST(has(plan_of(*database, "EXPLAIN " + Fixture::search("RANKED INDEX t FOR 'x' LIMIT 3")),
                 "SearchRanked m in t limit 3"));
  BOOST_TEST(has(refusal("RANKED INDEX v FOR 'x' LIMIT 1"), "is not a full-text index"));
  BOOST_TEST(has(refusal("RANKED INDEX t FOR 'x' EXACT LIMIT 1"), "no options"));
}

// Shares of the best score show the default weights: 1 for a retriever, 3 for recall.
BOOST_AUTO_TEST_CASE(weights_that_are_not_given_are_of_the_kind_of_retriever) {
  const std::string shares = "m.n, abs(p[0].share - 0.25) < 1e-9, abs(p[1].share - 0.75) < 1e-9";
  const std::string recall = "RANKED INDEX t FOR 'green tea'";
  for (const std::string weights : {"", " WEIGHT 3"})
    BOOST_TEST(result("HYBRID " + vectors + ", " + recall + weights + " LIMIT 1", shares) ==
               "1 | true | true");
  BOOST_TEST(result("HYBRID " + vectors + ", " + recall + " WEIGHT 1 LIMIT 1", "p[1].share") ==
             "0.5");
  BOOST_TEST(result("HYBRID " + vectors + ", " + texts + " FUSE max_norm LIMIT 1", "p[1].share") ==
             "0.5");
}

BOOST_AUTO_TEST_CASE(weights_and_numbers_are_checked) {
  BOOST_TEST(
      has(refusal("HYBRID " + vectors + " WEIGHT -1, " + texts + " LIMIT 1"), "not negative"));
  BOOST_TEST(
      has(refusal("HYBRID " + vectors + " WEIGHT 'much', " + texts + " LIMIT 1"), "a number"));
  BOOST_TEST(
      has(refusal("HYBRID " + vectors + " WEIGHT 0, " + texts + " WEIGHT 0 LIMIT 1"), "all 0"));
  BOOST_TEST(has(refusal("HYBRID " + vectors + ", " + texts + " FUSE RRF(-1) LIMIT 1"), "RRF"));
  BOOST_TEST(
      has(refusal("HYBRID " + vectors + ", " + texts + " CANDIDATES -1 LIMIT 1"), "CANDIDATES"));
  BOOST_TEST(has(refusal("HYBRID " + vectors + ", " + texts + " CANDIDATES 0 LIMIT 1"),
                 "CANDIDATES must be 1"));
  BOOST_TEST(has(refusal(vectors + " EF 0 LIMIT 1"), "EF must be 1 or more"));
  BOOST_TEST(has(refusal(vectors + " EF -3 LIMIT 1"), "EF must not be negative"));
  BOOST_TEST(has(refusal("HYBRID VECTOR INDEX w FOR [1.0], " + texts + " LIMIT 1"), "\"w\""));
  BOOST_TEST(has(refusal("HYBRID VECTOR INDEX v FOR [1.0], " + texts + " LIMIT 1"), "has 1"));
}

BOOST_AUTO_TEST_CASE(plans_and_profiles_show_every_retriever) {
  const std::string inside = "HYBRID " + vectors + " ACCURACY high WEIGHT 0.6, " + texts +
                             " WEIGHT 0.2, GRAPH (m)-[:NEXT*1..2]-() WEIGHT 0.2 "
                             "WHERE m.user = 'ada' LIMIT 2";
  const std::string plan = plan_of(*database, "EXPLAIN " + search(inside));
  for (const std::string part : {"SearchHybrid m by max norm limit 2",
                                 "+ vectors in v for [1.0, 0.0] accuracy high, weight 0.6",
                                 "+ texts in t for 'tea', weight 0.2",
                                 "+ graph (m)-[:NEXT*1..2]-(), weight 0.2", "m.user = 'ada'"})
    BOOST_TEST(has(plan, part), plan);
  const std::string profile = plan_of(*database, "PROFILE " + search(inside));
  BOOST_TEST(has(profile, "weight 0.2 (2 seeds)"), profile);
}

BOOST_AUTO_TEST_CASE(classes_of_recall_are_taken_and_shown) {
  for (const std::string word : {"fast", "default", "HIGH", "exact"})
    BOOST_TEST(result(vectors + " WHERE m.n > 0 ACCURACY " + word + " LIMIT 2") == "1; 2");
  BOOST_TEST(result(vectors + " ACCURACY fast LIMIT 2") == "1; 2");
  const auto plan = [&](const std::string& way) {
    return plan_of(*database, "EXPLAIN " + search(vectors + way + " LIMIT 2"));
  };
  BOOST_TEST(has(plan(" ACCURACY fast"), "in v accuracy fast limit 2"), plan(" ACCURACY fast"));
  BOOST_TEST(has(plan(" ACCURACY exact"), "in v exactly limit 2"));
  BOOST_TEST(has(plan(" EF 50"), "in v ef 50 limit 2"));
}

BOOST_AUTO_TEST_CASE(changes_of_the_same_transaction_are_found_by_every_retriever) {
  Transaction transaction = must(database->begin());
  must(must(Statement::parse("CREATE (:Memory {n: 9, user: 'eve', v: [1.0, 0.0], text: 'tea'})"
                             "-[:NEXT]->(:Memory {n: 10, user: 'eve', text: 'cup'})")
                ->run(transaction))
           .all());
  const auto find = must(Statement::parse(
      search("HYBRID " + vectors + ", " + texts + ", GRAPH (m)--() WHERE m.user = 'eve' LIMIT 9")));
  const auto rows = must(must(find.run(transaction)).all());
  BOOST_REQUIRE_EQUAL(rows.size(), 2U);
  BOOST_TEST(rows[0][0].as_integer() == 9);
  BOOST_TEST(rows[1][0].as_integer() == 10);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
