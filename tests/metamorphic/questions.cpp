#include "tests/metamorphic/questions.hpp"

#include "tests/differential/expression_pair.hpp"
#include "tests/model/samples.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace cairn::test {
namespace {

using Kind = Condition::Kind;

// All permutations are equally likely.
template <class Items>
void shuffle(Items& items, Random& random) {
  for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[random.below(i)]);
}

Filter shuffled_filter(Filter filter, Random& random) {
  for (Filter& part : filter.parts) part = shuffled_filter(std::move(part), random);
  shuffle(filter.parts, random);
  return filter;
}

std::string bare_text(const Condition& condition, Map* parameters);

std::string text_of(const Condition& condition, Map* parameters) {
  return "(" + bare_text(condition, parameters) + ")";
}

std::string parts_text(const Condition& condition, const char* word, Map* parameters) {
  std::string text;
  for (const Condition& part : condition.parts)
    text.append(text.empty() ? "" : word).append(text_of(part, parameters));
  return text;
}

std::string bare_text(const Condition& condition, Map* parameters) {
  switch (condition.kind) {
    case Kind::filter:
      return parameters == nullptr ? condition.filter.text(condition.variable)
                                   : condition.filter.text(condition.variable, *parameters);
    case Kind::text:
      return condition.fixed;
    case Kind::conjunction:
      return parts_text(condition, " AND ", parameters);
    case Kind::disjunction:
      return parts_text(condition, " OR ", parameters);
    case Kind::exclusive:
      return parts_text(condition, " XOR ", parameters);
    case Kind::negation:
      return "NOT " + parts_text(condition, "", parameters);
  }
  return {};
}

Condition fixed(std::string text) {
  Condition condition;
  condition.fixed = std::move(text);
  return condition;
}

const std::vector<std::string>& operators() {
  static const std::vector<std::string> all = {" = ", " <> ", " < ", " <= ", " > ", " >= "};
  return all;
}

}  // namespace

std::string Condition::text() const { return text_of(*this, nullptr); }

std::string Condition::text(Map& parameters) const { return text_of(*this, &parameters); }

Condition Condition::shuffled(Random& random) const {
  Condition other = *this;
  if (kind == Kind::filter) other.filter = shuffled_filter(filter, random);
  for (Condition& part : other.parts) part = part.shuffled(random);
  shuffle(other.parts, random);
  return other;
}

Condition conjunction_of(std::vector<Condition> parts) {
  Condition condition;
  condition.kind = Kind::conjunction;
  condition.parts = std::move(parts);
  return condition;
}

std::vector<std::string> Source::variables() const {
  std::vector<std::string> all = nodes;
  all.insert(all.end(), relationships.begin(), relationships.end());
  return all;
}

std::string Source::where(const std::string& condition) const {
  return clauses + " WHERE " + condition;
}

std::string Source::ids() const {
  std::string text;
  for (const std::string& name : variables())
    text.append(text.empty() ? "" : ", ").append("id(").append(name).append(")");
  return text;
}

Source Questions::scan() {
  static const std::vector<std::string> labels = {"", "", ":A", ":B", ":A:B", ":A|C", ":!A", ":%"};
  return {"MATCH (a" + random_.pick(labels) + ")", {"a"}};
}

