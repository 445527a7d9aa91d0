// Compares conditions on whole batches with the same conditions evaluated row by row, for which they stand in a list
// comprehension.
#include "query/execute/expression/packed_expressions.hpp"

#include "tests/support/graph_builder.hpp"
#include "tests/support/rounds.hpp"
#include "tests/support/run_query.hpp"
#include "tests/support/value_generator.hpp"

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

namespace cairn::query {
namespace {

using test::sorted_rows;

Options with_columns() {
  Options options;
  options.segments = Segments::always;
  options.durability = Durability::async;
  return options;
}

/// Nodes and relationships with columns of each form: integers, floats, codes, other texts and mixed types, all with
/// gaps.
struct Fixture {
  test::TemporaryDatabase db{with_columns()};
  Parameters parameters = {{"one", 1}, {"text", "t2"}, {"none", Value()}, {"list", List{1}}};

  Fixture() {
    test::run_all(
        *db,
        {"UNWIND range(0, 599) AS k CREATE (n:N {k: k}) "
         "SET n.i = CASE WHEN k % 7 <> 0 THEN k % 5 END, n.f = CASE WHEN k % 3 <> 0 THEN k % 4 / "
         "2.0 END, "
         "n.t = CASE WHEN k % 11 <> 0 THEN 't' + (k % 4) END, n.u = 'text ' + k, n.b = k % 2 = 0, "
         "n.m = CASE k % 5 WHEN 0 THEN 1 WHEN 1 THEN 1.0 WHEN 2 THEN 't2' WHEN 3 THEN [1] END",
         "MATCH (n:N) WHERE n.k % 3 = 0 SET n:A",
         "MATCH (a:N), (b:N) WHERE b.k IN [(a.k * 7 + 1) % 600, a.k, (a.k * 11 + 3) % 600] "
         "CREATE (a)-[:R {x: (a.k + b.k) % 6}]->(b)",
         "MATCH ()-[r:R]->() WHERE r.x = 5 REMOVE r.x"});
  }
};

template <class List>
std::string one_of(test::ValueGenerator& random, const List& texts) {
  return texts[random.below(std::size(texts))];
}

std::string comparison(test::ValueGenerator& random) {
  static constexpr const char* operands[] = {"a.i",  "b.i",  "a.f",  "b.f",     "a.t",   "b.t",
                                             "a.u",  "a.b",  "b.m",  "r.x",     "a.k",   "b.k",
                                             "a.z",  "1",    "1.0",  "0.0 / 0", "2",     "'t2'",
                                             "true", "null", "$one", "$text",   "$none", "$list"};
  static constexpr const char* signs[] = {" = ", " <> ", " < ", " <= ", " > ", " >= "};
  return one_of(random, operands) + one_of(random, signs) + one_of(random, operands);
}

std::string condition(test::ValueGenerator& random, int levels) {
  static constexpr const char* others[] = {
      "a = b", "a <> b",      "r = r",           "a:A",           "b:A",          "b:Z", "r:R",
      "a = r", "a.i IS NULL", "b.t IS NOT NULL", "$none IS NULL", "a IS NOT NULL"};
  if (levels == 0) return random.below(4) == 0 ? one_of(random, others) : comparison(random);
  const std::string left = condition(random, levels - 1);
  switch (random.below(5)) {
    case 0:
      return "NOT (" + left + ")";
    case 1:
      return "(" + left + ") OR (" + condition(random, levels - 1) + ")";
    case 2:
      return "(" + left + ") XOR (" + condition(random, levels - 1) + ")";
    default:
      return "(" + left + ") AND (" + condition(random, levels - 1) + ")";
  }
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(packed_expressions, Fixture)

BOOST_AUTO_TEST_CASE(a_batch_passes_the_rows_that_pass_one_by_one) {
  // Tests the conditions on complete rows, not by an index or during an expansion.
  StatementOptions options;
  options.disabled_rules = "choose_indexes push_filters order_expansions";
  const std::string pattern = "MATCH (a:N)-[r:R]->(b:N) WITH a, r, b ";
  const std::string rows = "RETURN a.k AS a, r.x AS x, b.k AS b";
  const std::uint64_t seed = test::test_seed();
  test::ValueGenerator random(seed);
  std::size_t passing = 0;
  const std::size_t wanted = test::rounds(150, 3'000);
  // Goes on while few conditions pass some rows and drop others: many pass no row or all rows.
  for (std::size_t round = 0; round < wanted || (passing <= 10 && round < 20 * wanted); ++round) {
    const std::string test = condition(random, static_cast<int>(random.below(3)));
    const auto whole =
        sorted_rows(*db, pattern + "WHERE " + test + " " + rows, parameters, options);
    const auto single = sorted_rows(
        *db, pattern + ", [y IN [1] | " + test + "][0] AS c WHERE c " + rows, parameters, options);
    BOOST_TEST_REQUIRE((whole == single), test << ": " << whole.size() << " rows of batches, "
                                               << single.size() << " single rows, seed " << seed);
    if (!whole.empty() && whole.size() < 1'000) ++passing;
  }
  BOOST_TEST(passing > 10U);
}

// A missing parameter is an error of a whole batch as it is of each row.
BOOST_AUTO_TEST_CASE(a_missing_parameter_is_an_error_of_the_rows) {
  const std::string statement = "MATCH (a:N) WITH a WHERE a.i = $absent OR a.i = 1 RETURN a.k AS k";
  BOOST_TEST(test::error_of(*db, statement).message.find("$absent") != std::string::npos);
}

// Evaluated row by row, a test of a deleted node's label is an error.
BOOST_AUTO_TEST_CASE(labels_of_deleted_nodes_are_not_read_from_an_index) {
  const std::string erase = "MATCH (a:N) WHERE a.k < 300 DETACH DELETE a WITH a ";
  BOOST_TEST(test::rows_of(*db, erase + "WHERE a:A RETURN count(*) AS c") ==
                 test::rows_of(*db, erase + "WHERE [x IN [1] | a:A][0] RETURN count(*) AS c"),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::query
