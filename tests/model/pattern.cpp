#include "tests/model/pattern.hpp"

#include "tests/model/truth.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace cairn::test {
namespace {

// A row holds a node or relationship as its id, a list of relationships as a list of ids.
using Row = Map;
using Used = std::set<RelationshipId>;

Value id_value(std::uint64_t id) { return static_cast<std::int64_t>(id); }

Value number_of(const Properties& properties) {
  const auto found = properties.find("v");
  return found == properties.end() ? Value() : found->second;
}

bool has_number(const Properties& properties, std::optional<int> number) {
  return !number || equal(number_of(properties), *number) == Truth(true);
}

// The row with the variable bound, or nothing where it is bound to something else.
std::optional<Row> with_bound(const Row& row, const std::string& variable, const Value& value) {
  if (variable.empty()) return row;
  Row bound = row;
  const auto [entry, is_new] = bound.emplace(variable, value);
  if (!is_new && !(entry->second == value)) return {};
  return bound;
}

// All ways to match one clause, one element after the other.
class Matcher {
 public:
  Matcher(const ModelGraph& graph, const MatchPart& match, std::size_t& work_left)
      : graph_(graph), match_(match), work_left_(work_left) {}

  std::vector<Row> match(const Row& row) {
    rows_.clear();
    match_path(0, row, {});
    return rows_;
  }

 private:
  void match_path(std::size_t path, const Row& row, const Used& used) {
    if (path == match_.paths.size()) {
      if (passes(row)) rows_.push_back(row);
      return;
    }
    for (const auto& [id, node] : graph_.nodes()) match_node({path, 0}, id, row, used);
  }

  // The element of a path that comes next.
  struct Place {
    std::size_t path = 0;
    std::size_t node = 0;
  };

  void match_node(Place place, NodeId id, const Row& row, const Used& used) {
    if (work_left_ == 0) return;
    --work_left_;
    const PathPart& path = match_.paths[place.path];
    const NodePart& part = path.nodes[place.node];
    const ModelNode& node = graph_.nodes().at(id);
    if (!part.label.empty() && !node.labels.contains(part.label)) return;
    if (!has_number(node.properties, part.number)) return;
    const auto bound = with_bound(row, part.variable, id_value(id.value));
    if (!bound) return;
    if (place.node == path.hops.size()) return match_path(place.path + 1, *bound, used);
    if (path.hops[place.node].is_variable_length)
      match_far(place, id, *bound, used, {});
    else
      match_hop(place, id, *bound, used);
  }

  // The relationships that lead on from a node, with the nodes they lead to.
  std::vector<std::pair<RelationshipId, NodeId>> ways(const HopPart& part, NodeId from,
                                                      const Used& used) const {
    std::vector<std::pair<RelationshipId, NodeId>> found;
    for (const auto& [id, relationship] : graph_.relationships()) {
      if (used.contains(id) || !has_number(relationship.properties, part.number)) continue;
      if (!part.types.empty() && std::ranges::count(part.types, relationship.type) == 0) continue;
      const bool is_loop = relationship.source == relationship.target;
      if (part.arrow != Arrow::left && relationship.source == from)
        found.emplace_back(id, relationship.target);
      if (part.arrow != Arrow::right && relationship.target == from &&
          !(is_loop && part.arrow == Arrow::either))
        found.emplace_back(id, relationship.source);
    }
    return found;
  }

  void match_hop(Place place, NodeId from, const Row& row, const Used& used) {
    const HopPart& part = match_.paths[place.path].hops[place.node];
    for (const auto& [id, to] : ways(part, from, used)) {
      const auto bound = with_bound(row, part.variable, id_value(id.value));
      if (!bound) continue;
      Used more = used;
      more.insert(id);
      match_node({place.path, place.node + 1}, to, *bound, more);
    }
  }

