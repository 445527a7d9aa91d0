// Compares random histories of records that expire with a model in memory: what a statement sees at any moment of a
// clock that the test sets, whatever was queried and cached before.

#include "tests/model/random.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/rounds.hpp"
#include "tests/support/run_query.hpp"

#include <boost/test/unit_test.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cairn::test {
namespace {

// The clock begins in 2100, so that nothing expires by the system's.
constexpr std::int64_t beginning = 4'102'444'800'000'000;

struct ModelNode {
  std::string label;
  std::string external_id;
  std::int64_t x = 0;
  std::optional<std::int64_t> expires_at;
};

struct ModelEdge {
  std::uint64_t source = 0;
  std::uint64_t target = 0;
  std::optional<std::int64_t> expires_at;
};

class Model {
 public:
  explicit Model(std::uint64_t seed) : random_(seed) {
    run_all(*database_, {"CREATE FULLTEXT INDEX t FOR (n:A|B) ON EACH [n.text]",
                         "CREATE VECTOR INDEX v FOR (n:A) ON (n.e) OPTIONS {indexConfig: "
                         "{`vector.dimensions`: 2}}"});
  }

  void step() {
    switch (random_.below(12)) {
      case 0:
      case 1:
      case 2:
        return create();
      case 3:
        return put();
      case 4:
        return merge();
      case 5:
      case 6:
        return connect();
      case 7:
        return set_node_expiry();
      case 8:
        return set_edge_expiry();
      case 9:
        return erase_expired();
      default:
        now_ += static_cast<std::int64_t>(random_.below(10));
    }
  }

  void compare() {
    compare_at(now_);
    // An older and a later moment, between two questions of now: nothing kept may answer them.
    compare_at(now_ - static_cast<std::int64_t>(random_.below(20)));
    compare_at(now_ + static_cast<std::int64_t>(random_.below(20)));
    compare_at(now_);
  }

  void check() { BOOST_TEST(must(database_->check()).empty()); }

 private:
  std::optional<std::int64_t> any_expiry() {
    if (random_.one_in(3)) return std::nullopt;
    return now_ + static_cast<std::int64_t>(random_.below(40)) - 5;
  }
  std::string any_label() { return random_.one_in(2) ? "A" : "B"; }
  std::string any_external_id() { return "e" + std::to_string(random_.below(8)); }
  static bool is_there(std::optional<std::int64_t> expires_at, std::int64_t at) {
    return !expires_at || *expires_at > at;
  }

