// Limits hold whatever a statement does: it stops soon after its time limit, keeps its memory
// limit, and the database works on as before (reliability S4, S5, C5).

#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <random>
#include <thread>

namespace cairn::test {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// A complete graph of 40 nodes, and 20,000 other nodes.
struct Fixture {
  Fixture() {
    run_all(*database, {"UNWIND range(1, 40) AS i CREATE (:K {i: i})",
                        "MATCH (a:K), (b:K) WHERE a.i < b.i CREATE (a)-[:L]->(b)",
                        "UNWIND range(1, 20000) AS i CREATE (:Many {i: i, text: 'number ' + "
                        "toString(i)})"});
  }

  // Checks that the named limit ended the statement, and returns how long it ran.
  milliseconds time_of_stop(const std::string& text, const StatementOptions& options,
                            const std::string& limit) {
    const auto begun = Clock::now();
    const Error error = error_of(*database, text, {}, options);
    const auto time = std::chrono::duration_cast<milliseconds>(Clock::now() - begun);
    BOOST_TEST((error.code == ErrorCode::resource_limit));
    BOOST_TEST(error.message.find(limit) != std::string::npos, error.message);
    return time;
  }

  std::int64_t count(const std::string& label) {
    return std::stoll(result_of(*database, "MATCH (n:" + label + ") RETURN count(*)"));
  }

