// Compares random statements over random small graphs with other statements over the same graph, inside the transaction
// that makes the graph and after its commit.
//
// A failing check prints its statements, both answers, and the smallest graph for which it fails.
#include "tests/metamorphic/checks.hpp"
#include "tests/metamorphic/small_graph.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/rounds.hpp"
#include "tests/support/run_query.hpp"
#include "tests/support/value_generator.hpp"

#include <cairn/database.hpp>

#include <boost/test/unit_test.hpp>

#include <iostream>
#include <memory>
#include <optional>

namespace cairn::test {
namespace {

constexpr std::size_t checks_per_graph = 20;

using Draw = Check (*)(Questions&);

template <class T>
T must(Result<T> result) {
  if (!result) throw Disagreement(describe(result.error()));
  return *std::move(result);
}

void must(const Status& status) {
  if (!status) throw Disagreement(describe(status.error()));
}

enum class State : std::uint8_t { uncommitted, committed };

// A database with one graph at a time.
class Laboratory {
 public:
  Laboratory() { run_all(*database_, create_searched_indexes()); }

  void begin(const SmallGraph& graph) {
    transaction_.emplace(must(database_->begin()));
    static_cast<void>(must(Statement::parse("MATCH (n) DETACH DELETE n")).run(*transaction_));
    must(graph.write(*transaction_));
  }
  void commit() {
    must(transaction_->commit());
    transaction_.reset();
    snapshot_.emplace(must(database_->snapshot()));
  }
  void end() { snapshot_.reset(); }

  [[nodiscard]] Reader reader() {
    return transaction_ ? reader_of(*transaction_) : reader_of(*snapshot_);
  }

 private:
  TemporaryDatabase database_{Options{.durability = Durability::async}};
  std::optional<Transaction> transaction_;
  std::optional<Snapshot> snapshot_;
};

// The message of a check that fails on the graph. Empty if it passes.
std::string problem_with(const Check& check, const SmallGraph& graph, State state) {
  try {
    Laboratory laboratory;
    laboratory.begin(graph);
    if (state == State::committed) laboratory.commit();
    Answers answers(laboratory.reader());
    check(answers);
    return {};
  } catch (const Disagreement& problem) {
    return problem.what();
  }
}

std::string report(const Check& check, const SmallGraph& graph, State state,
                   const std::string& problem) {
  const char* where = state == State::committed ? ", committed" : ", in its transaction";
  if (problem_with(check, graph, state).empty())
    return problem + "\n  not in a new database; over" + where + "\n" + graph.text();
  const SmallGraph least = smallest_failing(graph, [&](const SmallGraph& smaller) {
    return !problem_with(check, smaller, state).empty();
  });
  return problem_with(check, least, state) + "\n  over" + where + "\n" + least.text();
}

// Draws checks for many graphs. The first failing check ends the case. In every second graph each property has values
// of one type.
std::size_t run_checks(Draw draw, std::size_t graphs) {
  std::size_t compared = 0;
  std::optional<Laboratory> laboratory;
  for (std::size_t i = 0; i < graphs; ++i) {
    if (i % 500 == 0) laboratory.emplace();
    const std::uint64_t seed = test_seed() + i;
    Random random(seed);
    const Flavour flavour = i % 2 == 0 ? Flavour::mixed : Flavour::typed;
    const SmallGraph graph = random_small_graph(random, flavour);
    Questions questions(random, flavour);
    laboratory->begin(graph);
    for (const State state : {State::uncommitted, State::committed}) {
      if (state == State::committed) laboratory->commit();
      for (std::size_t n = 0; n < checks_per_graph / 2; ++n) {
        const Check check = draw(questions);
        Answers answers(laboratory->reader());
        try {
          check(answers);
        } catch (const Disagreement& problem) {
          BOOST_FAIL("seed " << seed << ": " << report(check, graph, state, problem.what()));
        }
        compared += answers.compared();
      }
    }
    laboratory->end();
  }
  return compared;
}

void run(const char* name, Draw draw, std::size_t graphs, std::size_t in_long_run) {
  const std::size_t compared = run_checks(draw, rounds(graphs, in_long_run));
  std::cout << name << ": " << compared << " answers compared, seed " << test_seed() << "\n";
  BOOST_TEST(compared > 0U);
}

BOOST_AUTO_TEST_SUITE(metamorphic)

BOOST_AUTO_TEST_CASE(every_row_is_in_one_part) { run("rows", rows_are_partitioned, 20, 4'000); }

BOOST_AUTO_TEST_CASE(every_different_row_is_in_some_part) {
  run("different rows", distinct_rows_are_partitioned, 20, 2'500);
}

BOOST_AUTO_TEST_CASE(an_aggregate_is_that_of_its_parts) {
  run("aggregates", aggregates_are_partitioned, 20, 4'000);
}

BOOST_AUTO_TEST_CASE(a_group_is_the_sum_of_its_parts) {
  run("groups", groups_are_partitioned, 20, 2'500);
}

BOOST_AUTO_TEST_CASE(what_is_found_is_what_is_computed) {
  run("conditions", conditions_are_computed_alike, 30, 5'000);
}

BOOST_AUTO_TEST_CASE(a_condition_has_the_same_rows_in_every_form) {
  run("forms", forms_of_a_condition_agree, 10, 1'000);
}

BOOST_AUTO_TEST_CASE(a_row_is_found_by_what_is_true_for_it) {
  run("pivots", pivots_are_found, 30, 4'000);
}

BOOST_AUTO_TEST_CASE(a_parameter_is_as_a_literal) {
  run("parameters", parameters_are_as_literals, 15, 4'000);
}

BOOST_AUTO_TEST_CASE(first_rows_are_a_piece_of_all) {
  run("limits", limits_are_monotone, 25, 3'000);
}

BOOST_AUTO_TEST_CASE(rules_leave_the_rows_as_they_are) {
  run("rules", rules_leave_rows_alone, 20, 2'500);
}

BOOST_AUTO_TEST_CASE(a_search_finds_what_its_condition_lets_through) {
  run("searches", searches_are_partitioned, 10, 1'000);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace cairn::test
