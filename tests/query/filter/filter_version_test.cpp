// Filters compare versions: by version() and by the field of the memory calls, with the index and by reading every
// record. 1.10.0 is greater than 1.9.0. A value that is not a version is neither less nor greater.

#include "query/functions/semantic_version.hpp"
#include "query/functions/value_semantics.hpp"
#include "tests/query/filter/filter_doors.hpp"
#include "tests/support/run_query.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <map>

namespace cairn::test {
namespace {

using Op = FilterOperator;

const std::vector<Value> stored_values() {
  return {"1.9.0",
          "1.10.0",
          "1.10.0",
          "1.10.0-rc.1",
          "0.1.0",
          "2.0.0+b",
          "banana",
          "",
          "1.9",
          "2025-01-01",
          "zebra " + std::string(300, 'z'),
          7,
          true,
          List{"1.11.0", "banana"},
          List{"1.0.0"},
          Date{20'000}};
}

/// Whether a value, or an element of a list, is a version on this side of the bound.
bool is_on_side(const Value& value, Op op, const std::string& bound) {
  if (const List* list = value.list())
    return std::ranges::any_of(*list, [&](const Value& one) { return is_on_side(one, op, bound); });
  const auto version =
      value.string() != nullptr ? query::order_of_version(value.as_string()) : std::nullopt;
  if (!version) return false;
  const int order = *query::compare(*version, *query::order_of_version(bound));
  if (op == Op::greater_than) return order > 0;
  if (op == Op::greater_or_equal) return order >= 0;
  return op == Op::less_than ? order < 0 : order <= 0;
}

struct VersionFixture {
  VersionFixture() {
    Transaction transaction = must(database->begin());
    // Each of them many times, so that different texts are cheaper to read than records.
    for (int i = 0; i < 20; ++i)
      for (const Value& one : stored_values())
        stored.emplace(must(transaction.create_node({{"T"}, {{"v", one}}})).value, one);
    must(transaction.commit());
  }
  std::string result(const std::string& statement) { return result_of(*database, statement); }

  TemporaryDatabase database;
  std::map<std::uint64_t, Value> stored;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(filter_version, VersionFixture)

BOOST_AUTO_TEST_CASE(a_bound_that_is_a_version_has_versions_on_its_sides) {
  for (const Op op : {Op::greater_than, Op::greater_or_equal, Op::less_than, Op::less_or_equal})
    for (const char* bound : {"1.9.0", "1.10.0", "1.10.0-rc.1", "0.0.1"}) {
      std::set<std::uint64_t> right;
      for (const auto& [id, value] : stored)
        if (is_on_side(value, op, bound)) right.insert(id);
      for (const Door door : {Door::call, Door::text})
        for (const bool by_index : {true, false})
          BOOST_TEST(passing(*database, Filter::where("v", op, bound), door, by_index) == right,
                     boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_CASE(bounds_that_are_none_compare_texts_as_before) {
  BOOST_TEST(result("MATCH (n:T) WHERE filter.greater_than(n.v, '1.9') RETURN DISTINCT n.v AS v "
                    "ORDER BY v") ==
             "['1.11.0', 'banana']; '1.9.0'; '2.0.0+b'; '2025-01-01'; 'banana'; 'zebra " +
                 std::string(300, 'z') + "'");
}

BOOST_AUTO_TEST_CASE(version_compares_and_sorts_by_numbers) {
  const std::string order = " RETURN DISTINCT n.v AS v ORDER BY version(v), v";
  BOOST_TEST(result("MATCH (n:T) WHERE version(n.v) > version('1.9.0')" + order) ==
             "'1.10.0-rc.1'; '1.10.0'; '2.0.0+b'");
  BOOST_TEST(result("MATCH (n:T) WHERE version('1.10.0') > version(n.v)" + order) ==
             "'0.1.0'; '1.9.0'; '1.10.0-rc.1'");
  BOOST_TEST(result("MATCH (n:T) WHERE NOT version(n.v) > version('1.9.0')" + order) ==
             "'0.1.0'; '1.9.0'");
  BOOST_TEST(result("MATCH (n:T) WHERE version(n.v) = version('2.0.0')" + order) == "'2.0.0+b'");
  BOOST_TEST(result("MATCH (n:T) WHERE version(n.v) <> version('1.10.0')" + order) ==
             "'0.1.0'; '1.9.0'; '1.10.0-rc.1'; '2.0.0+b'");
  BOOST_TEST(result("MATCH (n:T) WHERE version(n.v) >= version('banana')" + order) == "");
  BOOST_TEST(result("MATCH (n:T) RETURN max(version(n.v)) AS last") == "[2, 0, 0, 1]");
}

BOOST_AUTO_TEST_CASE(the_index_finds_what_the_records_say) {
  for (const char* op : {"<", "<=", ">", ">=", "=", "<>"})
    for (const char* side :
         {"version(v) OP version('1.10.0')", "NOT version(v) OP version('1.10.0')",
          "version('1.10.0') OP version(v)", "version(v) OP 7", "version(v) OP null"}) {
      std::string by_value = side;
      by_value.replace(by_value.find("OP"), 2, op);
      std::string by_index = by_value;
      by_index.replace(by_index.find("(v)") + 1, 1, "n.v");
      const std::string back = " RETURN count(*)";
      BOOST_TEST(result("MATCH (n:T) WHERE " + by_index + back) ==
                     result("MATCH (n:T) WITH n.v AS v WHERE " + by_value + back),
                 by_index);
    }
}

BOOST_AUTO_TEST_CASE(explain_says_that_different_texts_are_compared) {
  const std::string plan =
      plan_of(*database, "EXPLAIN MATCH (n:T) WHERE version(n.v) > version('1.9.0') RETURN n");
  BOOST_TEST(plan.find("version(n.v) > version('1.9.0'), by different texts") != std::string::npos,
             plan);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
