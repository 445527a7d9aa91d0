// Compares the cost of a filter in a parameter with that of the same condition in the text of a
// prepared statement.

#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <cairn/statement.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <ctime>
#include <string>
#include <vector>

namespace cairn::test {
namespace {

/// Of this thread alone, so that other work on the machine does not count.
double cpu_microseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

std::int64_t run_once(const Statement& statement, const Snapshot& snapshot,
                      const Parameters& parameters) {
  Rows rows = must(statement.run(snapshot, parameters));
  return (*must(rows.next()))[0].as_integer();
}

std::string json_of(int user, int least) {
  return R"({"operator": "AND", "filters": [{"field": "user", "operator": "equals", "value": )" +
         std::to_string(user) + R"(}, {"field": "weight", "operator": "greater_than", "value": )" +
         std::to_string(least) + R"(}, {"field": "tags", "operator": "contains", "value": "t1"}]})";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(filter_parameter_cost)

BOOST_AUTO_TEST_CASE(a_json_filter_costs_at_most_ten_microseconds_more_than_text) {
  TemporaryDatabase database;
  run_all(*database, {"UNWIND range(1, 1000) AS i CREATE (:M {user: i % 20, weight: i % 7, "
                      "tags: ['t' + toString(i % 4)]})"});
  const Snapshot snapshot = must(database->snapshot());
  const Statement text = must(
      Statement::parse("MATCH (n) WHERE filter.equals(n.user, $user) AND "
                       "filter.greater_than(n.weight, $least) AND filter.contains(n.tags, 't1') "
                       "RETURN count(*)"));
  const Statement json =
      must(Statement::parse("MATCH (n) WHERE matches_filter(n, $filter) RETURN count(*)"));
  std::array<std::vector<double>, 2> times;
  for (int round = 0; round < 2'000; ++round) {
    const int user = round % 20, least = round % 5;
    const Parameters values{{"user", user}, {"least", least}};
    const Parameters filter{{"filter", json_of(user, least)}};
    const double begin = cpu_microseconds();
    const std::int64_t by_text = run_once(text, snapshot, values);
    const double middle = cpu_microseconds();
    const std::int64_t by_json = run_once(json, snapshot, filter);
    const double end = cpu_microseconds();
    BOOST_REQUIRE(by_text == by_json);
    times[0].push_back(middle - begin);
    times[1].push_back(end - middle);
  }
  const double by_text = median(times[0]), by_json = median(times[1]);
  BOOST_TEST_MESSAGE("text " << by_text << " us, JSON " << by_json << " us");
  BOOST_TEST(by_json - by_text <= 10, "text " << by_text << " us, JSON " << by_json << " us");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