  void match_far(Place place, NodeId from, const Row& row, const Used& used, const List& taken) {
    const HopPart& part = match_.paths[place.path].hops[place.node];
    if (taken.size() >= part.least)
      if (const auto bound = with_bound(row, part.variable, taken))
        match_node({place.path, place.node + 1}, from, *bound, used);
    if (part.most && taken.size() >= *part.most) return;
    for (const auto& [id, to] : ways(part, from, used)) {
      if (work_left_ == 0) return;
      --work_left_;
      Used more = used;
      more.insert(id);
      List longer = taken;
      longer.push_back(id_value(id.value));
      match_far(place, to, row, more, longer);
    }
  }

  Value number_in(const Row& row, const std::string& variable) const {
    const Value& id = row.at(variable);
    if (id.is_null()) return {};
    return number_of(graph_.nodes().at({static_cast<std::uint64_t>(id.as_integer())}).properties);
  }

  bool passes(const Row& row) const {
    if (!match_.where) return true;
    const NumberTest& test = *match_.where;
    const Value right = test.right.empty() ? Value(test.number) : number_in(row, test.right);
    return compare(number_in(row, test.left), test.operation, right) == Truth(true);
  }

  const ModelGraph& graph_;
  const MatchPart& match_;
  std::size_t& work_left_;
  std::vector<Row> rows_;
};

std::vector<std::string> variables(const MatchPart& match) {
  std::vector<std::string> names;
  for (const PathPart& path : match.paths) {
    for (const NodePart& node : path.nodes) names.push_back(node.variable);
    for (const HopPart& hop : path.hops) names.push_back(hop.variable);
  }
  std::erase(names, "");
  return names;
}

void match_clause(const ModelGraph& graph, const MatchPart& match, std::size_t& work_left,
                  std::vector<Row>& rows) {
  Matcher matcher(graph, match, work_left);
  std::vector<Row> joined;
  for (const Row& row : rows) {
    std::vector<Row> found = matcher.match(row);
    if (found.empty() && match.is_optional) {
      found.push_back(row);
      for (const std::string& name : variables(match)) found[0].emplace(name, Value());
    }
    joined.insert(joined.end(), found.begin(), found.end());
  }
  rows = std::move(joined);
}

using Line = std::string;

Line line_of(const Row& row, const std::vector<std::string>& keys) {
  Line line;
  for (const std::string& key : keys) line += (line.empty() ? "" : " | ") + row.at(key).to_text();
  return line;
}

Lines counted_lines(const std::vector<Row>& rows, const ReturnPart& part) {
  // For each group the counted values.
  std::map<Line, std::vector<std::string>> groups;
  if (part.keys.empty()) groups[""];
  for (const Row& row : rows) {
    auto& group = groups[line_of(row, part.keys)];
    if (part.kind == ReturnPart::Kind::count_rows)
      group.emplace_back();
    else if (!row.at(part.counted).is_null())
      group.push_back(row.at(part.counted).to_text());
  }
  Lines lines;
  for (auto& [key, values] : groups) {
    const std::size_t count = part.kind == ReturnPart::Kind::count_distinct
                                  ? std::set(values.begin(), values.end()).size()
                                  : values.size();
    lines.push_back((key.empty() ? "" : key + " | ") + std::to_string(count));
  }
  return lines;
}

Lines returned_lines(const std::vector<Row>& rows, const ReturnPart& part) {
  if (part.kind != ReturnPart::Kind::rows && part.kind != ReturnPart::Kind::distinct_rows)
    return counted_lines(rows, part);
  Lines lines;
  for (const Row& row : rows) lines.push_back(line_of(row, part.keys));
  if (part.kind == ReturnPart::Kind::rows) return lines;
  const std::set<Line> distinct(lines.begin(), lines.end());
  return {distinct.begin(), distinct.end()};
}

}  // namespace

std::optional<Lines> PatternQuery::evaluate(const ModelGraph& graph, std::size_t most) const {
  constexpr std::size_t most_work = 100'000;
  std::size_t work_left = most_work;
  std::vector<Row> rows = {Row()};
  for (const MatchPart& match : matches) match_clause(graph, match, work_left, rows);
  if (work_left == 0 || rows.size() > most) return {};
  return returned_lines(rows, returned);
}

}  // namespace cairn::test
