#include "engine/telemetry/telemetry.hpp"

#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <cairn/vector_search.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <thread>
#include <vector>

using namespace cairn;
using engine::LatencyHistogram;
using test::must;
using test::run_all;
using test::TemporaryDatabase;

namespace {

double value_of(Database& database, const std::string& name) {
  const Metrics metrics = database.metrics();
  const auto found = std::ranges::find(metrics.values, name, &Metric::name);
  BOOST_TEST_REQUIRE((found != metrics.values.end()), name);
  return found->value;
}

std::uint64_t calls_of(Database& database, const std::string& name) {
  const Metrics metrics = database.metrics();
  const auto found = std::ranges::find(metrics.histograms, name, &Histogram::name);
  BOOST_TEST_REQUIRE((found != metrics.histograms.end()), name);
  std::uint64_t calls = 0;
  for (const std::uint64_t bucket : found->buckets) calls += bucket;
  return calls;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(telemetry)

BOOST_AUTO_TEST_CASE(threads_lose_no_count) {
  engine::ShardedCounter counter;
  LatencyHistogram histogram;
  std::vector<std::thread> threads;
  for (int i = 0; i < 12; ++i)
    threads.emplace_back([&] {
      for (int j = 0; j < 10'000; ++j) {
        counter.add(2);
        histogram.add(std::chrono::microseconds(10));
      }
    });
  for (std::thread& thread : threads) thread.join();
  BOOST_TEST(counter.sum() == 240'000U);
  BOOST_TEST(histogram.content().buckets.front() == 120'000U);
  BOOST_TEST(histogram.content().seconds == 1.2, boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(a_bound_belongs_to_the_bucket_below_it) {
  for (std::size_t i = 0; i < LatencyHistogram::bounds.size(); ++i) {
    LatencyHistogram histogram;
    const std::chrono::microseconds bound(LatencyHistogram::bounds.at(i));
    histogram.add(bound);
    histogram.add(bound + std::chrono::nanoseconds(1));
    BOOST_TEST(histogram.content().buckets.at(i) == 1U);
    BOOST_TEST(histogram.content().buckets.at(i + 1) == 1U);
  }
  LatencyHistogram histogram;
  histogram.add(std::chrono::hours(1));
  histogram.add(std::chrono::nanoseconds(-1));
  BOOST_TEST(histogram.content().buckets.back() == 1U);
  BOOST_TEST(histogram.content().buckets.front() == 1U);
}

BOOST_AUTO_TEST_CASE(commits_and_what_they_write_are_counted) {
  TemporaryDatabase database;
  run_all(*database, {"CREATE (:A {t: 'x'})-[:R]->(:A)"});
  BOOST_TEST(value_of(*database, "cairn_commits_total") == 1);
  BOOST_TEST(value_of(*database, "cairn_records_written_total") == 3);
  // A large text has a key of its own and is no record.
  run_all(*database, {"MATCH (a:A {t: 'x'}) SET a.t = reduce(s = 'x', i IN range(1, 12) | s + s)"});
  BOOST_TEST(value_of(*database, "cairn_records_written_total") == 4);
  BOOST_TEST(value_of(*database, "cairn_bytes_written_total") > 4'096);
  run_all(*database, {"MATCH (a:A) DETACH DELETE a"});
  BOOST_TEST(value_of(*database, "cairn_records_written_total") == 7);
  BOOST_TEST(calls_of(*database, "cairn_commit_seconds") == 3U);
  BOOST_TEST(value_of(*database, "cairn_commits_failed_total") == 0);
  BOOST_TEST(value_of(*database, "cairn_nodes") == 0);
  BOOST_TEST(value_of(*database, "cairn_commit_number") == 3);
}

BOOST_AUTO_TEST_CASE(they_begin_with_the_opening) {
  TemporaryDatabase database;
  run_all(*database, {"CREATE (:A)"});
  database.reopen();
  BOOST_TEST(value_of(*database, "cairn_commits_total") == 0);
  BOOST_TEST(value_of(*database, "cairn_nodes") == 1);
  BOOST_TEST(value_of(*database, "cairn_memory_bytes") > 0);
}

BOOST_AUTO_TEST_CASE(checkpoints_and_searches_are_counted) {
  TemporaryDatabase database;
  run_all(
      *database,
      {"CREATE VECTOR INDEX v FOR (a:A) ON (a.v) OPTIONS {indexConfig: {`vector.dimensions`: 2}}",
       "CREATE FULLTEXT INDEX t FOR (a:A) ON EACH [a.t]", "CREATE (:A {v: [1, 2], t: 'red'})"});
  must(database->checkpoint());
  BOOST_TEST(value_of(*database, "cairn_checkpoints_total") == 1);
  BOOST_TEST(calls_of(*database, "cairn_checkpoint_seconds") == 1U);
  const std::vector<VectorQuestion> questions(3, {{1, 2}, 0});
  must(search_vectors(must(database->snapshot()), "v", questions));
  run_all(*database, {"MATCH (a:A) SEARCH a IN (FULLTEXT INDEX t FOR 'red' LIMIT 1) RETURN a"});
  BOOST_TEST(value_of(*database, "cairn_vector_searches_total") == 3);
  BOOST_TEST(value_of(*database, "cairn_text_searches_total") == 1);
  BOOST_TEST(calls_of(*database, "cairn_search_seconds") == 2U);
}

BOOST_AUTO_TEST_CASE(a_writer_that_waits_is_counted) {
  TemporaryDatabase database;
  run_all(*database, {"CREATE (:A)"});
  BOOST_TEST(value_of(*database, "cairn_writer_waits_total") == 0);
  Transaction first = must(database->begin());
  std::thread second([&] { must(execute(*database, "CREATE (:B)")); });
  while (value_of(*database, "cairn_writers_waiting") == 0) std::this_thread::yield();
  first.rollback();
  second.join();
  BOOST_TEST(value_of(*database, "cairn_writer_waits_total") == 1);
  BOOST_TEST(calls_of(*database, "cairn_writer_wait_seconds") == 1U);
}

BOOST_AUTO_TEST_CASE(the_posting_cache_tells_what_it_had) {
  TemporaryDatabase database;
  run_all(*database, {"UNWIND range(1, 100) AS i CREATE (:A {x: i % 2})"});
  const double before = value_of(*database, "cairn_posting_cache_hits_total");
  for (int i = 0; i < 3; ++i) run_all(*database, {"MATCH (a:A {x: 1}) RETURN count(a)"});
  BOOST_TEST(value_of(*database, "cairn_posting_cache_hits_total") > before);
  BOOST_TEST(value_of(*database, "cairn_posting_cache_misses_total") > 0);
}

BOOST_AUTO_TEST_SUITE_END()
