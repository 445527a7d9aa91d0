// Nodes put by their external id, maps of properties set at once, and moments of expiry.

#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <cairn/system_fields.hpp>

#include <boost/test/unit_test.hpp>

using namespace cairn;
using test::must;
using test::result_of;
using test::run_all;
using test::TemporaryDatabase;

namespace {

constexpr std::int64_t past = 1;

struct Fixture {
  template <class Change>
  auto change(Change&& change) {
    Transaction transaction = must(database->begin());
    auto result = must(change(transaction));
    must(transaction.commit());
    return result;
  }
  PutNode put(const NewNode& node) {
    return change([&](Transaction& transaction) { return transaction.put_node(node); });
  }
  NodeId create(const NewNode& node) {
    return change([&](Transaction& transaction) { return transaction.create_node(node); });
  }
  std::string result(std::string_view text) { return result_of(*database, text); }
  void check() { BOOST_TEST(must(database->check()).empty()); }

  TemporaryDatabase database;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(put_node, Fixture)

BOOST_AUTO_TEST_CASE(one_that_is_not_there_is_made) {
  const PutNode made = put({{"A"}, {{"x", 1}}, "urn:1"});
  BOOST_TEST(made.created);
  BOOST_TEST(result("MATCH (n:A {x: 1}) RETURN externalId(n)") == "'urn:1'");
  check();
}

BOOST_AUTO_TEST_CASE(one_that_is_there_becomes_equal_to_it_and_keeps_its_relationships) {
  run_all(*database, {"CREATE FULLTEXT INDEX t FOR (n:A|C) ON EACH [n.text]",
                      "CREATE FULLTEXT INDEX of_a FOR (n:A) ON EACH [n.text]",
                      "CREATE VECTOR INDEX near_a FOR (n:A) ON (n.e) OPTIONS {indexConfig: "
                      "{`vector.dimensions`: 2}}",
                      "CREATE VECTOR INDEX v FOR (n:A|C) ON (n.e) OPTIONS {indexConfig: "
                      "{`vector.dimensions`: 2}}"});
  const std::string large(1'000, 'x');
  const PutNode first = put({{"A", "B"},
                             {{"x", 1},
                              {"text", "green tea"},
                              {"large", large},
                              {"gone", List{1, 2}},
                              {"e", Vector({1, 0})}},
                             "urn:1"});
  const NodeId other = create({{"D"}, {}, ""});
  change([&](Transaction& transaction) {
    return transaction.create_relationship({first.node, "R", other, {}});
  });
  const PutNode second =
      put({{"C", "B"}, {{"x", 2}, {"text", "black coffee"}, {"e", List{0.0, 1.0}}}, "urn:1"});
  BOOST_TEST(!second.created);
  BOOST_TEST((second.node == first.node));
  BOOST_TEST(result("MATCH (n) WHERE externalId(n) = 'urn:1' RETURN labels(n), keys(n)") ==
             "['B', 'C'] | ['e', 'text', 'x']");
  BOOST_TEST(result("MATCH (n:A) RETURN count(*)") == "0");
  BOOST_TEST(result("MATCH (n:C {x: 2})-[:R]->(:D) RETURN count(*)") == "1");
  BOOST_TEST(result("MATCH (n {x: 1}) RETURN count(*)") == "0");
  BOOST_TEST(result("MATCH (n:C) SEARCH n IN (FULLTEXT INDEX t FOR 'coffee' LIMIT 3) RETURN n.x") ==
             "2");
  BOOST_TEST(result("MATCH (n) SEARCH n IN (FULLTEXT INDEX t FOR 'tea' LIMIT 3) RETURN n.x") == "");
  BOOST_TEST(result("MATCH (n:C) SEARCH n IN (VECTOR INDEX v FOR [0, 1] LIMIT 3) SCORE AS s "
                    "RETURN n.x, s") == "2 | 1.0");
  check();
}

BOOST_AUTO_TEST_CASE(its_expiry_becomes_the_new_one) {
  const auto far = std::optional<std::int64_t>(4'000'000'000'000'000);
  const PutNode made = put({{"A"}, {}, "urn:1", far});
  const auto expiry = [&] {
    return must(system_fields(must(database->snapshot()), made.node))->expires_at;
  };
  BOOST_TEST((expiry() == far));
  put({{"A"}, {}, "urn:1"});
  BOOST_TEST(!expiry().has_value());
  check();
}

BOOST_AUTO_TEST_CASE(one_that_has_expired_is_rebuilt_without_its_relationships) {
  const PutNode old = put({{"A"}, {{"x", 1}}, "urn:1", past});
  const NodeId other = create({{"D"}, {}, ""});
  change([&](Transaction& transaction) {
    return transaction.create_relationship({old.node, "R", other, {}});
  });
  const PutNode made = put({{"A"}, {{"x", 2}}, "urn:1"});
  BOOST_TEST(made.created);
  BOOST_TEST((made.node != old.node));
  BOOST_TEST(result("MATCH (n:A) RETURN n.x") == "2");
  BOOST_TEST(must(database->statistics()).relationships == 0u);
  check();
}

BOOST_AUTO_TEST_CASE(an_expired_node_gives_its_external_id_to_a_new_one) {
  create({{"A"}, {}, "urn:1", past});
  create({{"B"}, {}, "urn:1"});
  BOOST_TEST(result("MATCH (n) RETURN labels(n)") == "['B']");
  BOOST_TEST(must(database->statistics()).nodes == 1u);
  Transaction transaction = must(database->begin());
  BOOST_TEST(
      (transaction.create_node({{"C"}, {}, "urn:1"}).error().code == ErrorCode::already_exists));
  check();
}

BOOST_AUTO_TEST_CASE(a_refused_one_changes_nothing) {
  run_all(*database, {"CREATE VECTOR INDEX v FOR (n:A) ON (n.e) OPTIONS {indexConfig: "
                      "{`vector.dimensions`: 2}}"});
  put({{"B"}, {{"x", 1}}, "urn:1"});
  Transaction transaction = must(database->begin());
  BOOST_TEST((transaction.put_node({{"A"}, {}, ""}).error().code == ErrorCode::invalid_argument));
  BOOST_TEST((transaction.put_node({{"A"}, {{"e", List{1.0, 2.0, 3.0}}}, "urn:1"}).error().code ==
              ErrorCode::invalid_argument));
  must(transaction.commit());
  BOOST_TEST(result("MATCH (n:B {x: 1}) RETURN count(*)") == "1");
  check();
}

BOOST_AUTO_TEST_CASE(a_map_of_properties_is_set_at_once) {
  const NodeId node = create({{"A"}, {{"x", 1}, {"y", 2}, {"z", 3}}, ""});
  Transaction transaction = must(database->begin());
  must(transaction.set_properties(node, {{"x", 5}, {"y", Value()}, {"new", "text"}}));
  must(transaction.commit());
  BOOST_TEST(result("MATCH (n:A {x: 5, new: 'text', z: 3}) RETURN keys(n)") == "['new', 'x', 'z']");
  BOOST_TEST(result("MATCH (n) WHERE n.y IS NOT NULL OR n.x = 1 RETURN count(*)") == "0");
  check();
}

BOOST_AUTO_TEST_CASE(a_refused_map_sets_none_of_it) {
  const NodeId node = create({{"A"}, {{"x", 1}}, ""});
  Transaction transaction = must(database->begin());
  const auto refused =
      transaction.set_properties(node, {{"a", 1}, {"b", Value(Node())}, {"x", Value()}});
  BOOST_TEST((refused.error().code == ErrorCode::type_error));
  BOOST_TEST(
      (transaction.set_properties(NodeId{99}, {{"a", 1}}).error().code == ErrorCode::not_found));
  Properties many;
  for (int i = 0; i < 4'096; ++i) many["p" + std::to_string(i)] = i;
  BOOST_TEST((transaction.set_properties(node, many).error().code == ErrorCode::invalid_argument));
  must(transaction.commit());
  BOOST_TEST(result("MATCH (n:A {x: 1}) RETURN keys(n)") == "['x']");
  check();
}

BOOST_AUTO_TEST_CASE(relationships_take_maps_and_expiries_as_well) {
  const NodeId node = create({{"A"}, {}, ""});
  const auto id = change([&](Transaction& transaction) {
    return transaction.create_relationship({node, "R", node, {{"w", 1}}});
  });
  Transaction transaction = must(database->begin());
  must(transaction.set_properties(id, {{"w", 2}, {"v", 3}}));
  must(transaction.commit());
  BOOST_TEST(result("MATCH ()-[r {w: 2, v: 3}]->() RETURN count(*)") == "1");
  Transaction hiding = must(database->begin());
  must(hiding.set_expiry(id, past));
  BOOST_TEST((hiding.set_expiry(RelationshipId{99}, past).error().code == ErrorCode::not_found));
  must(hiding.commit());
  BOOST_TEST(result("MATCH ()-[r]->() RETURN count(*)") == "0");
  Transaction showing = must(database->begin());
  must(showing.set_expiry(id, std::nullopt));
  must(showing.commit());
  BOOST_TEST(result("MATCH ()-[r]->() RETURN count(*)") == "1");
  check();
}

BOOST_AUTO_TEST_SUITE_END()
