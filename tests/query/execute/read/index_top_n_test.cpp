// The first rows of a sort, and counts, over filters whose bitmaps are not intersected. Compares them with the same
// statements without the rules, over so many records that the order of the values is walked.

#include "tests/support/graph_builder.hpp"
#include "tests/support/rounds.hpp"
#include "tests/support/run_query.hpp"

#include <cairn/statement.hpp>

#include <boost/test/unit_test.hpp>

#include <sstream>

namespace cairn::test {
namespace {

struct Fixture {
  // 6,000 records with different values of `date`, which do not ascend with the ids.
  Fixture() {
    Transaction transaction = must(database->begin());
    for (std::int64_t i = 0; i < 6'000; ++i)
      must(transaction.create_node({{"M"},
                                    {{"kind", i % 3},
                                     {"agent", i % 4 < 3 ? "a" : "b" + std::to_string(i % 500)},
                                     {"level", i % 10},
                                     {"batch", i * 7'919 % 6'007 / 2'000},
                                     {"date", i * 7'919 % 6'007}}}));
    must(transaction.commit());
  }

  void check(const StatementOptions& options = {}) {
    StatementOptions plain = options;
    plain.disabled_rules =
        "count_from_cardinality index_group_count index_top_n index_min_max choose_indexes";
    static const std::vector<std::string> filters = {
        "m.kind = 1 AND m.agent = 'a'",
        "m.kind = 1 AND m.agent = 'a' AND m.level = 4",
        "m.kind = 1 AND m.level >= 2",
        "m.kind = 1 AND m.level >= 2 AND m.agent = 'a'",
        "m.kind = 1 AND NOT m.agent = 'a'",
        "NOT m.kind = 1 AND NOT m.level = 3",
        "m.kind = 1 AND (m.level = 3 OR m.agent = 'a')",
        "m.kind = 1 AND m.agent = 'b3'",
        "m.kind = 1 AND m.agent = 'nobody'",
        "m.kind = 1 AND m.agent CONTAINS 'a'",
        "m.agent CONTAINS 'a' AND m.kind = 1 AND m.level <> 3",
        "m.kind = 1 AND m.agent = 'a' AND m.level % 2 = 0",
    };
    for (std::size_t i = checks_++ % stride(); i < filters.size(); i += stride()) {
      const std::string match = "MATCH (m:M) WHERE " + filters[i];
      for (const std::string rest :
           {" RETURN count(*)", " RETURN m.date, id(m) ORDER BY m.date DESC LIMIT 20",
            " RETURN m.date, id(m) ORDER BY m.date LIMIT 20",
            " RETURN m.date ORDER BY m.date SKIP 3 LIMIT 4",
            " RETURN m ORDER BY m.batch DESC, id(m) SKIP 3 LIMIT 20",
            " RETURN id(m) AS id ORDER BY m.batch, id LIMIT 20",
            " RETURN m.batch AS b, id(m) ORDER BY b DESC LIMIT 20",
            " RETURN id(m) ORDER BY m.batch DESC, id(m) DESC LIMIT 20",
            " RETURN id(m) ORDER BY m.batch, m.date, id(m) LIMIT 20",
            " RETURN min(m.date), max(m.date)", " RETURN m.level, count(*)"}) {
        const std::string text = match + rest;
        BOOST_TEST_CONTEXT(text)
        BOOST_TEST(rows_of(*database, text, {}, options) == rows_of(*database, text, {}, plain),
                   boost::test_tools::per_element());
      }
    }
  }

  TemporaryDatabase database;

 private:
  // Counts checks. With a sanitizer, each check takes only some filters, and the next check takes
  // others.
  std::size_t checks_ = 0;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(index_top_n, Fixture)

BOOST_AUTO_TEST_CASE(rows_are_those_of_all_records_sorted) {
  // Twice: the order of values is kept in memory only after it has paid for itself.
  for (int i = 0; i < 2; ++i) check();
}

BOOST_AUTO_TEST_CASE(nulls_come_first_descending_and_last_ascending) {
  check();
  must(execute(*database, "MATCH (m:M) WHERE m.level = 4 AND m.date % 50 = 0 REMOVE m.date"));
  must(execute(*database, "MATCH (m:M) WHERE m.level >= 4 REMOVE m.batch"));
  for (int i = 0; i < 2; ++i) check();
}

BOOST_AUTO_TEST_CASE(values_that_have_no_place_in_the_order_are_sorted_as_ever) {
  must(execute(*database, "MATCH (m:M) WHERE m.date % 600 = 1 SET m.date = [m.date]"));
  for (int i = 0; i < 2; ++i) check();
}

BOOST_AUTO_TEST_CASE(of_equal_values_only_as_many_are_scanned_as_the_sort_keeps) {
  const std::string match = "MATCH (m:M) WHERE m.kind = 1 RETURN m ORDER BY ";
  for (const std::string order : {"m.batch, id(m)", "m.batch DESC, id(m)", "m.batch"}) {
    std::string plan;
    for (int i = 0; i < 6; ++i) plan = plan_of(*database, "PROFILE " + match + order + " LIMIT 30");
    const std::size_t scan = plan.find("ScanNodes (m) first by batch");
    BOOST_REQUIRE_MESSAGE(scan != std::string::npos, plan);
    std::istringstream numbers(plan.substr(plan.find('~', scan) + 1));
    std::size_t expected = 0, rows = 0;
    numbers >> expected >> rows;
    BOOST_TEST(rows == 30U, plan);
  }
}

BOOST_AUTO_TEST_CASE(what_may_not_be_seen_is_not_among_them) {
  StatementOptions tenant;
  tenant.name_space = "tenant";
  must(execute(*database,
               "UNWIND range(1, 2000) AS i "
               "CREATE (:M {kind: 1, agent: 'a', level: i % 10, date: 100000 + i})",
               {}, tenant));
  for (int i = 0; i < 2; ++i) {
    check();
    check(tenant);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
