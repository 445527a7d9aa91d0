// Random patterns over small random graphs, against nested loops.

#include "tests/model/pattern.hpp"

#include "tests/support/rounds.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/value_generator.hpp"

#include <cairn/database.hpp>

#include <boost/test/unit_test.hpp>

namespace cairn::test {
namespace {

constexpr std::size_t queries_per_graph = 100;
constexpr std::size_t most_rows = 3'000;
constexpr std::size_t most_relationships_for_open_walks = 10;

Properties random_number(Random& random) {
  if (random.one_in(4)) return {};
  return {{"v", static_cast<std::int64_t>(random.below(3))}};
}

// Fills the empty database and the model alike.
void make_graph(Transaction& transaction, ModelGraph& model, Random& random) {
  std::vector<NodeId> ids;
  const std::size_t nodes = random.below(13);
  for (std::size_t i = 0; i < nodes; ++i) {
    NewNode made{{}, random_number(random), {}};
    for (const char* label : {"A", "B"})
      if (random.one_in(2)) made.labels.emplace_back(label);
    ids.push_back(*transaction.create_node(made));
    (void)model.create_node(ids.back(), made);
  }
  const std::size_t relationships = nodes == 0 ? 0 : random.below(2 * nodes);
  for (std::size_t i = 0; i < relationships; ++i) {
    const NewRelationship made{random.pick(ids), random.one_in(2) ? "R" : "S", random.pick(ids),
                               random_number(random)};
    (void)model.create_relationship(*transaction.create_relationship(made), made);
  }
}

Difference answers_as_nested_loops(const Reader& reader, const ModelGraph& model,
                                   const PatternQuery& query, const StatementOptions& options) {
  auto expected = query.evaluate(model, most_rows);
  if (!expected) return {};
  return expect_lines(reader, query.text(), {}, *std::move(expected), options);
}

std::string graph_text(const ModelGraph& model) {
  std::string text;
  for (const auto& [id, node] : model.nodes())
    text += "\n  " + std::to_string(id.value) + " " + describe(node);
  for (const auto& [id, relationship] : model.relationships())
    text += "\n  " + std::to_string(id.value) + " " + describe(relationship);
  return text;
}

// Each graph is read from a snapshot, and before that inside the transaction that makes it.
template <class Check>
void for_random_queries(const Check& check) {
  const TemporaryDirectory directory;
  Options options;
  options.durability = Durability::async;
  auto database = Database::open(directory.path(), options);
  BOOST_REQUIRE_MESSAGE(database, problem_of(database));
  for (std::size_t graph = 0; graph < rounds(250, 8'000); ++graph) {
    const std::uint64_t seed = test_seed() + graph;
    Random random(seed);
    auto transaction = database->begin();
    BOOST_REQUIRE_MESSAGE(transaction, problem_of(transaction));
    ModelGraph model;
    BOOST_REQUIRE(read_rows(reader_of(*transaction), "MATCH (n) DETACH DELETE n"));
    make_graph(*transaction, model, random);
    const bool with_open_walks = model.relationships().size() <= most_relationships_for_open_walks;
    const auto run = [&](const Reader& reader) {
      for (std::size_t i = 0; i < queries_per_graph / 2; ++i) {
        const PatternQuery query = random_pattern_query(random, with_open_walks);
        const Difference difference = check(reader, model, query);
        if (difference) BOOST_FAIL("seed " << seed << ": " << *difference << graph_text(model));
      }
    };
    run(reader_of(*transaction));
    BOOST_REQUIRE(transaction->commit().has_value());
    const auto snapshot = database->snapshot();
    BOOST_REQUIRE(snapshot.has_value());
    run(reader_of(*snapshot));
  }
}

BOOST_AUTO_TEST_SUITE(pattern)

BOOST_AUTO_TEST_CASE(a_pattern_has_the_rows_of_nested_loops) {
  for_random_queries([](const Reader& reader, const ModelGraph& model, const PatternQuery& query) {
    return answers_as_nested_loops(reader, model, query, {});
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace cairn::test
