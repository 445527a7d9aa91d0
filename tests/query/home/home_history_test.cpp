// Random histories over one home: nodes that commit, close, are abandoned as if killed, lose their disks and take over from
// each other. A database without a home runs the same statements, and both must be equal. Half of the homes keep older states,
// each of which can be restored.
#include "tests/query/home/homes.hpp"
#include "tests/support/copy_tree.hpp"
#include "tests/support/rounds.hpp"

#include <cairn/home.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

using namespace cairn;
using namespace cairn::test;
namespace fs = std::filesystem;

namespace {

/// When a record was made and changed differs, as both run a statement one after the other.
std::string without_times(std::string lines) {
  const std::string begin = ",\"system\":{";
  for (std::size_t at = lines.find(begin); at != std::string::npos; at = lines.find(begin, at))
    lines.erase(at, lines.find('}', at) + 1 - at);
  return lines;
}

class History {
 public:
  explicit History(unsigned seed) : random_(seed), model_(must(Database::open(at_.path("model")))) {
    if (seed % 2 == 0) at_.keep_for = std::chrono::hours(1);
    run_all(model_, {indexes()});
    open_node();
    run_all(*node_, {indexes()});
  }

  void run(int steps) {
    for (int i = 0; i < steps; ++i) step();
    compare();
    if (at_.keep_for) restore_all();
  }

 private:
  [[nodiscard]] static std::string indexes() {
    return "CREATE FULLTEXT INDEX texts FOR (n:N) ON EACH [n.text]";
  }
  unsigned below(unsigned bound) { return static_cast<unsigned>(random_() % bound); }

  void step() {
    const unsigned kind = below(100);
    if (kind < 80) return write();
    if (kind < 86) return hand_over(true);
    if (kind < 92) return hand_over(false);
    if (kind < 96) return crash();
    compare();
  }

  void write() {
    const std::string n = std::to_string(below(40));
    const std::string other = std::to_string(below(40));
    std::string statement;
    switch (below(5)) {
      case 0:
        statement = "CREATE (:N {n: " + n + ", text: 'word" + other + " all'})";
        break;
      case 1:
        statement = "MATCH (n:N {n: " + n + "}) SET n.text = 'word" + other + "'";
        break;
      case 2:
        statement = "MATCH (n:N {n: " + n + "}) DETACH DELETE n";
        break;
      case 3:
        statement =
            "MATCH (a:N {n: " + n + "}), (b:N {n: " + other + "}) CREATE (a)-[:R {w: 1}]->(b)";
        break;
      default:
        statement = "UNWIND range(1, 20) AS i CREATE (:N {n: i, tags: [i, 'x']})";
    }
    run_all(model_, {statement});
    run_all(*node_, {statement});
  }

  /// Another node takes over, from one that is closed or from one that does not know it.
  void hand_over(bool closes) {
    if (closes) must(node_->close());
    std::unique_ptr<Database> before = std::move(node_);
    name_ = "node" + std::to_string(below(3));
    if (before_name_ == name_) before.reset();
    if (below(4) == 0 && before_name_ != name_) fs::remove_all(at_.path(name_));
    open_node();
  }

  /// The disk as a kill leaves it, under another name.
  void crash() {
    const std::string crashed = "crashed" + std::to_string(++crashes_);
    copy_running_tree(at_.path(before_name_), at_.path(crashed));
    name_ = crashed;
    const std::unique_ptr<Database> before = std::move(node_);
    open_node();
  }

  void open_node() {
    node_ = std::make_unique<Database>(at_.open(name_));
    before_name_ = name_;
  }

  void compare() {
    BOOST_REQUIRE(without_times(export_of(*node_)) == without_times(export_of(model_)));
    const std::string found =
        "MATCH (n:N) SEARCH n IN (FULLTEXT INDEX texts FOR 'word7 all' LIMIT "
        "1000) RETURN count(n)";
    BOOST_REQUIRE(result_of(*node_, found) == result_of(model_, found));
    require_sound(*node_);
    const HomeHistory kept = must(home_history(at_.home));
    if (kept.states.empty()) return;  // commits before the first one are not kept
    exports_[kept.commits.empty() ? kept.states.back().commit : kept.commits.back().commit] =
        without_times(export_of(model_));
  }

  /// Restores the home to each commit at which both were compared.
  void restore_all() {
    BOOST_REQUIRE(!exports_.empty());
    for (const auto& [commit, lines] : exports_) {
      const fs::path directory = at_.path("restored" + std::to_string(commit));
      must(restore_home(at_.home, directory, {.commit = commit}));
      Database restored = must(Database::open(directory, {}));
      BOOST_REQUIRE_MESSAGE(without_times(export_of(restored)) == lines, "commit " << commit);
      require_sound(restored);
    }
  }

  HomeFixture at_;
  std::mt19937 random_;
  Database model_;
  std::string name_ = "node0";
  std::string before_name_;
  std::unique_ptr<Database> node_;
  int crashes_ = 0;
  std::map<std::uint64_t, std::string> exports_;  // by commit
};

}  // namespace

BOOST_AUTO_TEST_SUITE(home_history)

BOOST_AUTO_TEST_CASE(a_home_is_as_a_database_without_one_whoever_has_it) {
  const std::size_t histories = rounds(6, 1'000);
  for (std::size_t seed = 1; seed <= histories; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) { History(static_cast<unsigned>(seed)).run(60); }
  }
}

BOOST_AUTO_TEST_SUITE_END()