  StatementOptions at(std::int64_t moment) const {
    StatementOptions options;
    options.now = moment;
    return options;
  }
  std::string ask(const std::string& text, std::int64_t moment, const Parameters& parameters = {}) {
    return result_of(*database_, text, parameters, at(moment));
  }
  static Value moment_value(std::optional<std::int64_t> microseconds) {
    if (!microseconds) return {};
    return DateTime{*microseconds / 1'000'000,
                    static_cast<std::int32_t>(*microseconds % 1'000'000 * 1'000),
                    0,
                    {}};
  }

  NewNode new_node(const ModelNode& node) const {
    return {{node.label},
            {{"x", node.x}, {"text", "word"}, {"e", Vector({1, static_cast<float>(node.x)})}},
            node.external_id,
            node.expires_at};
  }

  ModelNode any_node(std::string external_id) {
    return {any_label(), std::move(external_id), static_cast<std::int64_t>(random_.below(4)),
            any_expiry()};
  }

  void create() {
    const ModelNode node = any_node("");
    Transaction transaction = must(database_->begin());
    const NodeId id = must(transaction.create_node(new_node(node)));
    must(transaction.commit());
    nodes_[id.value] = node;
  }

  // By the system's clock nothing has expired: what has the id is replaced.
  void put() {
    const ModelNode node = any_node(any_external_id());
    Transaction transaction = must(database_->begin());
    const PutNode made = must(transaction.put_node(new_node(node)));
    must(transaction.commit());
    BOOST_TEST(made.created == !owner(node.external_id).has_value());
    nodes_[made.node.value] = node;
  }

  // By the statement's clock.
  void merge() {
    const std::string external_id = any_external_id();
    const auto known = owner(external_id);
    const bool is_found = known && is_there(nodes_.at(*known).expires_at, now_);
    if (is_found && nodes_.at(*known).label != "A") return;
    const auto expiry = any_expiry();
    const std::string row =
        ask("MERGE (n:A @ {external_id: $id}) ON CREATE SET n.x = 9, n.text = 'word', n.e = [1.0, "
            "9.0], "
            "n@expires_at = $at "
            "ON MATCH SET n@expires_at = $at RETURN id(n), n.x",
            now_, {{"id", external_id}, {"at", moment_value(expiry)}});
    const std::uint64_t id = std::stoull(row);
    BOOST_TEST(is_found == (known == id));
    if (known && !is_found) forget_node(*known);
    if (!is_found) nodes_[id] = {"A", external_id, 9, expiry};
    nodes_[id].expires_at = expiry;
  }

  void connect() {
    const auto source = pick(nodes_);
    const auto target = pick(nodes_);
    if (source == 0) return;
    const auto expiry = any_expiry();
    Transaction transaction = must(database_->begin());
    const auto id =
        must(transaction.create_relationship({NodeId{source}, "R", NodeId{target}, {}, expiry}));
    must(transaction.commit());
    edges_[id.value] = {source, target, expiry};
  }

  void set_node_expiry() {
    const auto id = pick(nodes_);
    if (id == 0) return;
    nodes_[id].expires_at = any_expiry();
    Transaction transaction = must(database_->begin());
    must(transaction.set_expiry(NodeId{id}, nodes_[id].expires_at));
    must(transaction.commit());
  }

  void set_edge_expiry() {
    const auto id = pick(edges_);
    if (id == 0) return;
    edges_[id].expires_at = any_expiry();
    Transaction transaction = must(database_->begin());
    must(transaction.set_expiry(RelationshipId{id}, edges_[id].expires_at));
    must(transaction.commit());
  }

  void erase_expired() {
    const std::size_t before = nodes_.size() + edges_.size();
    std::erase_if(edges_,
                  [&](const auto& edge) { return !is_there(edge.second.expires_at, now_); });
    std::vector<std::uint64_t> gone;
    for (const auto& [id, node] : nodes_)
      if (!is_there(node.expires_at, now_)) gone.push_back(id);
    for (const std::uint64_t id : gone) forget_node(id);
    BOOST_TEST(ask("CALL db.expire() YIELD erased", now_) ==
               std::to_string(before - nodes_.size() - edges_.size()));
  }

  void forget_node(std::uint64_t id) {
    nodes_.erase(id);
    std::erase_if(edges_, [&](const auto& edge) {
      return edge.second.source == id || edge.second.target == id;
    });
  }

  std::optional<std::uint64_t> owner(const std::string& external_id) const {
    for (const auto& [id, node] : nodes_)
      if (node.external_id == external_id) return id;
    return std::nullopt;
  }

  template <class Records>
  std::uint64_t pick(const Records& records) {
    if (records.empty()) return 0;
    auto place = records.begin();
    std::advance(place, static_cast<std::ptrdiff_t>(random_.below(records.size())));
    return place->first;
  }

  void compare_at(std::int64_t moment) {
    std::map<std::string, std::uint64_t> labels;
    std::map<std::int64_t, std::uint64_t> values;
    std::uint64_t edges = 0;
    for (const auto& [id, node] : nodes_) {
      if (!is_there(node.expires_at, moment)) continue;
      ++labels[node.label];
      ++values[node.x];
    }
    for (const auto& [id, edge] : edges_)
      edges += is_there(edge.expires_at, moment) &&
               is_there(nodes_.at(edge.source).expires_at, moment) &&
               is_there(nodes_.at(edge.target).expires_at, moment);
    const auto expect = [&](const std::string& text, std::uint64_t count) {
      BOOST_TEST(ask(text, moment) == std::to_string(count), text << " at " << moment - beginning);
    };
    const std::uint64_t all = labels["A"] + labels["B"];
    expect("MATCH (n) RETURN count(*)", all);
    expect("MATCH (n:A) RETURN count(n)", labels["A"]);
    expect("MATCH (n) WHERE n.x >= 0 RETURN count(*)", all);
    expect("MATCH (n:A|B) WHERE NOT n.x = 1 RETURN count(*)", all - values[1]);
    expect("MATCH ()-[r]->() RETURN count(r)", edges);
    expect("MATCH (a)-[:R]->(b) RETURN count(*)", edges);
    // With words of all, so that a hidden hit would be found.
    const std::string most = std::to_string(nodes_.size() + 1);
    expect("MATCH (n) SEARCH n IN (FULLTEXT INDEX t FOR 'word' LIMIT " + most + ") RETURN count(n)",
           labels["A"] + labels["B"]);
    expect("MATCH (n:A) SEARCH n IN (VECTOR INDEX v FOR [1, 1] LIMIT " + most + ") RETURN count(n)",
           labels["A"]);
    expect(
        "CALL db.facets([], 'x') YIELD value, count WHERE value = 2 RETURN coalesce(sum(count), 0)",
        values[2]);
    expect("CALL db.recall('word', {limit: 1000}) YIELD node RETURN count(node)", all);
    for (int i = 0; i < 8; ++i) compare_owner("e" + std::to_string(i), moment);
  }

  void compare_owner(const std::string& external_id, std::int64_t moment) {
    const auto known = owner(external_id);
    const bool is_seen = known && is_there(nodes_.at(*known).expires_at, moment);
    BOOST_TEST(ask("MATCH (n @ {external_id: '" + external_id + "'}) RETURN id(n)", moment) ==
               (is_seen ? std::to_string(*known) : ""));
  }

  Random random_;
  TemporaryDatabase database_;
  std::map<std::uint64_t, ModelNode> nodes_;
  std::map<std::uint64_t, ModelEdge> edges_;
  std::int64_t now_ = beginning;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(expiry)

BOOST_AUTO_TEST_CASE(every_moment_shows_what_has_not_expired) {
  for (std::uint64_t seed = 1; seed <= rounds(10, 300); ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      Model model(seed);
      for (int i = 0; i < 120; ++i) {
        model.step();
        if (i % 8 == 0) model.compare();
      }
      model.compare();
      model.check();
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