Source Questions::source() {
  static const std::vector<Source> joined = {
      {"MATCH ()-[r]->()", {}, {"r"}},
      {"MATCH ()-[r:R]->(b)", {"b"}, {"r"}},
      {"MATCH (a)-[r]->(b)", {"a", "b"}, {"r"}},
      {"MATCH (a:A)-[r:R|S]-(b)", {"a", "b"}, {"r"}},
      {"MATCH (a)<-[r:S]-(b:B)", {"a", "b"}, {"r"}},
      {"MATCH (a)-[r]->(b)-[s]->(c:C)", {"a", "b", "c"}, {"r", "s"}},
      {"MATCH (a)-[r]-(a)", {"a"}, {"r"}},
      {"MATCH (a {v: 1})-[:R {v: 1}]->(b)", {"a", "b"}},
      {"MATCH (a:A)-[:R*0..2]->(b)", {"a", "b"}},
      {"MATCH (a)-[*1..2 {v: 1}]-(b:B)", {"a", "b"}},
      {"MATCH (a:A:B), (b:C)", {"a", "b"}},
      {"MATCH (a:A) MATCH (b {v: a.v})", {"a", "b"}},
      {"MATCH (a:A)-->(c) MATCH (c)-[r]->(b)", {"a", "b"}, {"r"}},
      {"UNWIND [0, 1, null] AS u MATCH (a:A {v: u})", {"a"}},
      {"MATCH (a) WITH a ORDER BY a.v DESC, id(a) SKIP 1 LIMIT 7", {"a"}, {}, false},
      {"MATCH (a:A) OPTIONAL MATCH (a)-[r]->(b:B) WITH *", {"a", "b"}, {"r"}, false},
      {"OPTIONAL MATCH (a:A:B:C {v: 0}) WITH a", {"a"}, {}, false},
      {"MATCH (a)-->() WITH DISTINCT a", {"a"}, {}, false},
      {"MATCH (a:B) WHERE a.v < 2 OPTIONAL MATCH (b:A) WHERE b.v = a.v WITH a, b",
       {"a", "b"},
       {},
       false},
  };
  return random_.one_in(3) ? scan() : random_.pick(joined);
}

const std::string& Questions::any_variable(const Source& source) {
  const std::size_t all = source.nodes.size() + source.relationships.size();
  const std::size_t at = random_.below(all);
  return at < source.nodes.size() ? source.nodes[at]
                                  : source.relationships[at - source.nodes.size()];
}

std::string Questions::value() {
  return random_.one_in(2) ? random_.pick(scalar_samples()).text : random_.pick(all_samples()).text;
}

std::string Questions::test_of_node(const std::string& n) {
  const std::vector<std::string> tests = {
      "EXISTS { (" + n + ")-[:R]->(:B) }",
      "EXISTS { (" + n + ")<--() }",
      "NOT EXISTS { (" + n + ")-[:S*1..2]->(:A {v: 1}) }",
      "EXISTS { MATCH (" + n + ")-[e]-(z) WHERE e.v = z.v }",
      "EXISTS { MATCH (z:A) WHERE z.v = " + n + ".v AND z.k < " + n + ".k }",
      "COUNT { (" + n + ")--() } > 1",
      n + ":A|B",
      n + ":!C",
      "'A' IN labels(" + n + ")",
      "size(labels(" + n + ")) = 2",
  };
  return random_.pick(tests);
}

// A condition on two variables, which may be the same.
std::string Questions::test_of_mixed(const std::string& v, const std::string& w) {
  static const std::vector<std::string> names = {"x", "y", "s", "n", "list", "m.b", "flag"};
  const std::string x = v + "." + random_.pick(names);
  const std::vector<std::string> tests = {
      x + random_.pick(operators()) + w + "." + random_.pick(names),
      x + " IN " + w + ".list",
      "any(item IN " + v + ".list WHERE item = " + value() + ")",
      "all(item IN " + v + ".list WHERE item" + random_.pick(operators()) + value() + ")",
      "none(item IN " + v + ".list WHERE item = " + x + ")",
      "single(item IN " + v + ".list WHERE item IS NOT NULL)",
      "coalesce(" + x + ", " + w + ".y) = " + value(),
      "valueType(" + x + ") STARTS WITH 'INTEGER'",
      "toStringOrNull(" + x + ") CONTAINS '1'",
      "toIntegerOrNull(" + x + ") > " + v + ".k",
      "'x' IN keys(" + v + ")",
      "size(" + v + ".list) > 1",
      "head(" + v + ".list) = " + value(),
      "CASE WHEN " + v + ".flag THEN " + x + " = " + value() + " ELSE " + x + " IS NULL END",
      "CASE " + x + " WHEN " + value() + " THEN true WHEN " + w + ".y THEN false END",
      "filter.equals(" + x + ", " + value() + ")",
      "filter.greater_than(" + x + ", 1)",
      "filter.contains(" + v + ".list, 1)",
      "filter.not_in(" + x + ", [1, 'a', true])",
      "filter.since(" + x + ", '2020-03-01')",
  };
  return random_.pick(tests);
}

