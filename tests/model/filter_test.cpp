// Compares random filters over values of every type with the naive evaluator: as literals and as parameters, with and
// without indexes, over committed data and over a transaction's own changes.

#include "tests/model/filter.hpp"

#include "tests/model/model_graph.hpp"
#include "tests/model/readers.hpp"
#include "tests/support/rounds.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/value_generator.hpp"

#include <cairn/database.hpp>

#include <boost/test/unit_test.hpp>

#include <optional>

namespace cairn::test {
namespace {

constexpr int filter_levels = 6;
constexpr std::size_t nodes_per_round = 60;
constexpr std::size_t relationships_per_round = 40;
constexpr std::size_t filters_per_round = 200;

NewNode random_node(Random& random) {
  NewNode node{{}, random_properties(random), {}};
  for (const char* label : {"A", "B", "C"})
    if (random.one_in(2)) node.labels.emplace_back(label);
  return node;
}

// Makes every change in a transaction and in the model.
class Changes {
 public:
  Changes(Transaction& transaction, ModelGraph& model, Random& random)
      : transaction_(transaction), model_(model), random_(random) {}

  void create_node() {
    const NewNode node = random_node(random_);
    const auto id = transaction_.create_node(node);
    BOOST_REQUIRE_MESSAGE(id, problem_of(id));
    (void)model_.create_node(*id, node);
  }

  void create_relationship() {
    const NewRelationship made{random_id(), "R", random_id(), random_properties(random_)};
    const auto id = transaction_.create_relationship(made);
    BOOST_REQUIRE_MESSAGE(id, problem_of(id));
    (void)model_.create_relationship(*id, made);
  }

  void change_node() {
    const NodeId node = random_id();
    const std::string& name = random_.pick(property_names());
    const Value value = random_property(random_, name);
    BOOST_REQUIRE(transaction_.set_property(node, name, value).has_value());
    (void)model_.set_property(node, name, value);
  }

  void toggle_label() {
    const NodeId node = random_id();
    if (model_.nodes().at(node).labels.contains("B")) {
      BOOST_REQUIRE(transaction_.remove_label(node, "B").has_value());
      (void)model_.remove_label(node, "B");
    } else {
      BOOST_REQUIRE(transaction_.add_label(node, "B").has_value());
      (void)model_.add_label(node, "B");
    }
  }

  void erase_node() {
    const NodeId node = random_id();
    BOOST_REQUIRE(transaction_.erase_node_and_relationships(node).has_value());
    (void)model_.erase_node_and_relationships(node);
  }

 private:
  NodeId random_id() {
    const auto at = static_cast<std::ptrdiff_t>(random_.below(model_.nodes().size()));
    return std::next(model_.nodes().begin(), at)->first;
  }

  Transaction& transaction_;
  ModelGraph& model_;
  Random& random_;
};

// A database whose committed state is one model and whose open transaction sees another.
struct TwoStates {
  explicit TwoStates(Random& random) : database(open()) {
    {
      Transaction filling = begin();
      Changes changes(filling, committed, random);
      for (std::size_t i = 0; i < nodes_per_round; ++i) changes.create_node();
      for (std::size_t i = 0; i < relationships_per_round; ++i) changes.create_relationship();
      BOOST_REQUIRE(filling.commit().has_value());
    }
    snapshot.emplace(*database.snapshot());
    transaction.emplace(begin());
    working = committed;
    Changes changes(*transaction, working, random);
    for (std::size_t i = 0; i < nodes_per_round / 2; ++i) {
      changes.change_node();
      if (i % 4 == 0) changes.create_node();
      if (i % 4 == 1) changes.toggle_label();
      if (i % 4 == 2) changes.create_relationship();
      if (i % 8 == 3) changes.erase_node();
    }
  }

  Database open() {
    Options options;
    options.durability = Durability::async;
    auto opened = Database::open(directory.path(), options);
    BOOST_REQUIRE_MESSAGE(opened, problem_of(opened));
    return *std::move(opened);
  }

  Transaction begin() {
    auto begun = database.begin();
    BOOST_REQUIRE_MESSAGE(begun, problem_of(begun));
    return *std::move(begun);
  }

