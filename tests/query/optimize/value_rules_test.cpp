// Compares counting by value and sorting by a cached order with the same statements without these rules. The rows and
// their order are the same, for values of every type.

#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"
#include "tests/support/value_generator.hpp"

#include <cairn/statement.hpp>

#include <boost/test/unit_test.hpp>

namespace cairn::test {
namespace {

const char* const statements[] = {
    "MATCH (n:N) RETURN n.p, count(*)",
    "MATCH (n:N) WHERE n.q < $q RETURN n.p AS p, count(n), count(*) + 1",
    "MATCH (n:N) WHERE n.q < $q RETURN count(*) AS c, n.p AS p ORDER BY c DESC, p LIMIT 5",
    "MATCH (n:N) WHERE n.q >= $q WITH n.p AS p, count(*) AS c WHERE c > 1 RETURN p, c",
    "MATCH (n:N) WHERE n.t CONTAINS '1' RETURN n.p, count(*)",
    "MATCH (n:N) WHERE n.q < 0 RETURN n.p, count(*)",
    "MATCH (n) RETURN n.missing, count(*)",
    "MATCH (n:N) RETURN n.q, n.p ORDER BY n.p LIMIT 7",
    "MATCH (n:N) RETURN n.q AS q, n.p AS p ORDER BY p DESC LIMIT $k",
    "MATCH (n:N) WHERE n.q < $q RETURN n.q AS q ORDER BY n.p DESC, q DESC SKIP 3 LIMIT 4",
    "MATCH (n:N) WHERE n.q >= $q RETURN n ORDER BY n.p SKIP $k LIMIT 4",
    "MATCH (n:N) WHERE n.t CONTAINS '1' RETURN n.q ORDER BY n.p DESC LIMIT 5",
    "MATCH (n:N) WITH n ORDER BY n.p LIMIT $k RETURN n.q, n.p ORDER BY n.q DESC",
    "MATCH (n:N) RETURN n.q ORDER BY n.missing DESC, n.q LIMIT 5",
    "MATCH (n:N) WHERE n.q < $q RETURN n.q ORDER BY n.p LIMIT 0",
    "MATCH (n:N) WHERE n.q < $q RETURN DISTINCT n.p ORDER BY n.p LIMIT 4",
    "MATCH (n:N) RETURN DISTINCT n.p",
    "MATCH (n:N) WHERE n.q >= $q RETURN DISTINCT n.p AS p ORDER BY p DESC",
    "MATCH (n:N) WHERE n.t CONTAINS '1' WITH DISTINCT n.p AS p RETURN p, 1",
    "MATCH (n:N) RETURN DISTINCT n.p LIMIT 3",
    "MATCH (n:N) WHERE n.q < 0 RETURN DISTINCT n.p",
    "MATCH (n:N) RETURN DISTINCT n.missing",
    "MATCH (n:N) RETURN count(DISTINCT n.p)",
    "MATCH (n:N) WHERE n.q < $q RETURN count(*) AS c, count(DISTINCT n.p) + 1, count(n)",
    "MATCH (n:N) WHERE n.q < 0 RETURN count(DISTINCT n.p), count(*)",
    "MATCH (n:N) RETURN count(DISTINCT n.missing), count(*)",
    "MATCH (n:N) RETURN count(DISTINCT n.p), count(DISTINCT n.t)",
    "UNWIND [1, 2] AS x MATCH (n:N) WHERE n.q > x RETURN count(DISTINCT n.p)",
    "MATCH (n:N) RETURN n.q, n.p ORDER BY n.m.x LIMIT 4",
    "MATCH (n:N) RETURN n.q ORDER BY n.p LIMIT $k - 40",
    "MATCH (n:N) RETURN min(n.p)",
    "MATCH (n:N) WHERE n.q < $q RETURN max(n.p) AS most, min(n.p) AS least",
    "MATCH (n:N) WHERE n.q >= $q WITH max(DISTINCT n.p) AS most RETURN [most]",
    "MATCH (n:N) WHERE n.t CONTAINS '1' RETURN max(n.p)",
    "MATCH (n:N) WHERE n.q < 0 RETURN min(n.p), max(n.p)",
    "MATCH (n:N) RETURN max(n.missing)",
    "MATCH (n:N) RETURN min(n.p), max(n.q)",
    "MATCH (n:N) WHERE n.q < $q RETURN max(n.q), min(n.t), min(n.p), max(n.p), min(n.q)",
    "MATCH (n:N) RETURN min(n.q), max(n.missing)",
    "MATCH (n:N) RETURN min(n.q), max(n.t), count(*)",
    "MATCH (n:N) RETURN min(n.q), max(n.t), sum(n.q)",
    "UNWIND [1, 2] AS x MATCH (n:N) WHERE n.q > x RETURN max(n.q), max(n.t)",
    "UNWIND [1, 2] AS x MATCH (n:N) WHERE n.q > x RETURN max(n.p)",
    "MATCH (n:N) RETURN count(n.p)",
    "MATCH (n) RETURN count(n.p) AS c",
    "MATCH (n:N) WHERE n.q < $q RETURN count(n.p) + 1 AS c, count(n.p)",
    "MATCH (n:N) WHERE n.t CONTAINS '1' RETURN count(n.p)",
    "MATCH (n:N) WHERE n.p < 5 OR n.q > $q RETURN count(n.p)",
    "MATCH (n:N) WHERE n.p IS NULL RETURN count(n.p)",
    "MATCH (n:N) RETURN count(n.missing)",
    "MATCH (n:N) RETURN count(n.m) AS a, count(n.m) AS b",
    "MATCH (n:N) RETURN count(n.p), count(*)",
    "MATCH (n:N) RETURN count(n.m.x)",
    "UNWIND [1, 2] AS x MATCH (n:N) WHERE n.q > x RETURN count(n.p)",
};

struct Fixture {
  // `kind` 0: scalars that an order can hold; 1: few values with many ties; 2: any value; 3: few values, and now and
  // then any value.
  Value draw(std::uint64_t kind) {
    if (random.below(8) == 0) return Value();
    if (kind == 1) return static_cast<std::int64_t>(random.below(4));
    if (kind == 3 && random.below(20) != 0) return static_cast<std::int64_t>(random.below(20));
    if (kind >= 2) return random.storable(2);
    const std::uint64_t type = random.below(5);
    if (type == 0) return random.boolean();
    if (type == 1) return static_cast<double>(random.below(20));
    if (type == 2) return "text" + std::to_string(random.below(20));
    return static_cast<std::int64_t>(random.below(20));
  }

