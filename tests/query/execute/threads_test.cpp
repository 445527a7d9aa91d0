// Threads never change an answer: the same rows in the same order, and the same error, on one thread and on several that take
// three rows at a time.

#include "tests/support/graph_builder.hpp"
#include "tests/support/rounds.hpp"
#include "tests/support/run_query.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <iterator>
#include <optional>
#include <random>
#include <span>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace cairn::test {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

StatementOptions on(std::uint32_t threads) {
  StatementOptions options;
  options.threads = threads;
  options.disabled_rules = "one_thread_for_few_rows";
  return options;
}

/// A graph whose properties have numbers of both kinds, texts, nulls, and sums that depend on their order.
struct Fixture {
  Fixture() {
    run_all(*database,
            {"UNWIND range(0, 299) AS k CREATE (:N {k: k, v: k % 7, w: 'w' + (k % 11), "
             "f: toFloat(k) / 3, g: CASE k % 3 WHEN 0 THEN 1e16 WHEN 1 THEN 1.0 ELSE -1e16 END, "
             "m: CASE k % 5 WHEN 0 THEN k WHEN 1 THEN toFloat(k) WHEN 2 THEN null ELSE k % 4 END, "
             "h: k * 3000000000, t: CASE k % 4 WHEN 0 THEN true WHEN 1 THEN false ELSE 't' + (k % "
             "20) END, e: CASE k % 2 WHEN 0 THEN 1 ELSE 1.0 END})",
             "MATCH (a:N), (b:N) WHERE (a.k * 7 + b.k * 3) % 41 = 0 CREATE (a)-[:R {x: (a.k + b.k) "
             "% 13}]->(b)",
             "MATCH (a:N) WHERE a.k % 6 = 0 SET a:M"});
  }

  void compare(const std::string& statement, const Parameters& parameters = {}) {
    BOOST_TEST_CONTEXT(statement) {
      const auto expected = rows_of(*database, statement, parameters, on(1));
      for (const std::uint32_t threads : {2U, 3U, 5U})
        BOOST_TEST(rows_of(*database, statement, parameters, on(threads)) == expected,
                   boost::test_tools::per_element());
    }
  }
  void is_shared(const std::string& statement, bool wanted) {
    const std::string plan = plan_of(*database, "EXPLAIN " + statement, {}, on(3));
    BOOST_TEST((plan.find("(3 threads)") != std::string::npos) == wanted, statement << plan);
  }

  TemporaryDatabase database;
};