  TemporaryDirectory directory;
  Database database;
  ModelGraph committed;
  ModelGraph working;
  std::optional<Snapshot> snapshot;
  std::optional<Transaction> transaction;
};

// One state, and which of its elements are filtered.
struct Subject {
  Reader reader;
  const ModelGraph& model;
  bool is_node = true;

  [[nodiscard]] std::string pattern() const { return is_node ? "(n)" : "()-[n]->()"; }
  [[nodiscard]] Lines all() const {
    return matching([](const Element&) { return true; });
  }
  template <class Test>
  [[nodiscard]] Lines matching(const Test& test) const {
    static const std::set<std::string> no_labels;
    Lines ids;
    for (const auto& [id, node] : model.nodes())
      if (is_node && test(Element{node.properties, node.labels}))
        ids.push_back(std::to_string(id.value));
    for (const auto& [id, relationship] : model.relationships())
      if (!is_node && test(Element{relationship.properties, no_labels}))
        ids.push_back(std::to_string(id.value));
    return ids;
  }
  [[nodiscard]] std::string query(const std::string& condition) const {
    return "MATCH " + pattern() + " WHERE " + condition + " RETURN id(n)";
  }
};

template <class Check>
void for_random_filters(const Check& check) {
  for (std::size_t round = 0; round < rounds(10, 500); ++round) {
    const std::uint64_t seed = test_seed() + round;
    Random random(seed);
    TwoStates states(random);
    const Reader committed = reader_of(*states.snapshot);
    const Reader working = reader_of(*states.transaction);
    for (std::size_t i = 0; i < filters_per_round; ++i) {
      const bool is_node = i % 4 != 3;
      const bool is_committed = random.one_in(2);
      const Subject subject{is_committed ? committed : working,
                            is_committed ? states.committed : states.working, is_node};
      const Filter filter = random_filter(random, filter_levels, is_node);
      const Difference difference = check(subject, filter);
      if (difference)
        BOOST_FAIL("seed " << seed << ", filter " << i << ", "
                           << (is_committed ? "committed" : "uncommitted") << ": " << *difference);
    }
  }
}

Lines true_lines(const Subject& subject, const Filter& filter) {
  return subject.matching(
      [&](const Element& element) { return filter.evaluate(element) == Truth(true); });
}

BOOST_AUTO_TEST_SUITE(filter)

BOOST_AUTO_TEST_CASE(a_filter_of_literals_selects_what_it_is_true_for) {
  for_random_filters([](const Subject& subject, const Filter& filter) {
    return expect_lines(subject.reader, subject.query(filter.text("n")), {},
                        true_lines(subject, filter));
  });
}

BOOST_AUTO_TEST_CASE(a_filter_of_parameters_selects_what_it_is_true_for) {
  for_random_filters([](const Subject& subject, const Filter& filter) {
    Parameters parameters;
    const std::string text = subject.query(filter.text("n", parameters));
    return expect_lines(subject.reader, text, parameters, true_lines(subject, filter));
  });
}

BOOST_AUTO_TEST_CASE(a_filter_selects_the_same_without_indexes) {
  StatementOptions options;
  options.disabled_rules = "choose_indexes";
  for_random_filters([&](const Subject& subject, const Filter& filter) {
    Parameters parameters;
    const std::string text = subject.query(filter.text("n", parameters));
    return expect_lines(subject.reader, text, parameters, true_lines(subject, filter), options);
  });
}

BOOST_AUTO_TEST_CASE(every_element_is_true_false_or_unknown) {
  for_random_filters([](const Subject& subject, const Filter& filter) {
    Parameters parameters;
    const std::string text = filter.text("n", parameters);
    Lines found;
    for (const std::string& condition : {text, "NOT " + text, text + " IS NULL"}) {
      auto part = read_lines(subject.reader, subject.query(condition), parameters);
      if (!part) return Difference(condition + " failed: " + describe(part.error()));
      found.insert(found.end(), part->begin(), part->end());
    }
    return compare_lines(text + " with " + describe(parameters), subject.all(), found);
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace cairn::test
