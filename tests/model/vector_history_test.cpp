// Changes so many vectors that segments are sealed while older snapshots are held. Every search in
// a snapshot finds what a brute-force search finds in the model of the snapshot's commit.

#include "tests/model/model_graph.hpp"
#include "tests/model/search_comparison.hpp"
#include "tests/support/rounds.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/value_generator.hpp"

#include <cairn/database.hpp>

#include <boost/test/unit_test.hpp>

#include <iterator>
#include <optional>

namespace cairn::test {
namespace {

constexpr std::size_t dimension = 3;
// A delta of three dimensions is sealed after 8,192 changes.
constexpr std::size_t changes_per_commit = 2'000;
constexpr std::size_t held_snapshots = 4;
constexpr std::size_t searches_per_snapshot = 20;

class VectorHistory {
 public:
  explicit VectorHistory(std::uint64_t seed) : random_(seed) {
    open();
    const auto made =
        execute(*database_,
                "CREATE VECTOR INDEX by_meaning FOR (n:A) ON (n.e) OPTIONS {indexConfig: "
                "{`vector.dimensions`: 3, `vector.similarity_function`: 'euclidean'}}");
    BOOST_REQUIRE_MESSAGE(made, problem_of(made));
    model_.vector_indexes["by_meaning"] = {"A", "e", dimension, false};
  }

  void commit_changes() {
    auto transaction = database_->begin();
    BOOST_REQUIRE_MESSAGE(transaction, problem_of(transaction));
    ModelGraph changed = model_;
    for (std::size_t i = 0; i < changes_per_commit; ++i) change(*transaction, changed);
    if (random_.one_in(8)) return transaction->rollback();
    BOOST_REQUIRE(transaction->commit());
    model_ = std::move(changed);
  }

  void hold() {
    auto snapshot = database_->snapshot();
    BOOST_REQUIRE_MESSAGE(snapshot, problem_of(snapshot));
    if (held_.size() == held_snapshots) held_.erase(held_.begin());
    held_.push_back({*std::move(snapshot), model_});
  }

  void checkpoint() { BOOST_REQUIRE(database_->checkpoint()); }

  void reopen() {
    held_.clear();
    BOOST_REQUIRE(database_->close());
    open();
    hold();
  }

  // The first difference among all held snapshots.
  Difference compare(bool is_exact) {
    for (const Held& held : held_)
      for (std::size_t i = 0; i < searches_per_snapshot; ++i) {
        NearestCase search = random_nearest(held.model, "by_meaning", random_);
        if (is_exact)
          search.options.accuracy = VectorAccuracy::exact;
        else
          search.options.accuracy.reset();
        if (auto difference = nearest_agrees(held.snapshot, held.model, search))
          return "commit " + std::to_string(held.snapshot.commit_number()) + ": " + *difference;
      }
    return {};
  }

  Random& random() { return random_; }

 private:
  struct Held {
    Snapshot snapshot;
    ModelGraph model;
  };

  void open() {
    Options options;
    options.durability = Durability::async;
    database_.reset();
    auto opened = Database::open(directory_.path(), options);
    BOOST_REQUIRE_MESSAGE(opened, problem_of(opened));
    database_.emplace(*std::move(opened));
  }

  void create(Transaction& transaction, ModelGraph& model) {
    const NewNode node{{"A"}, {{"e", Vector(random_components(random_, dimension))}}, {}};
    const auto id = transaction.create_node(node);
    BOOST_REQUIRE_MESSAGE(id, problem_of(id));
    (void)model.create_node(*id, node);
  }

  void change(Transaction& transaction, ModelGraph& model) {
    const std::size_t choice = random_.below(20);
    if (model.nodes().size() < 300 || choice < 3) return create(transaction, model);
    const NodeId node = pick(model);
    if (choice < 5) {
      BOOST_REQUIRE(transaction.erase_node(node));
      (void)model.erase_node(node);
    } else if (choice < 6) {
      BOOST_REQUIRE(transaction.remove_label(node, "A"));
      (void)model.remove_label(node, "A");
    } else if (choice < 7) {
      BOOST_REQUIRE(transaction.add_label(node, "A"));
      (void)model.add_label(node, "A");
    } else {
      const Value value =
          choice < 8 ? Value() : Value(Vector(random_components(random_, dimension)));
      BOOST_REQUIRE(transaction.set_property(node, "e", value));
      (void)model.set_property(node, "e", value);
    }
  }

  // A node near a random id: steps through the map would take too long.
  NodeId pick(const ModelGraph& model) {
    const auto& nodes = model.nodes();
    const std::uint64_t first = nodes.begin()->first.value;
    const std::uint64_t last = std::prev(nodes.end())->first.value;
    return nodes.lower_bound({first + random_.below(last - first + 1)})->first;
  }

  TemporaryDirectory directory_;
  Random random_;
  std::optional<Database> database_;
  ModelGraph model_;
  std::vector<Held> held_;
};

void play(bool is_exact) {
  VectorHistory history(test_seed());
  for (std::size_t commit = 0; commit < rounds(20, 400); ++commit) {
    history.commit_changes();
    history.hold();
    if (history.random().one_in(6)) history.checkpoint();
    if (history.random().one_in(8)) history.reopen();
    const Difference difference = history.compare(is_exact);
    if (difference)
      BOOST_FAIL("seed " << test_seed() << ", after " << commit + 1
                         << " transactions: " << *difference);
  }
}

BOOST_AUTO_TEST_SUITE(vector_history)

BOOST_AUTO_TEST_CASE(an_exact_search_of_any_held_snapshot_is_brute_force_over_its_commit) {
  play(true);
}

BOOST_AUTO_TEST_CASE(an_approximate_search_of_any_held_snapshot_is_never_short_of_hits) {
  play(false);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace cairn::test