const char* const questions[] = {
    "MATCH (n:N) RETURN n.v AS v, count(*) AS c",
    "MATCH (n:N) RETURN n.t AS t, count(*) AS c, sum(n.k) AS s",
    "MATCH (a:N)-[:R]->(b) RETURN b.w AS w, b.t AS t, count(*) AS c",
    "MATCH (a:N)-[:R]->(b:M) RETURN b.t AS t, count(DISTINCT b.w) AS w, count(*) AS c",
    "MATCH (n:N) RETURN n.w AS w, count(*) AS c, sum(n.k) AS s, min(n.f) AS a, max(n.w) AS b",
    "MATCH (n:N) RETURN n.e AS e, count(*) AS c",
    "MATCH (n:N) RETURN n.m AS m, count(n.m) AS c, collect(n.k) AS all",
    "MATCH (n:N) RETURN sum(n.g) AS g, avg(n.g) AS a, sum(n.f) AS f, avg(n.k) AS k",
    "MATCH (n:N) RETURN n.v AS v, sum(n.m) AS m, stDev(n.f) AS d, min(n.e) AS e, max(n.e) AS f",
    "MATCH (n:N) RETURN sum(n.h) AS h, sum(n.k) AS k, avg(n.h) AS a",
    "MATCH (n:N) RETURN n.v AS v, sum(CASE WHEN n.k > 150 THEN n.h ELSE n.k END) AS s",
    "MATCH (n:N) RETURN sum(n.k + 1) AS s, sum(n.f * 2) AS f, count(n.m + 1) AS c",
    "MATCH (n:N) RETURN count(DISTINCT n.v) AS v, count(DISTINCT n.w) AS w, sum(DISTINCT n.m) AS m",
    "MATCH (n:N) RETURN n.w AS w, count(DISTINCT n.v) AS v, collect(DISTINCT n.m) AS m",
    "MATCH (n:N) RETURN n.v AS v, collect(n) AS n, collect(n.w) AS w",
    "MATCH (n:N) RETURN count(*) AS c, count(n.m) AS m",
    "MATCH (n:Nobody) RETURN count(*) AS c, sum(n.k) AS s, collect(n.k) AS k",
    "MATCH (n:Nobody) RETURN n.v AS v, count(*) AS c",
    "MATCH (a:N)-[:R]->(b) RETURN count(*) AS c",
    "MATCH (a:N)-[:R]->(b) WITH a, count(b) AS d RETURN d, count(*) AS c ORDER BY d",
    "MATCH (a:N)-[:R]->(b:N) WITH b, sum(a.k) AS s RETURN b.k AS k, s ORDER BY s DESC, k LIMIT 9",
    "MATCH (a:N)-[:R]->(b:M) RETURN b.w AS w, count(*) AS c, collect(a.k) AS k",
    "MATCH (a:N)-[r:R]->(b) WHERE r.x > 5 AND b.v <> a.v RETURN b, count(DISTINCT a) AS c, "
    "avg(r.x) AS x",
    "MATCH (a:N)-[:R]->(b)-[:R]->(c), (a)-[:R]->(c) RETURN count(*) AS c",
    "MATCH (a:N {k: 6})-[:R]->(b)-[:R]->(c)-[:R]->(d) WHERE d <> a AND d <> b RETURN count(*) AS n",
    "MATCH (a:N)--(b) RETURN a.v AS v, b.v AS w, count(*) AS c",
    "MATCH (a:N)-[:R*1..2]->(b) RETURN b.v AS v, count(*) AS c",
    "MATCH (a:N {k: 4})-[:R*1..3]->(b) RETURN count(DISTINCT b) AS c",
    "MATCH (a:M), (b:M) WHERE a.v = b.v RETURN a.v AS v, count(*) AS c, sum(b.f) AS f",
    "MATCH (:N)-[r:R]->() RETURN r.x AS x, count(*) AS c, sum(r.x) AS s",
    "MATCH ()-[r:R {x: 3}]->(b) RETURN b.v AS v, count(r) AS c",
    "UNWIND range(1, 1000) AS i RETURN i % 7 AS k, count(*) AS c, sum(i * 0.1) AS s",
    "UNWIND [3, 'a', null, 3.0, [1, 2], 'a', [1, 2.0]] AS x RETURN x, count(*) AS c, collect(x) AS "
    "l",
    "UNWIND $list AS x RETURN x.a AS a, count(*) AS c, sum(x.b) AS b",
    "UNWIND range(1, 300) AS i UNWIND [i, null, i % 3] AS j RETURN j % 5 AS k, sum(j) AS s",
    "MATCH (n:N) RETURN n.v AS v, count(*) AS c UNION ALL MATCH (n:M) RETURN n.v AS v, sum(n.k) AS "
    "c",
    "MATCH (n:N) WITH n.v AS v, collect(n) AS all UNWIND all AS n RETURN v, sum(n.f) AS f",
    // Projections and optional patterns before the groups.
    "MATCH (n:N) WITH n.v AS v, n.k + 1 AS k RETURN v, sum(k) AS s, collect(k) AS all",
    "MATCH (n:N) WITH n, n.k % 5 AS r WHERE r > 1 RETURN r, count(*) AS c, min(n.f) AS f",
    "MATCH (a:N)-[:R]->(b) WITH b, a.v AS v WITH v, b.w AS w, b RETURN v, w, count(b) AS c",
    "MATCH (n:N) WITH n AS m RETURN m, count(*) AS c",
    "MATCH (a:N) OPTIONAL MATCH (a)-[:R]->(b:M) RETURN a.v AS v, count(b) AS c, collect(b.k) AS k",
    "MATCH (a:N) OPTIONAL MATCH (a)-[r:R]->(b) WHERE b.k > a.k RETURN b.w AS w, count(r) AS c",
    "MATCH (a:N) OPTIONAL MATCH (a)-[:R]->(b)-[:R]->(c:M) WITH a, c.v AS v RETURN v, count(a) AS c",
    "MATCH p = (a:N)-[:R]->(b)-[:R]->(:M) RETURN length(p) AS l, count(*) AS c, min(nodes(p)) AS m",
    // Sorts. Keys have equal values, so that the order of the input shows.
    "MATCH (n:N) RETURN n.k AS k, n.v AS v ORDER BY v",
    "MATCH (n:N) RETURN n.k AS k ORDER BY n.v DESC, n.w",
    "MATCH (n:N) RETURN n.k AS k ORDER BY n.m, n.t DESC",
    "MATCH (n:N) RETURN n.k AS k ORDER BY n.m LIMIT 7",
    "MATCH (n:N) RETURN n.k AS k ORDER BY n.e DESC SKIP 11 LIMIT 20",
    "MATCH (n:N) RETURN n.k % 9 AS k, n.w AS w ORDER BY k DESC LIMIT 40",
    "MATCH (n:N) RETURN n ORDER BY n.v + 1, n.w LIMIT 0",
    "MATCH (a:N)-[:R]->(b) RETURN a.k AS k, b ORDER BY b.v, a.w LIMIT 30",
    "MATCH (a:N)-[:R]->(b) RETURN a.k AS k, b.k AS l ORDER BY b.v * a.v",
    "MATCH (a:N)-[r:R]->(b) WITH a, b, r.x AS x ORDER BY x DESC, a.v LIMIT 50 RETURN x, count(*) "
    "AS c, collect(b.k) AS k",
    "MATCH (a:N) OPTIONAL MATCH (a)-[:R]->(b:M) RETURN a.k AS k, b.k AS l ORDER BY b.v, a.v",
    "UNWIND [3, 'a', null, 3.0, [1, 2], 'a', [1, 2.0], 1] AS x RETURN x ORDER BY x",
    // Distinct rows.
    "MATCH (n:N) RETURN DISTINCT n.v AS v",
    "MATCH (n:N) RETURN DISTINCT n.e AS e, n.m AS m",
    "MATCH (a:N)-[:R]->(b) RETURN DISTINCT b",
    "MATCH (a:N)-[:R]->(b) RETURN DISTINCT b.w AS w, a.v AS v ORDER BY v DESC LIMIT 5",
    "MATCH (a:N)-[:R]->(b) WITH DISTINCT b.w AS w, a.t AS t RETURN t, count(*) AS c, collect(w) AS "
    "w",
    "MATCH (a:N)-[:R]->(b) WITH DISTINCT a, b.v AS v WHERE v > 2 RETURN a.k AS k, v",
    "MATCH (a:N)-[:R]->(b) RETURN DISTINCT b.t AS t LIMIT 4",
    "UNWIND [3, 'a', null, 3.0, [1, 2], 'a', [1, 2.0], null] AS x RETURN DISTINCT x",
    // Extremes of values that are equal and differ, sums of both kinds and of large numbers.
    "MATCH (n:N) RETURN n.v AS v, min(n.e) AS a, max(n.e) AS b, min(n.t) AS t, max(n.m) AS m",
    "MATCH (n:N) RETURN min(n.g) AS a, max(n.g) AS b, min(DISTINCT n.e) AS e, max(n) AS n",
    "UNWIND [0.0, -0.0, 0, 1.5, -0.0] AS x RETURN min(x) AS x, max(x) AS y",
    "UNWIND range(1, 400) AS i RETURN sum(CASE i % 3 WHEN 0 THEN 1e308 WHEN 1 THEN -1e308 ELSE i "
    "END) AS s, avg(1e300 * i) AS a",
    "UNWIND range(1, 400) AS i RETURN sum(CASE WHEN i % 2 = 0 THEN i ELSE i / 7.0 END) AS s, "
    "avg(CASE i % 3 WHEN 0 THEN null WHEN 1 THEN i ELSE 1.0 / i END) AS a",
    "UNWIND range(1, 99) AS i RETURN i % 4 AS k, sum(duration({days: i})) AS s, "
    "avg(duration({months"
    ": i})) AS a, max(date('2020-01-01') + duration({days: i})) AS d",
    "UNWIND range(1, 99) AS i RETURN sum(CASE i % 2 WHEN 0 THEN 3000000000 * i ELSE -i END) AS s",
    // Statements that one thread computes.
    "MATCH (n:N) RETURN n.v AS v, percentileCont(n.k, 0.3) AS p",
    "MATCH (n:N) WHERE EXISTS { (n)-[:R]->(:M) } RETURN n.v AS v, count(*) AS c",
    "MATCH (n:N) WITH n LIMIT 10 RETURN count(*) AS c",
    "MATCH (n:N) RETURN min(n.k) AS k",
};

