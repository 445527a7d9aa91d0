// Pivoted query synthesis: one row is drawn. Conditions on the row are negated where necessary, so that each is true
// for the row according to a naive evaluator. A statement with these conditions must return the row.
#include "tests/metamorphic/checks.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace cairn::test {
namespace {

// A condition on one of the variables of a row.
struct Part {
  std::size_t variable = 0;
  Filter filter;
};

// Of each variable a row has the id, the properties and the labels, which relationships lack.
constexpr std::size_t cells_of_a_variable = 3;

std::string facts_of(const Source& source) {
  std::string text;
  for (const std::string& name : source.variables()) {
    const bool is_node = std::ranges::count(source.nodes, name) > 0;
    text.append(text.empty() ? "" : ", ").append("id(").append(name).append("), properties(");
    text.append(name).append(is_node ? "), labels(" + name + ")" : "), [] AS none_of_" + name);
  }
  return text;
}

std::string ids_of(const std::vector<Value>& row) {
  Table ids(1);
  for (std::size_t i = 0; i < row.size(); i += cells_of_a_variable) ids[0].push_back(row[i]);
  return lines_of(ids)[0];
}

// A condition that is true where the filter has this value.
std::string turned(const std::string& filter, Truth value) {
  if (!value) return "((" + filter + ") IS NULL)";
  return *value ? "(" + filter + ")" : "(NOT (" + filter + "))";
}

std::string turned_for(const std::vector<Value>& row, const Source& source, const Part& part) {
  const std::size_t first = part.variable * cells_of_a_variable;
  const Map& properties = *row[first + 1].map();
  std::set<std::string> labels;
  for (const Value& label : *row[first + 2].list()) labels.insert(label.as_string());
  return turned(part.filter.text(source.variables()[part.variable]),
                part.filter.evaluate({properties, labels}));
}

// One without optional parts, whose rows have all of their variables.
Source whole_source(Questions& questions) {
  Source source = questions.source();
  while (!source.is_match) source = questions.source();
  return source;
}

std::vector<Part> random_tests(Questions& questions, const Source& source) {
  Random& random = questions.random();
  const std::size_t variables = source.variables().size();
  std::vector<Part> parts(1 + random.below(4));
  for (Part& part : parts) {
    part.variable = random.below(variables);
    part.filter = random_filter(random, 3, part.variable < source.nodes.size());
  }
  return parts;
}

}  // namespace

Check pivots_are_found(Questions& questions) {
  const Source source = whole_source(questions);
  const std::vector<Part> parts = random_tests(questions, source);
  const std::size_t drawn = questions.random().below(1'000);
  // What it says does not matter, because the other side of OR is true.
  const std::string beside =
      questions.random().one_in(3) ? " OR " + questions.condition(source, 1).text() : std::string();
  return [=](Answers& answers) {
    const Table rows = answers.rows(source.clauses + " RETURN " + facts_of(source));
    if (rows.empty()) return;
    const std::vector<Value>& pivot = rows[drawn % rows.size()];
    std::string condition;
    for (const Part& part : parts)
      condition.append(condition.empty() ? "(" : " AND (")
          .append(turned_for(pivot, source, part))
          .append(beside + ")");
    const std::string statement = source.where(condition) + " RETURN " + source.ids();
    const std::string line = ids_of(pivot);
    const auto expected = std::ranges::count(rows, line, ids_of);
    Lines found = answers.lines(statement);
    std::erase_if(found, [&](const std::string& other) { return other != line; });
    answers.expect_same(statement + "\n  has not the row " + line,
                        Lines(static_cast<std::size_t>(expected), line), found);
  };
}

}  // namespace cairn::test