  TemporaryDatabase database;
};

// Statements that would run for hours.
const char* const endless[] = {
    "MATCH (a:Many), (b:Many), (c:Many) RETURN count(*)",
    "MATCH (a:Many), (b:Many) WHERE a.i + b.i = 0.5 RETURN count(*)",
    "MATCH (:K)-[:L*]-(:K) RETURN count(*)",
    "MATCH p = (:K)-[:L*1..12]-(:K) RETURN max(length(p))",
    "MATCH (a:K)--(b)--(c)--(d)--(e)--(f) RETURN count(*)",
    "UNWIND range(1, 1000000000) AS a UNWIND range(1, 1000000000) AS b RETURN count(*)",
    "UNWIND range(1, 1000000000) AS a WITH a WHERE a < 0 RETURN a",
    "RETURN reduce(s = 0, x IN range(1, 4000000) | s + reduce(t = 0, y IN range(1, 100) | t + y))",
    "RETURN any(x IN range(1, 4000000) WHERE any(y IN range(1, 100) WHERE x < 0))",
    "MATCH (a:Many) WHERE exists { (b:Many) WHERE b.i + a.i = 0.5 OR b.text + a.text = 'x' } "
    "RETURN count(*)",
    "MATCH (a:Many) RETURN sum(count { (b:Many) WHERE b.i + 1 > a.i })",
    "MATCH (a:Many), (b:Many) RETURN a.i % 7 AS k, count(*) AS c ORDER BY c",
    "MATCH (a:Many), (b:Many) WITH DISTINCT (a.i + b.i) % 5 AS s RETURN s",
    "MATCH (a:Many), (b:Many) WHERE a.text CONTAINS b.text + 'x' RETURN count(*)",
    "MATCH (a:Many) OPTIONAL MATCH (b:Many) WHERE b.i = -a.i AND b.text = 'x' + a.text "
    "OPTIONAL MATCH (c:Many), (d:Many) WHERE c.i + d.i < 0 RETURN count(*)",
    "MATCH (a:K {i: 1}), (b:K {i: 2}) MATCH p = (a)-[:L*]-(b) RETURN count(p)",
    "WITH range(1, 100000) AS l RETURN size([x IN l WHERE size([y IN l WHERE false]) > 0])",
    "WITH range(1, 1000000) AS l RETURN size([x IN l WHERE NOT (x + 10000000) IN l])",
};

// Writes that would change too much.
const char* const endless_writes[] = {
    "UNWIND range(1, 1000000000) AS i CREATE (:New {i: i})",
    "MATCH (a:Many), (b:Many) SET a.touched = b.i",
    "MATCH (a:Many), (b:Many) MERGE (:New {i: a.i * b.i})",
    "FOREACH (i IN range(1, 9000000) | CREATE (:New {i: i}))",
};

// Statements whose results or intermediate values would not fit into memory.
const char* const exploding[] = {
    "UNWIND range(1, 10000000) AS x RETURN collect(x)",
    "UNWIND range(1, 150) AS i WITH range(1, 1000000) AS l RETURN sum(size(l))",
    "RETURN size(reduce(x = [], i IN range(1, 200000) | [x]))",
    "UNWIND range(1, 10000000) AS x RETURN collect(DISTINCT x)",
    "UNWIND range(1, 10000000) AS x RETURN x ORDER BY x",
    "UNWIND range(1, 10000000) AS x RETURN x, count(*)",
    "UNWIND range(1, 2000) AS x RETURN x, max(range(1, 1000 + x))",
    "UNWIND range(1, 2000) AS x RETURN x, min(range(1, 1000 + x))",
    "UNWIND range(1, 10000000) AS x RETURN DISTINCT x",
    "UNWIND range(1, 10000000) AS x WITH collect(toString(x)) AS texts RETURN size(texts)",
    "RETURN reduce(s = 'x', i IN range(1, 60) | s + s)",
    "RETURN reduce(s = [1], i IN range(1, 60) | s + s)",
    "RETURN size([x IN range(1, 3000) | [y IN range(1, 3000) | x + y]])",
    "MATCH (a:Many), (b:Many) RETURN collect(a.text + b.text)",
    "MATCH (a:Many) RETURN [x IN range(1, 3000) | [y IN range(1, 3000) | a.text + y]] AS every",
    "MATCH (a:Many), (b:Many) RETURN a, b ORDER BY a.i + b.i",
    "UNWIND range(1, 10000000) AS x RETURN x UNION RETURN 1 AS x",
    "MATCH p = (:K)-[:L*1..6]-(:K) RETURN collect(p)",
    ("MATCH (a:Many) WITH collect(a.text) AS t UNWIND range(1, 1000) AS i WITH t, i, t + [i] AS u "
     "RETURN collect(u)"),
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(limits, Fixture)

BOOST_AUTO_TEST_CASE(statements_stop_soon_after_their_time) {
  StatementOptions options;
  options.timeout = milliseconds(50);
  for (const char* text : endless) {
    BOOST_TEST_CONTEXT(text) {
      const milliseconds time = time_of_stop(text, options, "timeout");
      // The aim is 50 ms past the limit; a busy machine must not fail the test.
      BOOST_TEST(time.count() < 2'000);
    }
  }
}

BOOST_AUTO_TEST_CASE(half_done_writes_are_taken_back) {
  StatementOptions options;
  options.timeout = milliseconds(100);
  options.memory_bytes = std::size_t{64} << 20;
  const std::int64_t before = count("Many");
  for (const char* text : endless_writes) {
    BOOST_TEST_CONTEXT(text) {
      BOOST_TEST((error_of(*database, text, {}, options).code == ErrorCode::resource_limit));
      BOOST_TEST(count("New") == 0);
      BOOST_TEST(count("Many") == before);
      BOOST_TEST(result_of(*database,
                           "MATCH (n:Many) WHERE n.touched IS NOT NULL RETURN count(*)") == "0");
    }
  }
}

BOOST_AUTO_TEST_CASE(memory_stays_within_its_limit) {
  StatementOptions options;
  options.memory_bytes = std::size_t{4} << 20;
  for (const char* text : exploding) {
    BOOST_TEST_CONTEXT(text) {
      const Error error = error_of(*database, text, {}, options);
      BOOST_TEST((error.code == ErrorCode::resource_limit), error.message);
    }
  }
  BOOST_TEST(count("K") == 40);
}

// Each prefix is expanded over 20,000 terms, once for every time that the question names it.
const char* const expanded[] = {"1* 2* 3* ", "+number +1* ", "(1* 2*) ", "number~2 12345~2 "};

BOOST_AUTO_TEST_CASE(expansions_of_a_full_text_question_count) {
  run_all(*database, {"CREATE FULLTEXT INDEX texts FOR (m:Many) ON EACH [m.text]"});
  const std::string search =
      "MATCH (m:Many) SEARCH m IN (FULLTEXT INDEX texts FOR $question LIMIT 10) RETURN count(*)";
  const auto error = [&](const char* words, const StatementOptions& options) {
    std::string question;
    for (int i = 0; i < 2'000; ++i) question += words;
    return error_of(*database, search, {{"question", question}}, options);
  };
  for (const char* words : expanded) {
    BOOST_TEST_CONTEXT(words) {
      BOOST_TEST(result_of(*database, search, {{"question", words}}) == "10");
      StatementOptions options;
      options.timeout = milliseconds(50);
      const auto begun = Clock::now();
      const Error late = error(words, options);
      BOOST_TEST(late.message.find("timeout") != std::string::npos, late.message);
      BOOST_TEST((Clock::now() - begun < milliseconds(2'000)));
    }
  }
  StatementOptions options;
  options.memory_bytes = std::size_t{4} << 20;
  const Error large = error(expanded[0], options);
  BOOST_TEST(large.message.find("memory_bytes") != std::string::npos, large.message);
}

BOOST_AUTO_TEST_CASE(hits_of_a_search_count) {
  run_all(*database, {"CREATE FULLTEXT INDEX texts FOR (m:Many) ON EACH [m.text]",
                      "MATCH (m:Many) SET m.place = vector([m.i, 1], 2, FLOAT32)",
                      "CREATE VECTOR INDEX places FOR (m:Many) ON m.place OPTIONS {indexConfig: "
                      "{`vector.dimensions`: 2, `vector.similarity_function`: 'euclidean'}}"});
  StatementOptions options;
  options.memory_bytes = std::size_t{256} << 10;
  for (const char* index :
       {"FULLTEXT INDEX texts FOR 'number'", "VECTOR INDEX places FOR [1, 1]"}) {
    BOOST_TEST_CONTEXT(index) {
      const std::string search = "MATCH (m:Many) SEARCH m IN (" + std::string(index) + " LIMIT ";
      BOOST_TEST(result_of(*database, search + "100) RETURN count(*)", {}, options) == "100");
      const Error error = error_of(*database, search + "20000) RETURN count(*)", {}, options);
      BOOST_TEST(error.message.find("memory_bytes") != std::string::npos, error.message);
    }
  }
  // No row has too many hits alone, but the hits of 64 rows are in memory together.
  const Error ahead = error_of(
      *database,
      "UNWIND range(1, 500) AS i MATCH (m:Many) SEARCH m IN (VECTOR INDEX places FOR [i, 1] "
      "LIMIT 4000) WHERE m.i > 0 RETURN count(*)",
      {}, options);
  BOOST_TEST(ahead.message.find("memory_bytes") != std::string::npos, ahead.message);
}

BOOST_AUTO_TEST_CASE(a_stop_from_another_thread_comes_through_at_any_moment) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 60; ++i) {
    std::stop_source stop;
    StatementOptions options;
    options.cancel = stop.get_token();
    const char* text = endless[random() % std::size(endless)];
    std::jthread canceller([&, wait = std::chrono::microseconds(random() % 8'000)] {
      std::this_thread::sleep_for(wait);
      stop.request_stop();
    });
    BOOST_TEST_CONTEXT(text) {
      const ErrorCode code = error_of(*database, text, {}, options).code;
      BOOST_TEST((code == ErrorCode::cancelled || code == ErrorCode::resource_limit));
    }
  }
  BOOST_TEST(count("K") == 40);
}

BOOST_AUTO_TEST_CASE(rows_of_large_values_are_held_one_after_the_other) {
  StatementOptions options;
  options.memory_bytes = std::size_t{200} << 20;
  BOOST_TEST(result_of(*database,
                       "UNWIND range(1, 20) AS i WITH range(1, 1000000) AS l RETURN sum(size(l))",
                       {}, options) == "20000000");
}

BOOST_AUTO_TEST_CASE(more_clauses_or_steps_than_the_stack_and_the_planner_bear_are_refused) {
  const auto repeated = [](const std::string& text, int times) {
    std::string all;
    for (int i = 0; i < times; ++i) all += text;
    return all;
  };
  BOOST_TEST(result_of(*database, repeated("WITH 1 AS x ", 999) + "RETURN x") == "1");
  const Error clauses = error_of(*database, repeated("WITH 1 AS x ", 1'000) + "RETURN x");
  BOOST_TEST(clauses.message.find("at most 1000 clauses") != std::string::npos, clauses.message);
  const Error steps = error_of(*database, "MATCH ()" + repeated("--()", 1'000) + " RETURN 1");
  BOOST_TEST(steps.message.find("at most 1000 nodes") != std::string::npos, steps.message);
}

BOOST_AUTO_TEST_CASE(time_that_the_caller_takes_between_rows_does_not_count) {
  StatementOptions options;
  options.timeout = milliseconds(200);
  Rows rows = must(execute(*database, "MATCH (n:Many) RETURN n.i LIMIT 5000", {}, options));
  std::size_t seen = 0;
  while (true) {
    const auto row = must(rows.next());
    if (!row) break;
    if (++seen % 1'000 == 0) std::this_thread::sleep_for(milliseconds(60));
  }
  BOOST_TEST(seen == 5'000U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