/// Statements that fail at single rows; one thread reports the error of the first such row.
const char* const failing[] = {
    "MATCH (n:N) RETURN sum(n.w) AS s",
    "MATCH (n:N) RETURN n.v AS v, sum(1 / (n.k - 200)) AS s",
    "MATCH (n:N) WHERE 1 / (n.k - 250) < 5 OR toInteger(n.w) + n.w > 3 RETURN count(*) AS c",
    "MATCH (a:N)-[:R]->(b) RETURN count(a.k % (b.k - 9)) AS c",
    "MATCH (n:N) RETURN sum(n.h * 1000000000) AS s",
    "MATCH (n:N) RETURN sum(CASE n.k WHEN 0 THEN 9223372036854775807 WHEN 9 THEN -9 ELSE 1 END) "
    "AS s",
    "UNWIND [9223372036854775807, -5, 3] AS i RETURN sum(i) AS s",
    "UNWIND [9223372036854775807, 3, -5] AS i RETURN sum(i) AS s",
    "UNWIND [1, 2, duration('P1D'), 4] AS i RETURN sum(i) AS s",
    "UNWIND [1, 2, duration('P1D'), 4] AS i RETURN avg(i) AS s",
    "UNWIND [1.5, duration('P1D'), 2.5] AS i RETURN sum(i) AS s",
    "MATCH (n:N) RETURN n.k AS k ORDER BY 1 / (n.k - 200)",
    "MATCH (n:N) RETURN n.k AS k ORDER BY n.v LIMIT -1",
    "MATCH (n:N) RETURN DISTINCT 1 / (n.k - 200) AS s",
    "MATCH (n:N) WITH 1 / (n.k - 250) AS x, n RETURN x, count(n) AS c",
    "MATCH (n:N) OPTIONAL MATCH (n)-[:R]->(m) WHERE 1 / (m.k - 9) > 0 RETURN count(m) AS c",
};