  void fill(std::uint64_t kind) {
    Transaction transaction = must(database->begin());
    for (int i = 0; i < 300; ++i) {
      NewNode node{{"N"}, {{"q", i}, {"t", "t" + std::to_string(i)}}};
      node.properties["m"] = Map{{"x", i % 7}};
      if (Value value = draw(kind); !value.is_null()) node.properties["p"] = std::move(value);
      must(transaction.create_node(node));
    }
    must(transaction.commit());
  }

  template <class Target>
  static std::vector<std::string> rows(Target& target, const char* statement,
                                       const Parameters& parameters,
                                       const StatementOptions& options) {
    std::vector<std::string> lines;
    auto found = must(Statement::parse(statement)).run(target, parameters, options);
    if (!found) return {found.error().message};
    while (true) {
      auto row = found->next();
      if (!row) return {row.error().message};
      if (!*row) return lines;
      std::string line;
      for (const Value& value : **row) line += value.to_text() + " | ";
      lines.push_back(std::move(line));
    }
  }

  template <class Target>
  void check(Target& target) {
    StatementOptions plain;
    plain.disabled_rules = "index_group_count index_top_n index_min_max count_from_cardinality";
    const Parameters parameters = {{"q", static_cast<std::int64_t>(random.below(300))},
                                   {"k", static_cast<std::int64_t>(random.below(30))}};
    for (const char* statement : statements) BOOST_TEST_CONTEXT(statement)
    BOOST_TEST(
        rows(target, statement, parameters, {}) == rows(target, statement, parameters, plain),
        boost::test_tools::per_element());
  }

