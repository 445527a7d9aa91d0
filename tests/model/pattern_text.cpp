// Pattern queries as text, and random ones.

#include "tests/model/pattern.hpp"

#include <algorithm>
#include <array>

namespace cairn::test {
namespace {

constexpr std::string_view list_prefix = "l";

std::string number_text(std::optional<int> number) {
  return number ? " {v: " + std::to_string(*number) + "}" : "";
}

std::string text_of(const NodePart& node) {
  return "(" + node.variable + (node.label.empty() ? "" : ":" + node.label) +
         number_text(node.number) + ")";
}

std::string text_of(const HopPart& hop) {
  std::string text = hop.variable;
  for (const std::string& type : hop.types) text += (&type == &hop.types[0] ? ":" : "|") + type;
  if (hop.is_variable_length)
    text += "*" + std::to_string(hop.least) + ".." + (hop.most ? std::to_string(*hop.most) : "");
  text += number_text(hop.number);
  if (!text.empty()) text = "[" + text + "]";
  return (hop.arrow == Arrow::left ? "<-" : "-") + text + (hop.arrow == Arrow::right ? "->" : "-");
}

std::string text_of(const PathPart& path) {
  std::string text = text_of(path.nodes[0]);
  for (std::size_t i = 0; i < path.hops.size(); ++i)
    text += text_of(path.hops[i]) + text_of(path.nodes[i + 1]);
  return text;
}

std::string text_of(const MatchPart& match) {
  std::string text = match.is_optional ? "OPTIONAL MATCH " : "MATCH ";
  for (const PathPart& path : match.paths)
    text += (&path == &match.paths[0] ? "" : ", ") + text_of(path);
  if (!match.where) return text + " ";
  const NumberTest& test = *match.where;
  return text + " WHERE " + test.left + ".v " + test.operation + " " +
         (test.right.empty() ? std::to_string(test.number) : test.right + ".v") + " ";
}

std::string key_text(const std::string& variable) {
  if (variable.starts_with(list_prefix)) return "[x IN " + variable + " | id(x)]";
  return "id(" + variable + ")";
}

std::string count_text(const ReturnPart& part) {
  switch (part.kind) {
    case ReturnPart::Kind::count_rows:
      return "count(*)";
    case ReturnPart::Kind::count:
      return "count(" + part.counted + ")";
    case ReturnPart::Kind::count_distinct:
      return "count(DISTINCT " + part.counted + ")";
    default:
      return {};
  }
}

std::string text_of(const ReturnPart& part) {
  std::string text;
  for (const std::string& key : part.keys) text += (text.empty() ? "" : ", ") + key_text(key);
  if (const std::string count = count_text(part); !count.empty())
    text += (text.empty() ? "" : ", ") + count;
  return (part.kind == ReturnPart::Kind::distinct_rows ? "RETURN DISTINCT " : "RETURN ") + text;
}

// Draws a query whose variables are n0 to n3 for nodes, r0, r1, ... for relationships and l0, l1,
// ... for lists of them.
class Generator {
 public:
  Generator(Random& random, bool with_open_walks)
      : random_(random), with_open_walks_(with_open_walks) {}

  PatternQuery query() {
    PatternQuery query;
    const std::size_t clauses = 1 + (random_.one_in(2) ? random_.below(3) : 0);
    for (std::size_t i = 0; i < clauses; ++i) query.matches.push_back(match(i == 0));
    query.returned = returned();
    return query;
  }

 private:
  MatchPart match(bool is_first) {
    MatchPart match;
    match.is_optional = random_.one_in(is_first ? 8 : 2);
    std::vector<std::string> bound_before = relationships_;  // each once in a clause
    const std::size_t paths = random_.one_in(3) ? 2 : 1;
    for (std::size_t i = 0; i < paths; ++i) match.paths.push_back(path(bound_before));
    if (!nodes_.empty() && random_.one_in(3)) match.where = where();
    return match;
  }

  PathPart path(std::vector<std::string>& bound_before) {
    PathPart path{{node()}, {}};
    const std::size_t hops = random_.below(4);
    for (std::size_t i = 0; i < hops; ++i) {
      path.hops.push_back(hop(bound_before));
      path.nodes.push_back(node());
    }
    return path;
  }

  NodePart node() {
    NodePart part;
    if (!random_.one_in(4)) part.variable = "n" + std::to_string(random_.below(4));
    if (random_.one_in(4)) part.label = random_.one_in(2) ? "A" : "B";
    part.number = number();
    if (!part.variable.empty() && std::ranges::count(nodes_, part.variable) == 0)
      nodes_.push_back(part.variable);
    return part;
  }

  HopPart hop(std::vector<std::string>& bound_before) {
    HopPart part;
    part.arrow = static_cast<Arrow>(random_.below(3));
    if (random_.one_in(3)) part.types = {"R"};
    if (random_.one_in(4)) part.types = {"S", "R"};
    part.number = number();
    part.is_variable_length = random_.one_in(4);
    if (part.is_variable_length) {
      part.least = random_.below(3);
      if (!with_open_walks_ || !random_.one_in(4)) part.most = part.least + random_.below(3);
    }
    name(part, bound_before);
    return part;
  }

  // A relationship of an earlier clause may be asked for again.
  void name(HopPart& part, std::vector<std::string>& bound_before) {
    if (random_.one_in(3)) return;
    if (!part.is_variable_length && !bound_before.empty() && random_.one_in(6)) {
      part.variable = random_.pick(bound_before);
      std::erase(bound_before, part.variable);
      return;
    }
    auto& names = part.is_variable_length ? lists_ : relationships_;
    part.variable = (part.is_variable_length ? "l" : "r") + std::to_string(names.size());
    names.push_back(part.variable);
  }

  std::optional<int> number() {
    return random_.one_in(8) ? std::optional(static_cast<int>(random_.below(3))) : std::nullopt;
  }

  NumberTest where() {
    static const std::vector<std::string> operations = {"=", "<>", "<", "<=", ">", ">="};
    return {random_.pick(nodes_), random_.pick(operations),
            random_.one_in(2) ? random_.pick(nodes_) : "", static_cast<int>(random_.below(3))};
  }

  ReturnPart returned() {
    std::vector<std::string> names = nodes_;
    names.insert(names.end(), relationships_.begin(), relationships_.end());
    names.insert(names.end(), lists_.begin(), lists_.end());
    ReturnPart part;
    if (names.empty()) return {ReturnPart::Kind::count_rows, {}, {}};
    part.kind = static_cast<ReturnPart::Kind>(random_.below(5));
    part.counted = random_.pick(names);
    const bool is_counting = !count_text(part).empty();
    for (const std::string& name : names)
      if (part.kind == ReturnPart::Kind::rows || random_.one_in(is_counting ? 4 : 2))
        part.keys.push_back(name);
    if (part.keys.empty() && !is_counting) part.keys.push_back(names[0]);
    return part;
  }

  Random& random_;
  bool with_open_walks_;
  std::vector<std::string> nodes_;
  std::vector<std::string> relationships_;
  std::vector<std::string> lists_;
};

}  // namespace

std::string PatternQuery::text() const {
  std::string text;
  for (const MatchPart& match : matches) text += text_of(match);
  return text + text_of(returned);
}

PatternQuery random_pattern_query(Random& random, bool with_open_walks) {
  return Generator(random, with_open_walks).query();
}

}  // namespace cairn::test