Parameters list_parameter() {
  List items;
  for (int i = 0; i < 200; ++i)
    items.emplace_back(Map{{"a", Value(i % 9)}, {"b", i % 2 == 0 ? Value(i) : Value(i / 7.0)}});
  return {{"list", Value(std::move(items))}};
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(threads, Fixture)

BOOST_AUTO_TEST_CASE(rows_are_those_of_one_thread) {
  for (const char* question : questions) compare(question, list_parameter());
}

BOOST_AUTO_TEST_CASE(errors_are_those_of_one_thread) {
  for (const char* question : failing) compare(question);
}

BOOST_AUTO_TEST_CASE(rows_stay_the_same_when_records_change) {
  std::mt19937_64 random(7);
  for (std::size_t round = 0; round < rounds(6, 60); ++round) {
    const std::string k = std::to_string(random() % 300);
    run_all(*database,
            {"MATCH (n:N {k: " + k + "}) SET n.v = 'text', n.f = " + std::to_string(random() % 99),
             "MATCH (n:N {k: " + std::to_string(random() % 300) + "}) DETACH DELETE n",
             "CREATE (:N {k: " + k + ", w: 'w3', g: 0.1})"});
    for (int i = 0; i < 8; ++i)
      compare(questions[random() % std::size(questions)], list_parameter());
  }
}

BOOST_AUTO_TEST_CASE(a_plan_says_which_part_is_shared) {
  is_shared("MATCH (n:N) RETURN n.v AS v, sum(n.f) AS s", true);
  is_shared("MATCH (a:N)-[:R]->(b)-[:R]->(c) RETURN count(*) AS c", true);
  is_shared("MATCH (n:N) WITH n.v AS v, n.f AS f RETURN v, sum(f) AS s", true);
  is_shared("MATCH (n:N) OPTIONAL MATCH (n)-[:R]->(m:M) RETURN n.v AS v, count(m) AS c", true);
  is_shared("MATCH (n:N) RETURN n.k AS k ORDER BY n.f", true);
  is_shared("MATCH (n:N) RETURN n.k AS k ORDER BY n.f + 1 LIMIT 5", true);
  is_shared("MATCH (n:N) RETURN n.k AS k ORDER BY rand() LIMIT 5", false);
  is_shared("MATCH (n:N) RETURN DISTINCT n.f + 1 AS f", true);
  is_shared("MATCH (n:N) RETURN DISTINCT n.f + 1 AS f ORDER BY f LIMIT 5", true);
  is_shared("MATCH (n:N) RETURN DISTINCT n.f + 1 AS f LIMIT 5", false);
  is_shared("MATCH (n:N) WITH n, rand() AS r RETURN count(r) AS c", false);
  is_shared("MATCH (n:N) WITH n LIMIT 10 RETURN sum(n.f) AS c", false);
  is_shared("MATCH (n:N) WHERE rand() < 2 RETURN n.v AS v, sum(n.k) AS s", false);
  is_shared("MATCH (n:N) WHERE EXISTS { (n)-->(:M) } RETURN n.v AS v, sum(n.f) AS s", false);
  is_shared("MATCH (n:N) RETURN n.v AS v, percentileDisc(n.f, 0.5) AS s", false);
  const std::string few = "MATCH (n:N) RETURN n.v AS v, sum(n.f) AS s";
  StatementOptions usual;
  usual.threads = 3;
  BOOST_TEST(plan_of(*database, "EXPLAIN " + few, {}, usual).find("threads") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_profile_counts_the_rows_of_all_threads) {
  const auto lines = rows_of(*database, "MATCH (n:N)-[:R]->(m) RETURN count(m.v) AS c", {}, on(1));
  auto rows = must(must(Statement::parse("PROFILE MATCH (n:N)-[:R]->(m) RETURN count(m.v) AS c"))
                       .run(*database, {}, on(3)));
  while (must(rows.next())) {
  }
  const std::string plan = rows.plan();
  BOOST_TEST(plan.find("(3 threads)") != std::string::npos, plan);
  const std::size_t expand = plan.find("Expand");
  BOOST_REQUIRE(expand != std::string::npos);
  const std::string line = plan.substr(expand, plan.find('\n', expand) - expand);
  BOOST_TEST(line.find(' ' + lines.front() + ' ') != std::string::npos, plan);
}

BOOST_AUTO_TEST_CASE(functions_of_the_program_are_called_one_at_a_time) {
  must(database->register_function(
      "app.same(x :: INTEGER) :: INTEGER",
      [](std::span<const Value> values) -> Result<Value> { return values[0]; }));
  const std::string question = "MATCH (n:N) RETURN sum(app.same(n.k)) AS s";
  is_shared(question, false);
  BOOST_TEST(result_of(*database, question, {}, on(3)) == "44850");
}

BOOST_AUTO_TEST_CASE(a_transaction_reads_its_writes) {
  auto transaction = must(database->begin());
  must(must(Statement::parse("CREATE (:N {k: 1000, v: 3})")).run(transaction));
  const auto sum = [&](std::uint32_t threads) {
    auto rows = must(must(Statement::parse("MATCH (n:N) RETURN n.v AS v, sum(n.k) AS s"))
                         .run(transaction, {}, on(threads)));
    std::string text;
    while (auto row = must(rows.next())) text += (*row)[0].to_text() + (*row)[1].to_text() + ";";
    return text;
  };
  BOOST_TEST(sum(3) == sum(1));
}

BOOST_DATA_TEST_CASE(memory_stays_within_its_limit_or_one_thread_does_it,
                     boost::unit_test::data::make(
                         {"MATCH (a:N)-[:R]->(b) RETURN a.k AS k, collect(b.w + a.w) AS w",
                          "MATCH (a:N)-[:R]->(b) RETURN a.k AS k, b.w + a.w AS w ORDER BY w",
                          "MATCH (a:N)-[:R]->(b) RETURN DISTINCT a.k AS k, b.w + a.w AS w"}),
                     question) {
  for (std::size_t bytes = std::size_t{32} << 10; bytes < std::size_t{8} << 20;
       bytes += bytes / 4) {
    BOOST_TEST_CONTEXT(bytes) {
      StatementOptions one = on(1);
      StatementOptions several = on(3);
      one.memory_bytes = several.memory_bytes = bytes;
      BOOST_TEST(rows_of(*database, question, {}, several) == rows_of(*database, question, {}, one),
                 boost::test_tools::per_element());
    }
  }
}

BOOST_AUTO_TEST_CASE(distinct_rows_before_an_error_are_those_of_one_thread) {
  const auto statement =
      must(Statement::parse("PROFILE UNWIND range(0, 9000) AS i RETURN DISTINCT 9 / (i - 8500)"));
  const auto read = [&](std::uint32_t threads) {
    auto rows = must(statement.run(*database, {}, on(threads)));
    std::string texts;
    auto row = rows.next();
    for (; row && *row; row = rows.next()) texts += (**row)[0].to_text() + ";";
    BOOST_TEST(!row);
    const bool is_again = rows.plan().find("again on one thread") != std::string::npos;
    BOOST_TEST(is_again == (threads > 1), rows.plan());
    return texts;
  };
  const std::string expected = read(1);
  BOOST_TEST(!expected.empty());
  BOOST_TEST(read(3) == expected);
}

BOOST_AUTO_TEST_CASE(all_threads_stop_at_the_end_of_the_time) {
  StatementOptions options = on(3);
  options.timeout = milliseconds(100);
  const auto begun = Clock::now();
  const Error error = error_of(
      *database, "MATCH (a:N)-->(b)-->(c)-->(d)-->(e)-->(f) RETURN f.w AS w, sum(a.f) AS s", {},
      options);
  BOOST_TEST((error.code == ErrorCode::resource_limit));
  BOOST_TEST(error.message.find("timeout") != std::string::npos, error.message);
  BOOST_TEST((Clock::now() - begun < milliseconds(2'000)));
}

BOOST_AUTO_TEST_CASE(all_threads_stop_when_the_statement_is_cancelled) {
  for (int i = 0; i < 20; ++i) {
    std::stop_source source;
    StatementOptions options = on(3);
    options.cancel = source.get_token();
    std::jthread stopper([&] {
      std::this_thread::sleep_for(milliseconds(i));
      source.request_stop();
    });
    const Error error =
        error_of(*database,
                 "MATCH (a:N)-->(b)-->(c)-->(d)-->(e)-->(f) RETURN count(DISTINCT f.k + a.k) AS c",
                 {}, options);
    BOOST_TEST((error.code == ErrorCode::cancelled), error.message);
  }
}

BOOST_AUTO_TEST_CASE(rows_are_read_again_only_where_an_error_or_the_order_needs_it) {
  const auto profile = [&](const std::string& question) {
    auto rows = must(must(Statement::parse("PROFILE " + question)).run(*database, {}, on(3)));
    while (must(rows.next())) {
    }
    return rows.plan();
  };
  const auto is_read_again = [&](const std::string& question, bool wanted) {
    const std::string plan = profile(question);
    BOOST_TEST((plan.find("again on one thread") != std::string::npos) == wanted, plan);
  };
  is_read_again("UNWIND [1] AS i UNWIND range(1, 4500000) AS j RETURN stDev(j) AS d", false);
  is_read_again("MATCH (n:N) RETURN min(n.f) AS a, max(n.w) AS b, sum(n.m) AS c", false);
  is_read_again("MATCH (n:N) RETURN sum(CASE WHEN n.k > 150 THEN n.h ELSE n.k END) AS s", false);
  is_read_again("MATCH (n:N) RETURN n.k AS k ORDER BY n.m", false);
  is_read_again("MATCH (n:N) RETURN DISTINCT n.m AS m", false);
  is_read_again("UNWIND [1e308, -1e308, 1e308] AS x RETURN sum(x) AS s", true);
}

BOOST_AUTO_TEST_CASE(close_does_not_wait_for_statements_on_snapshots) {
  std::stop_source source;
  StatementOptions options = on(3);
  options.cancel = source.get_token();
  options.timeout = std::chrono::seconds(20);
  std::atomic<bool> has_ended = false;
  std::optional<Snapshot> snapshot = must(database->snapshot());
  std::jthread reader([&] {
    auto rows = must(Statement::parse("MATCH (a:N)-->(b)-->(c)-->(d)-->(e)-->(f)-->(g) RETURN "
                                      "count(DISTINCT g.k + a.k) AS c"))
                    .run(*snapshot, {}, options);
    const auto row = rows ? rows->next() : rows.error();
    has_ended = true;
    BOOST_TEST((!row && row.error().code == ErrorCode::cancelled));
    snapshot.reset();
  });
  std::this_thread::sleep_for(milliseconds(200));
  must(database->close());
  BOOST_TEST(!has_ended);
  source.request_stop();
}

BOOST_AUTO_TEST_CASE(statements_of_several_threads_share_the_pool) {
  const std::string question = "MATCH (a:N)-[:R]->(b) RETURN b.v AS v, sum(a.f) AS s";
  const auto expected = rows_of(*database, question, {}, on(1));
  std::vector<std::jthread> readers;
  std::atomic<int> wrong = 0;
  for (int reader = 0; reader < 3; ++reader)
    readers.emplace_back([&] {
      for (int i = 0; i < 20; ++i)
        if (rows_of(*database, question, {}, on(3)) != expected) ++wrong;
    });
  readers.clear();
  BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_CASE(a_forked_child_reads_on_one_thread) {
  const std::string question = "MATCH (n:N) RETURN count(n.k + 1) AS c";
  BOOST_TEST(result_of(*database, question, {}, on(3)) == "300");
  const Snapshot snapshot = must(database->snapshot());
  const pid_t child = ::fork();
  if (child == 0) {
    auto rows = must(Statement::parse(question)).run(snapshot, {}, on(3));
    const auto row = rows ? rows->next() : rows.error();
    ::_exit(row && *row && (**row)[0] == Value(300) ? 0 : 1);
  }
  int status = 0;
  BOOST_REQUIRE(::waitpid(child, &status, 0) == child);
  BOOST_TEST(status == 0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
