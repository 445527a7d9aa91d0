#include "tests/query/execute/hostile/random_statements.hpp"

#include <algorithm>

namespace cairn::test {
namespace {

constexpr std::array labels = {":K", ":C", ":Spoke", ":Long", ":Layer", ":Hub", ""};
constexpr std::array types = {":L", ":NEXT", ":HAS", ":DOWN", ""};
constexpr std::array sizes = {"3", "50", "1000", "20000", "300000"};
constexpr std::array questions = {"'a* text'", "'1* 2*'", "'numbr~2'", "'\"the text\"~3'",
                                  "'+t* -7'"};
constexpr std::array algorithm_names = {"pagerank",         "components", "stronglyConnected",
                                        "louvain",          "leiden",     "betweenness",
                                        "labelPropagation", "kCore",      "triangles"};
constexpr std::array many = {"1000", "100000", "10000000", "1000000000"};

}  // namespace

HostileStatement RandomStatements::next() {
  names_.clear();
  last_name_ = 0;
  std::string text = rows();
  const std::size_t clauses = random_.below(4);
  for (std::size_t i = 0; i < clauses; ++i) {
    switch (random_.below(6)) {
      case 0:
        text += project();
        break;
      case 1:
        text += group();
        break;
      case 2:
        text += optional();
        break;
      case 3:
        text += subquery();
        break;
      default:
        text += rows();
        break;
    }
  }
  text += last();
  return {"random", text.substr(1), random_.one_in(4)};
}

const std::string& RandomStatements::bind(Type type) {
  names_.push_back({type, "v" + std::to_string(++last_name_)});
  return names_.back().text;
}

std::vector<std::string> RandomStatements::names(Type type) const {
  std::vector<std::string> found;
  for (const Name& name : names_)
    if (type == Type::any || name.type == type) found.push_back(name.text);
  return found;
}

std::string RandomStatements::name(Type type) {
  const auto found = names(type);
  return found.empty() ? std::string() : random_.pick(found);
}

std::string RandomStatements::property(const char* property_name) {
  const std::string node = name(Type::node);
  return node.empty() ? node : node + "." + property_name;
}

std::string RandomStatements::expression(Type type, int depth) {
  if (type == Type::number) return number(depth);
  if (type == Type::text) return text(depth);
  if (type == Type::list) return list(depth);
  if (type != Type::any) return name(type);
  const std::string bound = name(Type::any);
  if (!bound.empty() && random_.one_in(2)) return bound;
  switch (random_.below(4)) {
    case 0:
      return number(depth);
    case 1:
      return text(depth);
    case 2:
      return list(depth);
    default:
      return "{a: " + expression(Type::any, depth - 1) + ", b: " + number(0) + "}";
  }
}

std::string RandomStatements::number(int depth) {
  const std::string bound = random_.one_in(2) ? name(Type::number) : property("i");
  if (!bound.empty() && (depth <= 0 || random_.one_in(2))) return bound;
  if (depth <= 0) return pick(sizes);
  switch (random_.below(5)) {
    case 0:
      return "(" + number(depth - 1) + " + " + number(depth - 1) + ")";
    case 1:
      return "(" + number(depth - 1) + " % 997)";
    case 2:
      return "size(" + list(depth - 1) + ")";
    case 3:
      return "size(" + text(depth - 1) + ")";
    default:
      return "reduce(s = 0, y IN range(1, " + pick(sizes) + ") | s + y)";
  }
}

std::string RandomStatements::text(int depth) {
  const std::string bound = random_.one_in(2) ? name(Type::text) : property("text");
  if (!bound.empty() && (depth <= 0 || random_.one_in(2))) return bound;
  if (depth <= 0) return "'some text of no length'";
  switch (random_.below(6)) {
    case 0:
      return "(" + text(depth - 1) + " + " + text(depth - 1) + ")";
    case 1:
      return "toString(" + number(depth - 1) + ")";
    case 2:
      return "replace(" + text(depth - 1) + ", 'e', 'eeeeeee')";
    case 3:
      return "toUpper(" + text(depth - 1) + ")";
    case 4:
      return "substring(" + text(depth - 1) + ", 1)";
    default:
      return "reduce(s = " + text(depth - 1) + ", y IN range(1, " +
             std::to_string(random_.below(30)) + ") | s + s)";
  }
}

std::string RandomStatements::list(int depth) {
  const std::string bound = random_.one_in(2) ? name(Type::list) : property("list");
  if (!bound.empty() && (depth <= 0 || random_.one_in(2))) return bound;
  if (depth <= 0) return "range(1, " + pick(sizes) + ")";
  switch (random_.below(8)) {
    case 0:
      return "[" + expression(Type::any, depth - 1) + ", " + number(0) + "]";
    case 1:
      return "(" + list(depth - 1) + " + " + list(depth - 1) + ")";
    case 2:
      return "[y IN " + list(depth - 1) + " | " + expression(Type::any, depth - 1) + "]";
    case 3:
      return "[y IN " + list(depth - 1) + " WHERE y = " + text(0) + "]";
    case 4:
      return "split(" + text(depth - 1) + ", 'e')";
    case 5:
      return "reverse(" + list(depth - 1) + ")";
    case 6:
      return "collect { MATCH (z" + pick(labels) + ") RETURN z.i }";
    default:
      return "reduce(s = " + list(depth - 1) + ", y IN range(1, " +
             std::to_string(random_.below(24)) + ") | [s, s])";
  }
}

std::string RandomStatements::aggregate(Type& type) {
  type = Type::number;
  switch (random_.below(8)) {
    case 0:
      return "count(*)";
    case 1:
      return "count(DISTINCT " + expression(Type::any, 1) + ")";
    case 2:
      return "sum(" + number(1) + ")";
    case 3:
      return "percentileCont(" + number(1) + ", 0.5)";
    case 4:
      type = Type::any;
      return "max(" + expression(Type::any, 1) + ")";
    case 5:
      type = Type::list;
      return "collect(DISTINCT " + expression(Type::any, 1) + ")";
    default:
      type = Type::list;
      return "collect(" + expression(Type::any, 2) + ")";
  }
}

std::string RandomStatements::condition() {
  const std::string node = name(Type::node);
  switch (random_.below(node.empty() ? 4 : 6)) {
    case 0:
      return number(2) + " < 0";
    case 1:
      return text(2) + " CONTAINS 'nothing has this'";
    case 2:
      return "any(y IN " + list(1) + " WHERE y = " + text(1) + ")";
    case 3:
      return number(1) + " % 3 = 1";
    case 4:
      return "count { (" + node + ")--()--(z) WHERE z.i > " + number(0) + " } > 0";
    default:
      return "NOT (" + node + ")--(" + pick(labels) + ")";
  }
}

std::string RandomStatements::rows() {
  std::string text;
  switch (random_.below(8)) {
    case 0:
    case 1:
      text = numbers();
      break;
    case 2:
      text = match_path();
      break;
    case 3:
      text = match_shortest();
      break;
    case 4:
      text = procedure();
      break;
    default:
      text = match();
      break;
  }
  const bool is_match = text.starts_with(" MATCH");
  return is_match && random_.one_in(3) ? text + " WHERE " + condition() : text;
}

std::string RandomStatements::numbers() {
  if (random_.one_in(3)) {
    const std::string from = list(2);
    return " UNWIND " + from + " AS " + bind(Type::any);
  }
  return " UNWIND range(1, " + pick(many) + ") AS " + bind(Type::number);
}

std::string RandomStatements::match() {
  const std::string old = random_.one_in(2) ? name(Type::node) : "";
  std::string text = " MATCH (" + (old.empty() ? bind(Type::node) + pick(labels) : old) + ")";
  const std::size_t steps = random_.one_in(20) ? random_.below(200) : random_.below(5);
  for (std::size_t i = 0; i < steps; ++i) {
    text += "-[" + pick(types) + "]-(";
    if (steps < 5) text += bind(Type::node);
    text += ")";
  }
  return text;
}

std::string RandomStatements::match_path() {
  const std::string from = bind(Type::node) + pick(labels);
  const std::string to = bind(Type::node) + pick(labels);
  const std::string range = random_.one_in(2) ? "*" : "*1.." + std::to_string(2 + random_.below(6));
  const std::string arrow = random_.one_in(2) ? "->" : "-";
  if (random_.one_in(2))
    return " MATCH (" + from + ")-[" + bind(Type::list) + pick(types) + range + "]" + arrow + "(" +
           to + ")";
  return " MATCH " + bind(Type::path) + " = (" + from + ")-[" + pick(types) + range + "]" + arrow +
         "(" + to + ")";
}

std::string RandomStatements::match_shortest() {
  const std::string from = bind(Type::node);
  const std::string to = bind(Type::node);
  const std::string ends = " MATCH (" + from + pick(labels) + "), (" + to + pick(labels) + ")";
  const std::string function = random_.one_in(2) ? "shortestPath" : "allShortestPaths";
  return ends + " MATCH " + bind(Type::path) + " = " + function + "((" + from + ")-[*]-(" + to +
         "))";
}

std::string RandomStatements::procedure() {
  switch (random_.below(3)) {
    case 0:
      return search();
    case 1:
      return " CALL graph." + pick(algorithm_names) + "() YIELD node AS " + bind(Type::node);
    default:
      return list_of_names();
  }
}

/// By words or by the vector of a node.
std::string RandomStatements::search() {
  const std::string vector = property("v");
  const std::string question = random_.one_in(2) ? pick(questions) : text(1);
  const bool has_vector = !vector.empty() && random_.one_in(2);
  const std::string& found = bind(Type::node);
  const std::string by_text = "FULLTEXT INDEX texts FOR " + question;
  const std::string by_vector = "VECTOR INDEX points FOR " + vector;
  const std::string retriever = !has_vector         ? by_text
                                : random_.one_in(2) ? by_vector
                                                    : "HYBRID " + by_vector + ", " + by_text;
  return " MATCH (" + found + ") SEARCH " + found + " IN (" + retriever + " LIMIT " + pick(sizes) +
         ")";
}

std::string RandomStatements::list_of_names() {
  constexpr std::array calls = {"db.labels() YIELD label", "db.propertyKeys() YIELD propertyKey",
                                "db.relationshipTypes() YIELD relationshipType"};
  return " CALL " + pick(calls) + " AS " + bind(Type::text);
}

std::string RandomStatements::subquery() {
  const std::string inner = " CALL { UNWIND range(1, " + pick(sizes) + ") AS y ";
  if (random_.one_in(2)) return inner + "RETURN y AS " + bind(Type::number) + " }";
  return inner + "RETURN collect([y]) AS " + bind(Type::list) + " }";
}

std::string RandomStatements::project() {
  std::vector<Name> kept;
  std::string columns;
  for (const Name& name : names_) {
    if (random_.one_in(3)) continue;
    columns += (columns.empty() ? "" : ", ") + name.text;
    kept.push_back(name);
  }
  const auto type = std::array{Type::number, Type::text, Type::list, Type::any}[random_.below(4)];
  const std::string value = expression(type, 2);
  names_ = std::move(kept);
  const std::string& made = bind(type);
  std::string text = random_.one_in(3) ? " WITH DISTINCT " : " WITH ";
  text += columns + (columns.empty() ? "" : ", ") + value + " AS " + made;
  if (random_.one_in(3)) text += " ORDER BY " + made + (random_.one_in(2) ? " DESC" : "");
  if (random_.one_in(6)) text += " SKIP " + pick(many);
  if (random_.one_in(6)) text += " LIMIT " + pick(many);
  return random_.one_in(4) ? text + " WHERE " + condition() : text;
}

std::string RandomStatements::group() {
  Type type{};
  const std::string value = aggregate(type);
  const std::string key = random_.one_in(3) ? "" : expression(Type::any, 1);
  names_.clear();
  std::string text = " WITH " + value + " AS " + bind(type);
  if (!key.empty()) text += ", " + key + " AS " + bind(Type::any);
  return text;
}

std::string RandomStatements::optional() {
  const std::string node = name(Type::node);
  std::string text = " OPTIONAL MATCH (" + node + pick(labels) + ")";
  if (random_.one_in(2)) text += "-[" + pick(types) + "*1.." + pick(sizes) + "]-";
  if (text.ends_with('-')) text += "(" + bind(Type::node) + ")";
  return text + " WITH " + (names_.empty() ? "1 AS " + bind(Type::number) : "*");
}

std::string RandomStatements::last() { return random_.one_in(5) ? write() : returns(); }

std::string RandomStatements::returns() {
  std::string text = random_.one_in(4) ? " RETURN DISTINCT " : " RETURN ";
  const std::size_t columns = 1 + random_.below(3);
  for (std::size_t i = 0; i < columns; ++i) {
    Type type{};
    const std::string value = random_.one_in(2) ? aggregate(type) : expression(Type::any, 2);
    text += (i == 0 ? "" : ", ") + value + " AS c" + std::to_string(i);
  }
  if (random_.one_in(3)) text += " ORDER BY c0" + std::string(random_.one_in(2) ? " DESC" : "");
  if (random_.one_in(4)) text += " LIMIT " + pick(many);
  return text;
}

std::string RandomStatements::write() {
  const std::string node = name(Type::node);
  switch (random_.below(node.empty() ? 3 : 6)) {
    case 0:
      return " CREATE (:New {i: " + number(1) + ", text: " + text(2) + "})";
    case 1:
      return " MERGE (:New {i: " + number(1) + "})";
    case 2:
      return " FOREACH (y IN " + list(1) + " | CREATE (:New {i: " + number(1) + "}))";
    case 3:
      return " SET " + node + ".copy = " + expression(Type::any, 2);
    case 4:
      return " CREATE (" + node + ")-[:R {i: " + number(1) + "}]->(:New)";
    default:
      return " DETACH DELETE " + node;
  }
}

}  // namespace cairn::test