  ValueGenerator random{test_seed()};
  TemporaryDatabase database;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(value_rules, Fixture)

BOOST_AUTO_TEST_CASE(rows_are_the_same_for_values_of_every_kind) {
  for (const std::uint64_t kind : {0U, 1U, 2U, 3U}) {
    fill(kind);
    for (int i = 0; i < 3; ++i) check(*database);
    must(execute(*database, "MATCH (n:N) WHERE n.q % 3 = 1 SET n.p = n.q % 5"));
    check(*database);
    must(execute(*database, "MATCH (n) DETACH DELETE n"));
  }
}

BOOST_AUTO_TEST_CASE(a_transaction_sees_its_own_changes) {
  fill(0);
  check(*database);
  Transaction transaction = must(database->begin());
  for (const char* change :
       {"MATCH (n:N) WHERE n.q % 7 = 1 SET n.p = 'own'", "MATCH (n:N) WHERE n.q % 11 = 2 DELETE n",
        "UNWIND range(300, 340) AS i CREATE (:N {q: i, p: i - 330})"})
    must(must(Statement::parse(change)).run(transaction));
  check(transaction);
}

BOOST_AUTO_TEST_CASE(plans_say_so) {
  fill(0);
  BOOST_TEST(plan_of(*database, "EXPLAIN MATCH (n:N) RETURN n.p, count(*)")
                 .find("IndexGroupCount (n) by p") != std::string::npos);
  BOOST_TEST(plan_of(*database, "EXPLAIN MATCH (n:N) RETURN DISTINCT n.p ORDER BY n.p")
                 .find("ListValues (n) by p") != std::string::npos);
  BOOST_TEST(plan_of(*database, "EXPLAIN MATCH (n:N) RETURN count(DISTINCT n.p), count(*)")
                 .find("IndexGroupCount (n) by p") != std::string::npos);
  BOOST_TEST(plan_of(*database, "EXPLAIN MATCH (n:N) RETURN n.q ORDER BY n.p DESC LIMIT 3")
                 .find("ScanNodes (n) first by p descending") != std::string::npos);
  BOOST_TEST(plan_of(*database, "EXPLAIN MATCH (n:N) RETURN max(n.p), min(n.p)")
                 .find("ScanNodes (n) least and greatest p") != std::string::npos);
  BOOST_TEST(plan_of(*database, "EXPLAIN MATCH (n:N) RETURN max(n.p), max(n.q), min(n.p)")
                 .find("ScanNodes (n) least and greatest p, greatest q") != std::string::npos);
  for (const char* other :
       {"EXPLAIN MATCH (n:N) RETURN n.q ORDER BY n.p",
        "EXPLAIN MATCH (n:N) RETURN n.q ORDER BY n.p + 1 LIMIT 3",
        "EXPLAIN MATCH (n:N) RETURN n.p, count(n.q)",
        "EXPLAIN MATCH (n:N) RETURN n.p, count(DISTINCT n.q)",
        "EXPLAIN MATCH (n:N) RETURN count(DISTINCT n.p), count(DISTINCT n.q)",
        "EXPLAIN MATCH (n:N) RETURN count(DISTINCT n.p), sum(n.p)",
        "EXPLAIN MATCH (n:N) RETURN count(n.p)", "EXPLAIN MATCH (n:N) RETURN DISTINCT n.p, n.q",
        "EXPLAIN MATCH (n:N) RETURN DISTINCT n.p LIMIT 3",
        "EXPLAIN MATCH (n:N) RETURN n.q, max(n.p)", "EXPLAIN MATCH (n:N) RETURN max(n.p), sum(n.p)",
        "EXPLAIN MATCH (n:N) RETURN max(n.p), max(n.q), count(n.q)",
        "EXPLAIN MATCH (n:N) RETURN max(n.p + 1)"}) {
    const std::string plan = plan_of(*database, other);
    BOOST_TEST(plan.find("first by") == std::string::npos);
    BOOST_TEST(plan.find("greatest") == std::string::npos);
    BOOST_TEST(plan.find("IndexGroupCount") == std::string::npos);
    BOOST_TEST(plan.find("ListValues") == std::string::npos);
  }
}

// A writing transaction has no orders, and a whole node none either.
BOOST_AUTO_TEST_CASE(properties_that_an_order_tells_are_those_of_the_records) {
  constexpr const char* statement = "MATCH (n:N) RETURN n.q, n.t, n.p, n.missing, n";
  for (const std::uint64_t kind : {0U, 1U, 2U, 3U}) {
    fill(kind);
    const auto sort = [&](int times) {
      for (const char* sorted : {"MATCH (n:N) RETURN n.q ORDER BY n.p LIMIT 3",
                                 "MATCH (n:N) RETURN n.q ORDER BY n.t LIMIT 3",
                                 "MATCH (n:N) RETURN n.q ORDER BY n.q DESC LIMIT 3"})
        for (int i = 0; i < times; ++i) must(execute(*database, sorted));
    };
    const auto compare = [&] {
      Transaction transaction = must(database->begin());
      must(must(Statement::parse("CREATE (:Other)")).run(transaction));
      BOOST_TEST(rows(*database, statement, {}, {}) == rows(transaction, statement, {}, {}),
                 boost::test_tools::per_element());
      transaction.rollback();
    };
    sort(5);
    compare();
    must(execute(*database, "MATCH (n:N) WHERE n.q % 9 = 1 SET n.p = n.q % 5, n.t = 'new'"));
    must(execute(*database, "MATCH (n:N) WHERE n.q % 17 = 1 SET n.t = ['t1', 'new']"));
    must(execute(*database, "MATCH (n:N) WHERE n.q % 17 = 2 SET n.t = ''"));
    must(execute(*database, "MATCH (n:N) WHERE n.q % 17 = 3 DETACH DELETE n"));
    compare();
    sort(40);
    compare();
    must(execute(*database, "MATCH (n) DETACH DELETE n"));
  }
}

// No more records are read than the sort keeps, and none for counting texts.
BOOST_AUTO_TEST_CASE(records_are_not_read_for_what_the_index_knows) {
  fill(0);
  const auto records = [&](const char* statement, const char* line) {
    const std::string plan = plan_of(*database, statement);
    const std::size_t at = plan.find(line);
    return at == std::string::npos ? plan : plan.substr(at, plan.find('\n', at) - at);
  };
  check(*database);
  const std::string scan = records(
      "PROFILE MATCH (n:N) WHERE n.q < 200 RETURN n.q ORDER BY n.q DESC LIMIT 3", "ScanNodes");
  BOOST_TEST(scan.find(" 3 ") != std::string::npos, scan);
  for (int i = 0; i < 5; ++i)
    must(execute(*database, "MATCH (n:N) RETURN min(n.q), max(n.q), max(n.t)"));
  const std::string extremes =
      records("PROFILE MATCH (n:N) RETURN min(n.q), max(n.q), max(n.t)", "ScanNodes");
  BOOST_TEST(extremes.find(" 3 ") != std::string::npos, extremes);
  // Texts are in the order itself.
  for (int i = 0; i < 5; ++i)
    must(execute(*database, "MATCH (n:N) RETURN n.q ORDER BY n.t LIMIT 3"));
  const std::string texts =
      records("PROFILE MATCH (n:N) RETURN n.t ORDER BY n.t LIMIT 3", "Project");
  BOOST_TEST(texts.find(" 3          0          0 ") != std::string::npos, texts);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