// A condition that class Filter cannot write. No index can answer most of them alone.
std::string Questions::test(const Source& source) {
  const std::string& v = any_variable(source);
  const std::string& w = any_variable(source);
  if (!source.nodes.empty() && random_.one_in(4)) return test_of_node(random_.pick(source.nodes));
  if (flavour_ == Flavour::mixed && !random_.one_in(4)) return test_of_mixed(v, w);
  const std::vector<std::string> tests = {
      v + ".k + " + w + ".k" + random_.pick(operators()) + "1",
      v + ".k % 3 = 1",
      v + ".v IN [0, " + w + ".v]",
      v + ".q < " + w + ".k",
      "0 <= " + v + ".k < 2",
      v + ".d" + random_.pick(operators()) + "date('2020-03-01')",
      v + ".d.day = 1",
      v + ".d = " + w + ".d",
      v + ".t >= localdatetime('2020-03-01T00:00:00')",
      v + ".d + duration('P1D') = " + w + ".d",
      "id(" + v + ") % 2 = 0",
      v + " = " + w,
      "id(" + v + ")" + random_.pick(operators()) + "id(" + w + ")",
      v + ".k IS NULL",
      v + ".missing",
  };
  return random_.pick(tests);
}

Condition Questions::leaf(const Source& source) {
  const std::string& variable = any_variable(source);
  const bool is_node = std::ranges::count(source.nodes, variable) > 0;
  if (random_.one_in(3)) return fixed(test(source));
  if (flavour_ == Flavour::typed)
    return fixed(ExpressionPairs(random_, source.variables()).boolean(2).ours);
  Condition condition;
  condition.kind = Kind::filter;
  condition.variable = variable;
  condition.filter = random_filter(random_, 2, is_node);
  return condition;
}

Condition Questions::condition(const Source& source, int levels) {
  if (levels == 0 || random_.one_in(3)) return leaf(source);
  static constexpr std::array kinds = {Kind::conjunction, Kind::conjunction, Kind::disjunction,
                                       Kind::exclusive, Kind::negation};
  Condition condition;
  condition.kind = random_.pick(kinds);
  const std::size_t parts = condition.kind == Kind::negation ? 1 : 2 + random_.below(2);
  for (std::size_t i = 0; i < parts; ++i)
    condition.parts.push_back(this->condition(source, levels - 1));
  return condition;
}

std::string Questions::property(const Source& source) {
  static const std::vector<std::string> mixed = {"x", "y", "s", "n", "list", "m", "flag", "v", "d"};
  static const std::vector<std::string> typed = {"i", "j", "r", "s", "w", "b", "v", "d", "t"};
  return any_variable(source) + "." + random_.pick(flavour_ == Flavour::mixed ? mixed : typed);
}

std::string Questions::integer(const Source& source) {
  if (flavour_ == Flavour::typed && random_.one_in(2))
    return ExpressionPairs(random_, source.variables()).integer(2).ours;
  return any_variable(source) + (random_.one_in(2) ? ".k" : ".v + 1");
}

std::string Questions::expression(const Source& source) {
  if (random_.one_in(2)) return property(source);
  const std::string& v = any_variable(source);
  if (flavour_ == Flavour::typed && random_.one_in(2)) {
    ExpressionPairs pairs(random_, source.variables());
    return pairs.of(pairs.any_type(), 2).ours;
  }
  const std::vector<std::string> all = {
      integer(source),
      "[" + property(source) + ", " + v + ".k]",
      "{a: " + property(source) + "}",
      "coalesce(" + property(source) + ", " + property(source) + ")",
      "keys(" + v + ")",
      v + ".m.c.d",
      "valueType(" + property(source) + ")",
      condition(source, 0).text(),
  };
  return random_.pick(all);
}

std::string Questions::columns(const Source& source, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i)
    text.append(i == 0 ? "" : ", ")
        .append(expression(source))
        .append(" AS c")
        .append(std::to_string(i));
  return text;
}

}  // namespace cairn::test
