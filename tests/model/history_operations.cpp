// The operations of a history: each does one thing to the database and the same to the model.

#include "tests/model/filter.hpp"
#include "tests/model/history.hpp"
#include "tests/model/search_comparison.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>

namespace cairn::test {
namespace {

constexpr std::array labels = {"A", "B", "C"};
constexpr std::array types = {"R", "S"};
constexpr std::size_t held_snapshots = 3;

std::string text_of(NodeId id) { return std::to_string(id.value); }
std::int64_t number(NodeId id) { return static_cast<std::int64_t>(id.value); }

template <class T>
std::optional<ErrorCode> code_of(const Result<T>& result) {
  return result ? std::nullopt : std::optional(result.error().code);
}

// Vectors of three dimensions in "e" and of two in "f", as the two vector indexes want them.
Value random_vector(Random& random, const std::string& name) {
  if (random.one_in(5)) return {};
  return Vector(random_components(random, name == "e" ? 3 : 2));
}

Properties with_vectors(Properties properties, Random& random) {
  for (const char* name : {"e", "f"})
    if (Value value = random_vector(random, name); !value.is_null())
      properties[name] = std::move(value);
  return properties;
}

std::vector<std::string> random_labels(Random& random) {
  std::vector<std::string> chosen;
  for (const char* label : labels)
    if (random.one_in(2)) chosen.emplace_back(label);
  return chosen;
}

std::string label_suffix(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += ":" + name;
  return text;
}

}  // namespace

std::span<const History::Operation> History::operations() {
  static constexpr std::array all = {
      Operation{20, true, &History::create_node},
      Operation{12, true, &History::create_node_by_text},
      Operation{20, true, &History::create_relationship},
      Operation{12, true, &History::create_relationship_by_text},
      Operation{40, true, &History::set_property},
      Operation{20, true, &History::set_property_by_text},
      Operation{24, true, &History::set_vector},
      Operation{16, true, &History::set_relationship_property},
      Operation{6, true, &History::replace_properties},
      Operation{12, true, &History::add_label},
      Operation{12, true, &History::remove_label},
      Operation{8, true, &History::erase_node},
      Operation{4, true, &History::erase_node_and_relationships},
      Operation{8, true, &History::erase_relationship},
      Operation{6, true, &History::set_where},
      Operation{3, true, &History::erase_where},
      Operation{14, false, &History::commit},
      Operation{5, false, &History::roll_back},
      Operation{2, false, &History::reopen},
      Operation{2, false, &History::checkpoint},
      Operation{8, false, &History::hold_snapshot},
      Operation{2, false, &History::toggle_vector_index},
  };
  static_assert(std::accumulate(all.begin(), all.end(), 0, [](int sum, const Operation& operation) {
                  return sum + operation.weight;
                }) == 256);
  return all;
}

const History::Operation& History::operation(std::uint8_t choice) {
  int left = choice;
  const auto all = operations();
  return *std::ranges::find_if(all, [&](const Operation& operation) {
    left -= operation.weight;
    return left < 0;
  });
}

void History::create_node(NodeId, Random& random) {
  NewNode made{random_labels(random), with_vectors(random_properties(random), random), {}};
  if (random.one_in(3)) made.external_id = "e" + std::to_string(random.below(8));
  const auto id = transaction_->create_node(made);
  note("create_node " + label_suffix(made.labels) + " " + Value(made.properties).to_text() + " " +
       made.external_id + " -> " + (id ? text_of(*id) : describe(id.error())));
  expect("create_node", code_of(id), working_.create_node(id ? *id : NodeId{}, made));
}

void History::create_node_by_text(NodeId, Random& random) {
  const NewNode made{random_labels(random), with_vectors(random_properties(random), random), {}};
  const auto rows = write("CREATE (n" + label_suffix(made.labels) + ") SET n = $p RETURN id(n)",
                          {{"p", made.properties}});
  if (difference_) return;
  if (rows.size() != 1) return fail("CREATE has " + std::to_string(rows.size()) + " rows");
  const NodeId id{static_cast<std::uint64_t>(rows[0][0].as_integer())};
  expect("CREATE", {}, working_.create_node(id, made));
}

void History::create_relationship(NodeId source, Random& random) {
  const NewRelationship made{source, random.pick(types), pick_node(random.below(256)),
                             random_properties(random)};
  const auto id = transaction_->create_relationship(made);
  note("create_relationship " + text_of(source) + " " + made.type + " " + text_of(made.target) +
       " " + Value(made.properties).to_text() + " -> " +
       (id ? std::to_string(id->value) : describe(id.error())));
  expect("create_relationship", code_of(id),
         working_.create_relationship(id ? *id : RelationshipId{}, made));
}

void History::create_relationship_by_text(NodeId source, Random& random) {
  const NewRelationship made{source, random.pick(types), pick_node(random.below(256)),
                             random_properties(random)};
  const auto rows =
      write("MATCH (a), (b) WHERE id(a) = $a AND id(b) = $b CREATE (a)-[r:" + made.type +
                "]->(b) SET r = $p RETURN id(r)",
            {{"a", number(source)}, {"b", number(made.target)}, {"p", made.properties}});
  if (difference_) return;
  const bool both = working_.nodes().contains(source) && working_.nodes().contains(made.target);
  if (rows.size() != (both ? 1 : 0)) return fail("CREATE of a relationship has wrong rows");
  if (!both) return;
  const RelationshipId id{static_cast<std::uint64_t>(rows[0][0].as_integer())};
  expect("CREATE", {}, working_.create_relationship(id, made));
}

void History::set_property(NodeId node, Random& random) {
  const std::string& name = random.pick(property_names());
  const Value value = random_property(random, name);
  note("set_property " + text_of(node) + " " + name + " " + value.to_text());
  expect("set_property", code_of(transaction_->set_property(node, name, value)),
         working_.set_property(node, name, value));
}

void History::set_property_by_text(NodeId node, Random& random) {
  const std::string& name = random.pick(property_names());
  const Value value = random_property(random, name);
  (void)write("MATCH (n) WHERE id(n) = $id SET n." + name + " = $v",
              {{"id", number(node)}, {"v", value}});
  (void)working_.set_property(node, name, value);
}

void History::set_vector(NodeId node, Random& random) {
  const std::string name = random.one_in(2) ? "e" : "f";
  const Value value = random_vector(random, name);
  note("set_property " + text_of(node) + " " + name + " " + value.to_text());
  expect("set_property", code_of(transaction_->set_property(node, name, value)),
         working_.set_property(node, name, value));
}

void History::set_relationship_property(NodeId, Random& random) {
  const RelationshipId id = pick_relationship(random);
  const std::string& name = random.pick(property_names());
  const Value value = random_property(random, name);
  note("set_property of relationship " + std::to_string(id.value) + " " + name + " " +
       value.to_text());
  expect("set_property", code_of(transaction_->set_property(id, name, value)),
         working_.set_property(id, name, value));
}

void History::replace_properties(NodeId node, Random& random) {
  const Properties properties = with_vectors(random_properties(random), random);
  (void)write("MATCH (n) WHERE id(n) = $id SET n = $p", {{"id", number(node)}, {"p", properties}});
  (void)working_.replace_properties(node, properties);
}

void History::add_label(NodeId node, Random& random) {
  const std::string label = random.pick(labels);
  note("add_label " + text_of(node) + " " + label);
  expect("add_label", code_of(transaction_->add_label(node, label)),
         working_.add_label(node, label));
}

void History::remove_label(NodeId node, Random& random) {
  const std::string label = random.pick(labels);
  note("remove_label " + text_of(node) + " " + label);
  expect("remove_label", code_of(transaction_->remove_label(node, label)),
         working_.remove_label(node, label));
}

void History::erase_node(NodeId node, Random&) {
  note("erase_node " + text_of(node));
  const auto expected = working_.erase_node(node);
  expect("erase_node", code_of(transaction_->erase_node(node)), expected);
  // A conflict leaves nothing to do but to roll back.
  if (expected == ErrorCode::conflict && !difference_) end_transaction(false);
}

void History::erase_node_and_relationships(NodeId node, Random&) {
  note("erase_node_and_relationships " + text_of(node));
  expect("erase_node_and_relationships", code_of(transaction_->erase_node_and_relationships(node)),
         working_.erase_node_and_relationships(node));
}

void History::erase_relationship(NodeId, Random& random) {
  const RelationshipId id = pick_relationship(random);
  note("erase_relationship " + std::to_string(id.value));
  expect("erase_relationship", code_of(transaction_->erase_relationship(id)),
         working_.erase_relationship(id));
}

void History::set_where(NodeId, Random& random) {
  const Filter filter = random_filter(random, 2, true);
  const std::string& name = random.pick(property_names());
  const Value value = random_property(random, name);
  Parameters parameters = {{"v", value}};
  const std::string condition = filter.text("n", parameters);
  (void)write("MATCH (n) WHERE " + condition + " SET n." + name + " = $v", parameters);
  const ModelGraph before = working_;
  for (const auto& [id, node] : before.nodes())
    if (filter.evaluate({node.properties, node.labels}) == Truth(true))
      (void)working_.set_property(id, name, value);
}

void History::erase_where(NodeId, Random& random) {
  const Filter filter = random_filter(random, 1, false);
  Parameters parameters;
  const std::string condition = filter.text("n", parameters);
  (void)write("MATCH (n:A:B) WHERE " + condition + " DETACH DELETE n", parameters);
  const ModelGraph before = working_;
  for (const auto& [id, node] : before.nodes())
    if (node.labels.contains("A") && node.labels.contains("B") &&
        filter.evaluate({node.properties, node.labels}) == Truth(true))
      (void)working_.erase_node_and_relationships(id);
}

void History::commit(NodeId, Random&) { end_transaction(true); }

void History::roll_back(NodeId, Random&) { end_transaction(false); }

void History::reopen(NodeId, Random&) {
  if (!options_.reopens) return;
  end_transaction(false);
  note("reopen");
  held_.clear();
  if (const Status closed = database_->close(); !closed)
    return fail("close failed: " + describe(closed.error()));
  database_.reset();
  open();
}

void History::checkpoint(NodeId, Random&) {
  if (!options_.reopens) return;
  end_transaction(true);
  note("checkpoint");
  if (const Status saved = database_->checkpoint(); !saved)
    fail("checkpoint failed: " + describe(saved.error()));
}

void History::hold_snapshot(NodeId, Random&) {
  auto snapshot = database_->snapshot();
  note("hold a snapshot");
  if (!snapshot) return fail("snapshot failed: " + describe(snapshot.error()));
  if (held_.size() == held_snapshots) held_.erase(held_.begin());
  held_.push_back({*std::move(snapshot), committed_});
}

void History::toggle_vector_index(NodeId, Random& random) {
  end_transaction(true);
  const std::string name = random.one_in(2) ? "by_meaning" : "by_place";
  if (committed_.vector_indexes.contains(name))
    drop_vector_index(name);
  else
    create_vector_index(name);
}

NodeId History::pick_node(std::size_t choice) const {
  const auto& nodes = (transaction_ ? working_ : committed_).nodes();
  // Now and then an id that nothing has.
  if (nodes.empty() || choice % 32 == 31) return NodeId{7'777'777};
  return std::next(nodes.begin(), static_cast<std::ptrdiff_t>(choice % nodes.size()))->first;
}

RelationshipId History::pick_relationship(Random& random) const {
  const auto& relationships = working_.relationships();
  if (relationships.empty() || random.one_in(32)) return RelationshipId{7'777'777};
  return std::next(relationships.begin(),
                   static_cast<std::ptrdiff_t>(random.below(relationships.size())))
      ->first;
}

}  // namespace cairn::test
