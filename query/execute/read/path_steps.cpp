// Tests steps along relationships, and makes the values of path variables.
#include "query/execute/read/path_steps.hpp"

#include "codec/record.hpp"
#include "engine/catalog/catalog.hpp"
#include "query/execute/read/operators.hpp"
#include "query/execute/row_loader.hpp"
#include "query/plan/operator_content.hpp"

#include <algorithm>
#include <string>

namespace cairn::query {

// What a step along a relationship must satisfy: type and direction (checked by the store),
// visibility of relationship and node, and that the MATCH has not used the relationship already.
// Shared by Expand, ExpandVariable, FindShortest and ScanRelationships.

namespace {

bool is_relationship(const Value& value, std::uint64_t id) {
  const auto* relationship = value.get_if<Relationship>();
  return relationship != nullptr && relationship->id().value == id;
}

}  // namespace

// Looks types up by name, because an earlier clause of the statement may have created a type.
Status StepFilter::refresh() {
  if (epoch_ == graph_.epoch()) return {};
  epoch_ = graph_.epoch();
  types_.clear();
  for (const std::string& name : walk_.pattern->types)
    if (const auto type = graph_.catalog().find_type(name)) types_.push_back(*type);
  std::sort(types_.begin(), types_.end());
  types_.erase(std::unique(types_.begin(), types_.end()), types_.end());
  CAIRN_ASSIGN(nodes_, graph_.restriction(codec::EntityKind::node));
  CAIRN_ASSIGN(relationships_, graph_.restriction(codec::EntityKind::relationship));
  return {};
}

// Returns the direction in the store as seen from the current node.
engine::Direction StepFilter::direction() const noexcept {
  const PatternDirection written = walk_.pattern->direction;
  if (written == PatternDirection::any) return engine::Direction::both;
  return (written == PatternDirection::right) != walk_.reversed ? engine::Direction::outgoing
                                                                : engine::Direction::incoming;
}

// There are few slots and few relationships per list, so a set would cost more than it saves.
bool StepFilter::is_new(std::uint64_t relationship, std::span<const Value> row) const {
  return std::none_of(walk_.unlike.begin(), walk_.unlike.end(),
                      [&](Slot slot) { return has_relationship(row[slot], relationship); });
}

bool has_relationship(const Value& value, std::uint64_t id) {
  const List* const list = value.list();
  if (list == nullptr) return is_relationship(value, id);
  return std::ranges::any_of(*list, [&](const Value& one) { return is_relationship(one, id); });
}

// A null node, as from OPTIONAL MATCH, matches nothing. Any other value that is not a node is an
// error.
Result<std::optional<std::uint64_t>> node_in(std::span<const Value> row, Slot slot,
                                             const std::string& name) {
  return node_of(row[slot], name);
}

bool is_of_values(const Error& error) {
  return error.code == ErrorCode::invalid_argument || error.code == ErrorCode::type_error;
}

// A path fails if a test is unknown, both for all() and for none().
Result<bool> pass(Evaluator& evaluator, std::span<const ElementTest> tests, const Value& element,
                  Row row) {
  for (const ElementTest& test : tests) {
    row[test.slot] = element;
    const auto answer = evaluator.evaluate(*test.condition, row);
    if (!answer && is_of_values(answer.error())) continue;
    if (!answer) return answer.error();
    const bool* known = answer->get_if<bool>();
    if (known == nullptr || *known != test.wanted) return false;
  }
  return true;
}

namespace {

// Adds the relationships of a list and the nodes between them, which are in no slot. The other end
// of each relationship is the next node. The list is in the order of the pattern, regardless of the
// direction of the walk.
Result<bool> add_list(const List& list, Path& path, GraphReader& graph) {
  for (const Value& step : list) {
    const auto* relationship = step.get_if<Relationship>();
    if (relationship == nullptr) return false;
    CAIRN_ASSIGN(const auto record, graph.relationship(relationship->id().value));
    if (!record) return false;
    const std::uint64_t here = path.nodes.back().id().value;
    path.relationships.push_back(*relationship);
    path.nodes.emplace_back(NodeId{record->source == here ? record->target : record->source});
  }
  return true;
}

// A step is a relationship, or a list of relationships if its length is variable.
Result<bool> add_step(const PathPattern& pattern, Row row, std::size_t i, Path& path,
                      GraphReader& graph) {
  const Value& step = row[pattern.relationships[i].slot];
  if (const List* list = step.list()) return add_list(*list, path, graph);
  const auto* relationship = step.get_if<Relationship>();
  const Node* node = row[pattern.nodes[i + 1].slot].get_if<Node>();
  if (relationship == nullptr || node == nullptr) return false;
  path.relationships.push_back(*relationship);
  path.nodes.push_back(*node);
  return true;
}

}  // namespace

// Starts with the first node and adds the steps of the pattern from left to right.
Result<std::optional<Path>> path_of(const PathPattern& pattern, Row row, GraphReader& graph) {
  Path path;
  const Node* first = row[pattern.nodes[0].slot].get_if<Node>();
  if (first == nullptr) return std::optional<Path>();
  path.nodes.push_back(*first);
  for (std::size_t i = 0; i < pattern.relationships.size(); ++i) {
    CAIRN_ASSIGN(const bool is_whole, add_step(pattern, row, i, path, graph));
    if (!is_whole) return std::optional<Path>();
  }
  return std::optional(std::move(path));
}

// BindPath: sets the path variable of a pattern from the nodes and relationships of the row. Paths
// need memory and, for variable lengths, reads. So they are made after all steps, and only if the
// pattern names them.

namespace {

class BindPathOperator final : public PhysicalOperator {
 public:
  BindPathOperator(const BindPath& content, Parts parts)
      : PhysicalOperator(parts.context, std::move(parts.input), parts.width),
        pattern_(*content.path) {}

 protected:
  /// Returns one row per row. A path through a null, as from OPTIONAL MATCH, is null.
  Result<bool> produce(RowBatch& out) override {
    CAIRN_ASSIGN(const bool more, input().next(out));
    for (std::size_t row = 0; row < out.size(); ++row) {
      CAIRN_ASSIGN(auto path, path_of(pattern_, out[row], graph()));
      if (path) CAIRN_TRY(out.hold(path_bytes + 2 * path->nodes.capacity() * sizeof(Node)));
      out[row][*pattern_.slot] = path ? Value(std::move(*path)) : Value();
    }
    return more;
  }

 private:
  static constexpr std::size_t path_bytes = 96;  // a path without its nodes and relationships

  const PathPattern& pattern_;
};

}  // namespace

OperatorPtr make_operator(const BindPath& content, Parts parts) {
  return std::make_unique<BindPathOperator>(content, std::move(parts));
}

}  // namespace cairn::query
