// Compares a sort that returns only the most similar records with the same statements without this rule. The rows and
// their order are the same, even if records have no vector, another vector or none yet.

#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"
#include "tests/support/value_generator.hpp"

#include <cairn/statement.hpp>

#include <boost/test/unit_test.hpp>

#include <iterator>
#include <string>
#include <vector>

namespace cairn::test {
namespace {

const char* const statements[] = {
    "MATCH (n:N) WITH n, vector.similarity.cosine(n.v, $q) AS score WHERE score > $least "
    "RETURN n.id AS id, score ORDER BY score DESC LIMIT $k",
    "MATCH (n:N) WITH n, vector.similarity.cosine($q, n.v) AS score WHERE $least <= score "
    "RETURN n.id AS id, score ORDER BY score DESC LIMIT $k",
    "MATCH (n:N) WHERE n.id % 3 = 0 AND n.group < 2 "
    "RETURN n.id, vector.similarity.cosine(n.v, $q) AS score ORDER BY score DESC LIMIT $k",
    "MATCH (n:N) RETURN n.id ORDER BY vector.similarity.cosine(n.v, $q) DESC, n.id LIMIT $k",
    "MATCH (n:N) WITH n, n.v AS v WITH n.id AS id, vector.similarity.cosine(v, $q) AS s "
    "WHERE s > 0.5 AND id % 7 <> 0 RETURN id ORDER BY s DESC SKIP 3 LIMIT $k",
    "MATCH (n:N) RETURN n.id, vector.similarity.euclidean(n.e, $q) AS score "
    "ORDER BY score DESC LIMIT $k",
    "MATCH (n:N) RETURN n.id, vector.similarity.cosine(n.v, $q) AS score ORDER BY score LIMIT $k",
    "MATCH (n:N)-[r:R]->(m:N) WHERE m.group = 1 "
    "WITH DISTINCT r, n, m, vector.similarity.cosine(r.v, $q) AS score WHERE score > $least "
    "RETURN r.id AS id, n.id, m.id, score ORDER BY score DESC LIMIT $k",
    "MATCH (n:N)-[r:R]-(m) RETURN r.id AS id, n.id AS n, vector.similarity.cosine(r.v, $q) AS "
    "score ORDER BY score DESC, id, n LIMIT $k",
    "MATCH (n:N)-[r:R]->(m) WITH m, vector.similarity.cosine(m.v, $q) AS score "
    "RETURN m.id AS id, score ORDER BY score DESC, id LIMIT $k",
    "MATCH (n:N) WITH vector.similarity.cosine(n.v, $q) AS score, count(*) AS c "
    "RETURN score, c ORDER BY score DESC LIMIT $k",
    "MATCH (n:N) WHERE n.id = 5 RETURN n.id, vector.similarity.cosine(n.v, $q) AS score "
    "ORDER BY score DESC LIMIT $k",
    "MATCH (n:N) RETURN n.id, vector.similarity.cosine(n.v, [1.0, 2.0]) AS score "
    "ORDER BY score DESC LIMIT $k",
    "MATCH (n:N) RETURN n.id, vector.similarity.cosine(n.v, null) AS score "
    "ORDER BY score DESC, n.id LIMIT $k",
};

const char* const indexes[] = {
    "CREATE VECTOR INDEX nv FOR (n:N) ON (n.v) OPTIONS {indexConfig: "
    "{`vector.dimensions`: 8, `vector.similarity_function`: 'cosine'}}",
    "CREATE VECTOR INDEX ne FOR (n:N) ON (n.e) OPTIONS {indexConfig: "
    "{`vector.dimensions`: 8, `vector.similarity_function`: 'euclidean'}}",
    "CREATE VECTOR INDEX rv FOR ()-[r:R]-() ON (r.v) OPTIONS {indexConfig: "
    "{`vector.dimensions`: 8, `vector.similarity_function`: 'cosine'}}",
};

/// Changes labels and vectors of, or deletes, a fifth of the nodes; then creates 21.
const char* const changes[] = {
    "MATCH (n:N) WHERE n.id % 20 = 3 REMOVE n:N SET n:M",
    "MATCH (n:M) WHERE n.id % 40 = 3 SET n:N",
    "MATCH (n:N), (m:N {id: 7}) WHERE n.id % 20 = 4 SET n.v = m.v",
    "MATCH (n:N) WHERE n.id % 20 = 5 REMOVE n.v",
    "MATCH (n:N) WHERE n.id % 20 = 6 DETACH DELETE n",
    "MATCH (n:N {id: 8}) UNWIND range(1000, 1020) AS id CREATE (:N {id: id, group: 1, v: n.v})",
};

struct Fixture {
  /// Now and then none.
  Value vector(bool may_miss = true) {
    if (may_miss && random.below(10) == 0) return Value();
    std::vector<float> components;
    for (int i = 0; i < 8; ++i)
      components.push_back(static_cast<float>(random.below(2'000)) / 1'000.0F - 0.9995F);
    return Vector(std::move(components));
  }

  static void set(Properties& properties, const char* name, Value value) {
    if (!value.is_null()) properties[name] = std::move(value);
  }

  void fill(std::int64_t count) {
    run_all(*database, {std::begin(indexes), std::end(indexes)});
    Transaction transaction = must(database->begin());
    std::vector<NodeId> ids;
    for (std::int64_t i = 0; i < count; ++i) {
      NewNode node{{"N"}, {{"id", i}, {"group", i % 3}}};
      set(node.properties, "v", vector());
      set(node.properties, "e", vector());
      ids.push_back(must(transaction.create_node(node)));
    }
    for (std::int64_t i = 0; i < count; ++i) {
      NewRelationship one{ids[random.below(ids.size())], "R", ids[random.below(ids.size())]};
      one.properties["id"] = i;
      set(one.properties, "v", vector());
      must(transaction.create_relationship(one));
    }
    must(transaction.commit());
  }

  template <class Target>
  static std::vector<std::string> rows(Target& target, const char* statement,
                                       const Parameters& parameters,
                                       const StatementOptions& options) {
    auto found = must(Statement::parse(statement)).run(target, parameters, options);
    if (!found) return {found.error().message};
    auto all = found->all();
    if (!all) return {all.error().message};
    std::vector<std::string> lines;
    for (const auto& row : *all) {
      lines.emplace_back();
      for (const Value& value : row) lines.back() += value.to_text() + " | ";
    }
    return lines;
  }

  template <class Target>
  void check(Target& target) {
    StatementOptions plain;
    plain.disabled_rules = "similarity_top_n";
    const Parameters parameters = {{"q", vector(false)},
                                   {"least", 0.4 + static_cast<double>(random.below(500)) / 1'000},
                                   {"k", static_cast<std::int64_t>(random.below(40))}};
    for (const char* statement : statements) BOOST_TEST_CONTEXT(statement)
    BOOST_TEST(
        rows(target, statement, parameters, {}) == rows(target, statement, parameters, plain),
        boost::test_tools::per_element());
  }

  ValueGenerator random{test_seed()};
  TemporaryDatabase database;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(similarity_top_n, Fixture)

BOOST_AUTO_TEST_CASE(the_rows_are_those_of_a_plain_scan) {
  fill(400);
  for (int round = 0; round < 6; ++round) check(*database);
  run_all(*database, {std::begin(changes), std::end(changes)});
  for (int round = 0; round < 6; ++round) check(*database);
}

BOOST_AUTO_TEST_CASE(a_transaction_sees_its_own_vectors) {
  fill(400);
  Transaction transaction = must(database->begin());
  for (const char* change : changes) must(must(Statement::parse(change)).run(transaction));
  for (int round = 0; round < 6; ++round) check(transaction);
}

BOOST_AUTO_TEST_CASE(vectors_of_other_dimensions_are_errors_as_in_a_plain_scan) {
  fill(200);
  run_all(*database, {"MATCH (n:N {id: 1}) REMOVE n:N SET n:M, n.v = [1.0, 2.0]"});
  const Parameters parameters = {{"q", vector(false)}};
  BOOST_TEST(error_of(*database,
                      "MATCH (n) WHERE n.group >= 0 RETURN n.id, vector.similarity.cosine(n.v, $q) "
                      "AS score ORDER BY score DESC LIMIT 3",
                      parameters)
                 .message.find("same dimension") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(plans_name_the_index_and_profiles_show_the_few_rows) {
  fill(2'000);
  const Parameters parameters = {{"q", vector(false)}, {"least", 0.1}, {"k", 5}};
  const auto text = [&](const std::string& mode, const char* statement) {
    return plan_of(*database, mode + statement, parameters);
  };
  BOOST_TEST(text("EXPLAIN ", statements[0]).find("nearest in nv to $q at least $least") !=
             std::string::npos);
  const std::string of_relationships =
      text("EXPLAIN ",
           "MATCH (n:N)-[r:R]->(m:N) WITH r, vector.similarity.cosine(r.v, $q) AS score "
           "RETURN r.id ORDER BY score DESC LIMIT $k");
  BOOST_TEST(of_relationships.find("ScanRelationships (n)-[r:R]->(m) nearest in rv to $q") !=
                 std::string::npos,
             of_relationships);
  BOOST_TEST_MESSAGE(text("PROFILE ", statements[0]));
  run_all(*database, {"DROP INDEX nv"});
  BOOST_TEST(text("EXPLAIN ", statements[0]).find("nearest") == std::string::npos);
  check(*database);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
