// Vector search by calls and by statements, with one query vector and with many. All give the same results as comparing
// all records.
#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <cairn/vector_search.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <random>
#include <sstream>

namespace cairn::test {
namespace {

using Floats = std::vector<float>;

/// 700 nodes on half a circle, each with its group, and 60 relationships.
struct Fixture {
  TemporaryDatabase database;

  Fixture() {
    const std::string options =
        " OPTIONS {indexConfig: {`vector.dimensions`: 2, `vector.similarity_function`: 'cosine'}}";
    run_all(*database, {"CREATE VECTOR INDEX v FOR (m:Memory) ON (m.v)" + options,
                        "CREATE VECTOR INDEX said FOR ()-[r:SAID]-() ON (r.v)" + options,
                        "CREATE VECTOR INDEX far FOR (m:Memory) ON (m.w) OPTIONS {indexConfig: "
                        "{`vector.dimensions`: 2, `vector.similarity_function`: 'euclidean'}}",
                        "CREATE FULLTEXT INDEX t FOR (m:Memory) ON EACH [m.text]",
                        "UNWIND range(0, 699) AS i CREATE (:Memory {n: i, g: i % 7, text: 'tea', "
                        "v: [cos(i * 0.004), sin(i * 0.004)], w: [toFloat(i), 0.0]})",
                        "UNWIND range(0, 59) AS i MATCH (m:Memory {n: i}) "
                        "CREATE (m)-[:SAID {n: i, v: [cos(i * 0.05), sin(i * 0.05)]}]->(m)"});
  }

