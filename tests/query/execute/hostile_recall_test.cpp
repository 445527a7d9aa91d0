// Questions that name very much: dates by the hundred thousand. recall() takes little memory for them, whatever they find,
// and stops in time (reliability S4, S5).
#include "tests/query/execute/hostile/stop_watch.hpp"
#include "tests/support/counted_memory.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <cairn/recall.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <string>

namespace cairn::test {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t mebibyte = std::size_t{1} << 20;

/// Records that have a date of their own in twelve properties, every other day, and a question with all these dates, each
/// of them many times.
struct DatedRecords {
  DatedRecords() {
    run_all(*database,
            {"CREATE FULLTEXT INDEX texts FOR (r:Record) ON EACH [r.text]",
             "UNWIND range(1, 1500) AS i WITH i, toString(date('2015-01-01') + duration({days: 2 * "
             "i})) AS d CREATE (:Record {text: 'text', a: d, b: d, c: d, d: d, e: d, f: d, g: d, "
             "h: d, i: d, j: d, k: d, l: d})"});
    std::string dates;
    for (const std::string& date : rows_of(*database, "MATCH (r:Record) RETURN r.a"))
      dates += date.substr(date.find('2'), std::string_view("2015-01-03").size()) + " ";
    for (int i = 0; i < 200; ++i) question += dates;  // 300,000 dates
    // Only dates are looked up.
    options.features.entity_weight = options.features.author_weight = 0;
  }

  TemporaryDatabase database;
  std::string question;
  RecallOptions options;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(hostile_recall, DatedRecords)

// A set of records for each naming of a date would take hundreds of MiB.
BOOST_AUTO_TEST_CASE(very_many_dates_of_a_question_take_little_memory) {
  const auto peak_with = [&](double date_weight) {
    options.features.date_weight = date_weight;
    const Snapshot snapshot = must(database->snapshot());
    StatementOptions statement;
    statement.timeout = std::chrono::minutes(10);
    statement.memory_bytes = std::size_t{2} << 30;
    const MemoryPeak peak;
    BOOST_TEST(must(recall(snapshot, question, options, statement)).empty() == (date_weight == 0));
    return peak.bytes();
  };
  peak_with(0.5);  // fills the caches
  const std::size_t without = peak_with(0);
  BOOST_TEST(peak_with(0.5) <= without + 32 * mebibyte);
}

BOOST_AUTO_TEST_CASE(very_many_dates_of_a_question_end_with_the_time) {
  std::size_t stopped = 0;
  for (const milliseconds time : {milliseconds(20), milliseconds(200), milliseconds(1'000)}) {
    StatementOptions statement;
    statement.timeout = time;
    const Snapshot snapshot = must(database->snapshot());
    StopWatch watch(time, nullptr);
    const auto found = recall(snapshot, question, options, statement);
    const Lateness late = watch.lateness();
    BOOST_TEST((found || found.error().code == ErrorCode::resource_limit));
    BOOST_TEST((late.computing <= milliseconds(50)), late.computing.count() << " us");
    if (!found) ++stopped;
  }
  BOOST_TEST(stopped > 0U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
