#include "query/plan/pattern_layout.hpp"
#include "tests/query/plan/support.hpp"

#include <boost/test/unit_test.hpp>

namespace cairn::query {
namespace {

const std::vector<Clause>& clauses_of(const PlannedStatement& planned) {
  return std::get<Query>(planned.bound.content).parts[0].clauses;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(row_widths)

BOOST_AUTO_TEST_CASE(a_row_is_as_long_as_its_part_needs) {
  const PlannedStatement planned("MATCH (a)-[r]->(b) WITH a RETURN a");
  const std::span<const Clause> clauses = clauses_of(planned);
  BOOST_TEST(row_width(clauses).visible >= 3U);
  BOOST_TEST(row_width(clauses.subspan(2)).visible >= 1U);
  BOOST_TEST(row_width(clauses.subspan(2)).visible < row_width(clauses).visible);
}

BOOST_AUTO_TEST_CASE(merge_keeps_a_slot_for_each_property) {
  const PlannedStatement planned("MERGE (a {x: 1, y: 2})-[r:R {z: 3}]->(b) RETURN a");
  BOOST_TEST(row_width(clauses_of(planned)).merge_slots == 3U);
}

BOOST_AUTO_TEST_CASE(operators_of_a_part_have_rows_of_one_length) {
  const PlannedStatement planned("MATCH (a) MATCH (b) UNWIND [1, 2] AS x CREATE (c) RETURN c");
  const auto& operators = planned.plan.branches[0].operators;
  for (std::size_t i = 0; i + 1 < operators.size(); ++i)
    BOOST_TEST(operators[i].width == operators[0].width);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::query