  VectorHits search(const Floats& question, const VectorSearchOptions& options,
                    std::string_view index = "v") {
    return must(search_vectors(must(database->snapshot()), index, question, options));
  }
  Error error(const VectorSearchOptions& options, const Floats& question = {1, 0},
              std::string_view index = "v") {
    const auto found = search_vectors(must(database->snapshot()), index, question, options);
    return found ? Error{ErrorCode::corruption, "no error", {}} : found.error();
  }
  /// `n` of the hits.
  std::string names(const VectorHits& found) {
    List ids;
    for (const Hit& hit : found.hits) ids.push_back(static_cast<std::int64_t>(hit.id));
    return result_of(*database, "UNWIND $ids AS id MATCH (m:Memory) WHERE id(m) = id RETURN m.n",
                     {{"ids", ids}});
  }
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

bool same(const VectorHits& a, const VectorHits& b) {
  return a.executor == b.executor &&
         std::ranges::equal(a.hits, b.hits, [](const Hit& x, const Hit& y) {
           return x.id == y.id && x.score == y.score;
         });
}

/// Returns the statements of the examples that follow a headline in LANGUAGE.md.
std::vector<std::string> examples_behind(const std::string& headline) {
  std::ostringstream page;
  page << std::ifstream(CAIRN_LANGUAGE_PAGE).rdbuf();
  const std::string text = page.str(), opening = "```cypher\n";
  const auto begin = text.find(opening, text.find(headline)) + opening.size();
  std::istringstream block(text.substr(begin, text.find("```", begin) - begin));
  std::vector<std::string> statements;
  for (std::string one; std::getline(block, one, ';');) statements.push_back(one);
  return statements;
}

Filter in_group(int group) { return Filter::where("g", FilterOperator::equals, group); }

}  // namespace

BOOST_FIXTURE_TEST_SUITE(search_vectors_calls, Fixture)

BOOST_AUTO_TEST_CASE(the_filter_binds_before_the_search) {
  VectorSearchOptions options;
  options.k = 3;
  options.filter = in_group(3);
  BOOST_TEST(names(search({1, 0}, options)) == "3; 10; 17");
  options.allowed_ids = std::vector<std::uint64_t>{1, 2, 3};
  BOOST_TEST(search({1, 0}, options).hits.empty());
  options.filter = {};
  BOOST_TEST(search({1, 0}, options).hits.size() == 3u);
}

BOOST_AUTO_TEST_CASE(all_within_a_distance_are_those_that_vector_distance_finds) {
  for (const auto& [index, property, metric, distance] :
       {std::tuple{"v", "v", "COSINE", 0.25}, std::tuple{"far", "w", "EUCLIDEAN", 25.0}}) {
    const auto found = search({1, 0}, {.k = VectorSearchOptions::all, .within = distance}, index);
    const std::string counted =
        result_of(*database, std::string("MATCH (m:Memory) WHERE vector_distance(m.") + property +
                                 ", [1.0, 0.0], '" + metric + "') <= " + std::to_string(distance) +
                                 " RETURN count(m)");
    BOOST_TEST(std::to_string(found.hits.size()) == counted);
    BOOST_TEST(found.hits.size() > 20u);
    BOOST_TEST((found.executor == VectorExecutor::exact));
    BOOST_TEST(result_of(*database, std::string("MATCH (m:Memory) SEARCH m IN (VECTOR INDEX ") +
                                        index + " FOR [1.0, 0.0] WITHIN " +
                                        std::to_string(distance) + ") RETURN count(m)") == counted);
  }
}

// What vector_distance() says of a vector of 32 bits is the number that the index goes by.
BOOST_AUTO_TEST_CASE(a_vector_lies_within_its_own_distance) {
  std::mt19937 random(5);
  std::normal_distribution<float> normal;
  const auto vector = [&] {
    Floats components(37);
    for (float& component : components) component = normal(random);
    return Value(Vector(std::move(components)));
  };
  for (const std::string metric : {"euclidean", "dot_product"}) {
    TemporaryDatabase near;
    run_all(*near, {"CREATE VECTOR INDEX e FOR (m:M) ON (m.e) OPTIONS {indexConfig: "
                    "{`vector.dimensions`: 37, `vector.similarity_function`: '" +
                    metric + "'}}"});
    Transaction transaction = must(near->begin());
    for (std::int64_t n = 0; n < 200; ++n)
      must(transaction.create_node({{"M"}, {{"n", n}, {"e", vector()}}, ""}));
    must(transaction.commit());
    const std::string name = metric == "euclidean" ? "EUCLIDEAN" : "DOT";
    BOOST_TEST(result_of(*near,
                         "MATCH (x:M) WITH x, vector_distance(x.e, $q, '" + name +
                             "') AS d MATCH (m:M) SEARCH m IN (VECTOR INDEX e FOR $q "
                             "WHERE m.n = x.n WITHIN d) RETURN count(m)",
                         {{"q", vector()}}) == "200",
               metric);
  }
}

BOOST_AUTO_TEST_CASE(many_questions_are_answered_like_each_alone) {
  const std::uint64_t seed = 91;
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<VectorQuestion> questions;
  for (std::size_t i = 0; i < 150; ++i)
    questions.push_back({{normal(random), normal(random)}, i % 3 == 0 ? 40 + i : 0});
  VectorSearchOptions options;
  options.filter = in_group(2);
  for (const VectorAccuracy recall : {VectorAccuracy::standard, VectorAccuracy::exact}) {
    options.accuracy = recall;
    const Snapshot snapshot = must(database->snapshot());
    const auto together = must(search_vectors(snapshot, "v", questions, options));
    BOOST_TEST_REQUIRE(together.size() == questions.size());
    for (std::size_t i = 0; i < questions.size(); ++i) {
      VectorSearchOptions one = options;
      one.ef_search = questions[i].ef_search;
      BOOST_TEST(same(together[i], search(questions[i].vector, one)),
                 "seed " << seed << ", question " << i);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_transaction_searches_what_it_changed) {
  Transaction transaction = must(database->begin());
  const auto ids = search({1, 0}, {.k = 2}).hits;
  must(transaction.set_property(NodeId{ids[0].id}, "v", Vector({0, -1})));
  const NodeId made = must(
      transaction.create_node({{"Memory"}, {{"n", 1'000}, {"g", 0}, {"v", Vector({1, 0.0001F})}}}));
  const std::vector<VectorQuestion> questions = {{{1, 0}, 0}, {{0, -1}, 0}};
  VectorSearchOptions options = {.k = 2, .min_score = 0.9};
  const auto found = must(search_vectors(transaction, "v", questions, options));
  BOOST_TEST(found[0].hits[0].id == made.value);
  BOOST_TEST(found[0].hits[1].id == ids[1].id);
  BOOST_TEST_REQUIRE(found[1].hits.size() == 1u);
  BOOST_TEST(found[1].hits[0].id == ids[0].id);
  options = {.k = VectorSearchOptions::all, .within = 1e-7};
  const auto near = must(search_vectors(transaction, "v", Floats{1, 0}, options));
  BOOST_TEST(near.hits.size() == 1u);
  options.filter = in_group(3);
  BOOST_TEST(must(search_vectors(transaction, "v", Floats{1, 0}, options)).hits.empty());
  transaction.rollback();
  const auto ended = search_vectors(transaction, "v", Floats{1, 0}, {});
  BOOST_TEST_REQUIRE(!ended.has_value());
  BOOST_TEST((ended.error().code == ErrorCode::conflict));
  BOOST_TEST(!search_vectors(transaction, "v", questions, {}).has_value());
  BOOST_TEST(search({1, 0}, {.k = 1}).hits[0].id == ids[0].id);
}

BOOST_AUTO_TEST_CASE(relationships_are_found_under_filters_too) {
  VectorSearchOptions options = {.k = 2};
  options.filter = Filter::where("n", FilterOperator::greater_than, 20);
  const auto found = search({1, 0}, options, "said");
  BOOST_TEST_REQUIRE(found.hits.size() == 2u);
  const Snapshot snapshot = must(database->snapshot());
  const auto first = must(snapshot.find_relationship(RelationshipId{found.hits[0].id}));
  BOOST_TEST(first->properties().at("n").as_integer() == 21);
}

BOOST_AUTO_TEST_CASE(what_makes_no_sense_is_refused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  BOOST_TEST((error({.within = nan}).code == ErrorCode::invalid_argument));
  BOOST_TEST((error({.min_score = nan}).code == ErrorCode::invalid_argument));
  BOOST_TEST((error({}, {1, 0, 0}).code == ErrorCode::invalid_argument));
  BOOST_TEST((error({}, {1, 0}, "none").code == ErrorCode::not_found));
  BOOST_TEST(has(error({}, {1, 0}, "t").message, "not a vector index"));
}

BOOST_AUTO_TEST_CASE(a_least_score_cuts_every_kind_of_search) {
  const std::string rows = "MATCH (m:Memory) SEARCH m IN (";
  BOOST_TEST(
      result_of(*database, rows + "VECTOR INDEX v FOR [1.0, 0.0] MIN SCORE 0.999995 LIMIT 9) "
                                  "SCORE AS s RETURN m.n, s >= 0.999995") == "0 | true; 1 | true");
  BOOST_TEST(result_of(*database, rows + "FULLTEXT INDEX t FOR 'tea' MIN SCORE 100 LIMIT 9) "
                                         "RETURN m.n") == "");
  BOOST_TEST(result_of(*database, rows + "HYBRID VECTOR INDEX v FOR [1.0, 0.0], FULLTEXT INDEX t "
                                         "FOR 'tea' FUSE MIN_MAX MIN SCORE 0.99 LIMIT 9) SCORE "
                                         "AS s RETURN count(m) > 0, min(s) >= 0.99") ==
             "true | true");
  BOOST_TEST(has(error_of(*database, rows + "VECTOR INDEX v FOR [1.0, 0.0] MIN SCORE 'x' LIMIT 9) "
                                            "RETURN m")
                     .message,
                 "MIN SCORE must be a number"));
  BOOST_TEST(
      has(error_of(*database, rows + "VECTOR INDEX v FOR [1.0, 0.0] WITHIN 0.0 / 0.0) RETURN m")
              .message,
          "WITHIN must not be NaN"));
}

// Rows are searched for many at once where they share their filter: the same rows as one by one.
BOOST_AUTO_TEST_CASE(rows_searched_at_once_find_what_each_finds_alone) {
  const auto query = [](const std::string& where, const std::string& numbers) {
    return "UNWIND range(0, 130) AS i WITH i, [cos(i * 0.3), sin(i * 0.3)] AS q "
           "MATCH (m:Memory) SEARCH m IN (VECTOR INDEX v FOR q " +
           where + numbers + ") SCORE AS s RETURN i, m.n, s";
  };
  // A filter that names the row is evaluated for each.
  const std::string own = "AND i >= 0 ";
  for (const std::string numbers :
       {"LIMIT 5", "EF 20 + i LIMIT 1 + i % 4", "WITHIN 0.0001 * i", "EXACT MIN SCORE 0.9 LIMIT 3"})
    for (const std::string where : {"WHERE m.g = 3 ", "WHERE m.n % 3 = 1 ", "WHERE m.n < 5 "}) {
      const auto together = rows_of(*database, query(where, numbers));
      BOOST_TEST(together.size() > 30u);
      BOOST_TEST(together == rows_of(*database, query(where + own, numbers)),
                 boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_CASE(profile_says_how_many_were_searched_at_once) {
  const std::string query =
      "PROFILE UNWIND range(0, 7) AS i MATCH (m:Memory) SEARCH m IN (VECTOR INDEX v FOR "
      "[cos(i), sin(i)] WHERE m.g = 3 LIMIT 2) RETURN m";
  BOOST_TEST(has(plan_of(*database, query), "(exact, 8 at once)"));
}

BOOST_AUTO_TEST_CASE(rows_without_a_question_find_nothing_beside_others) {
  BOOST_TEST(result_of(*database,
                       "UNWIND [null, [1.0, 0.0], null, [0.0, 1.0]] AS q OPTIONAL MATCH (m:Memory) "
                       "SEARCH m IN (VECTOR INDEX v FOR q LIMIT 1) RETURN m.n") ==
             "null; 0; null; 393");
  BOOST_TEST(result_of(*database,
                       "UNWIND [null, null] AS q MATCH (m:Memory) SEARCH m IN (VECTOR INDEX v FOR "
                       "q LIMIT 1) RETURN m.n") == "");
}

BOOST_AUTO_TEST_CASE(a_row_that_fails_takes_none_of_the_rows_before_it_along) {
  const auto rows_before_failure = [&](const std::string& question) {
    const Statement statement = must(
        Statement::parse("UNWIND range(0, 40) AS i WITH i, CASE i WHEN 21 THEN " + question +
                         " ELSE [cos(i), sin(i)] END AS q MATCH (m:Memory) SEARCH m IN (VECTOR "
                         "INDEX v FOR q LIMIT 2) RETURN i"));
    Rows rows = must(statement.run(*database));
    std::size_t count = 0;
    auto row = rows.next();
    for (; row && *row; row = rows.next()) BOOST_TEST((**row)[0].as_integer() == count++ / 2);
    BOOST_TEST(!row);
    BOOST_TEST(!rows.next());
    return count;
  };
  BOOST_TEST(rows_before_failure("[1.0]") == 42U);
  BOOST_TEST(rows_before_failure("'tea'") == 42U);
}

BOOST_AUTO_TEST_CASE(rows_of_a_writing_statement_see_what_was_there_before_it) {
  BOOST_TEST(result_of(*database,
                       "UNWIND [[1.0, 0.0], [0.0, 1.0]] AS q MATCH (m:Memory) SEARCH m IN (VECTOR "
                       "INDEX v FOR q LIMIT 1) SET m.v = [-1.0, -1.0] RETURN m.n") == "0; 393");
  BOOST_TEST(result_of(*database,
                       "UNWIND [[1.0, 0.0], [-1.0, -1.0]] AS q MATCH (m:Memory) SEARCH m IN "
                       "(VECTOR INDEX v FOR q LIMIT 1) RETURN m.n") == "1; 0");
}

BOOST_AUTO_TEST_CASE(the_examples_of_the_page_run) {
  run_all(*database,
          {"CREATE VECTOR INDEX memories FOR (m:Memory) ON (m.x) OPTIONS {indexConfig: "
           "{`vector.dimensions`: 2}}",
           "UNWIND range(0, 19) AS i CREATE (:Memory {text: 't' + toString(i), user: 'ada', "
           "x: [cos(i * 0.2), sin(i * 0.2)]})"});
  const Parameters parameters = {
      {"q", list_of({1.0, 0.0})},
      {"user", "ada"},
      {"questions", List{Map{{"name", "a"}, {"vector", list_of({1.0, 0.0})}, {"ef", 10}},
                         Map{{"name", "b"}, {"vector", list_of({0.0, 1.0})}, {"ef", 20}}}}};
  const auto near = examples_behind("**WITHIN and MIN SCORE**");
  BOOST_TEST_REQUIRE(near.size() == 3u);
  for (const std::string& one : near) BOOST_TEST(!rows_of(*database, one, parameters).empty(), one);
  BOOST_TEST(result_of(*database, near[1], parameters) == "4");
  const auto many = examples_behind("**Many questions**");
  BOOST_TEST_REQUIRE(many.size() == 1u);
  BOOST_TEST(rows_of(*database, many[0], parameters).size() == 6u);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
