// Statements of many forms with rules of the optimizer disabled, and SKIP and LIMIT of sorted rows.
#include "query/optimize/optimizer.hpp"
#include "tests/metamorphic/checks.hpp"
#include "tests/model/pattern.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace cairn::test {
namespace {

struct Asked {
  std::string text;
  bool is_ordered = false;  ///< the order of different rows is fixed
};

std::string any_condition(Questions& questions, const Source& source) {
  return questions.random().one_in(5) ? source.clauses
                                      : source.where(questions.condition(source).text());
}

std::string direction(Questions& questions) { return questions.random().one_in(2) ? " DESC" : ""; }

std::string piece(Questions& questions) {
  std::string text;
  if (questions.random().one_in(3)) text += " SKIP " + std::to_string(questions.random().below(4));
  return text + " LIMIT " + std::to_string(questions.random().below(8));
}

Asked rows(Questions& questions) {
  const Source source = questions.source();
  const bool is_sorted = questions.random().one_in(2);
  const std::string key = questions.expression(source) + direction(questions);
  return {any_condition(questions, source) + " RETURN " + source.ids() + ", " +
              questions.columns(source, 2) +
              (is_sorted ? " ORDER BY " + key + ", " + source.ids() + piece(questions) : ""),
          is_sorted};
}

// Only the key is returned, so rows with the same key are equal and the key is a total order.
Asked first_rows(Questions& questions) {
  const Source source = questions.random().one_in(3) ? questions.source() : questions.scan();
  const std::string key = questions.property(source);
  return {any_condition(questions, source) + " RETURN " + key + " AS key ORDER BY " +
              (questions.random().one_in(2) ? key : "key") + direction(questions) +
              piece(questions),
          true};
}

Asked different_rows(Questions& questions) {
  const Source source = questions.random().one_in(2) ? questions.source() : questions.scan();
  const bool is_one = questions.random().one_in(2);
  return {any_condition(questions, source) + " RETURN DISTINCT " +
          (is_one ? questions.property(source) : questions.columns(source, 2))};
}

Asked aggregates(Questions& questions) {
  const Source source = questions.random().one_in(3) ? questions.source() : questions.scan();
  const std::string property = questions.property(source);
  const std::vector<std::string> all = {
      "count(*)",
      "count(" + source.variables().front() + ")",
      "count(" + property + ")",
      "count(DISTINCT " + property + ")",
      "count(DISTINCT " + property + "), count(*)",
      "min(" + property + ")",
      "max(" + property + ")",
      "min(" + property + "), max(" + property + "), max(" + questions.property(source) +
          ") AS other",
      "collect(" + property + ")",
      "collect(DISTINCT " + property + ")",
      "sum(" + questions.integer(source) + "), count(*)",
      property + " AS key, count(*) AS c",
      property + " AS key, count(*) AS c, min(" + questions.property(source) + ")",
      questions.columns(source, 1) + ", collect(" + source.variables().front() + ".k) AS ks",
  };
  return {any_condition(questions, source) + " RETURN " + questions.random().pick(all)};
}

const Source& neighbours() {
  static const Source source{"", {"a", "z"}, {"e"}};
  return source;
}

Asked steps(Questions& questions) {
  const Source scan = questions.scan();
  const std::string first = any_condition(questions, scan);
  const std::string condition = " WHERE " + questions.condition(neighbours(), 1).text();
  const std::string returned = " RETURN id(a), id(e), id(z), " + questions.columns(neighbours(), 1);
  switch (questions.random().below(6)) {
    case 0:
      return {first + " WITH a ORDER BY a.v, id(a) LIMIT 4 MATCH (a)-[e]->(z)" + condition +
              returned};
    case 1:
      return {first + " OPTIONAL MATCH (a)-[e]-(z:B)" + condition + returned};
    case 2:
      return {first + " MATCH (a)-[e:R]-()-->(z)" + condition + returned};
    case 3:
      return {first + " MATCH (a)-[e]->(z)" + condition +
              " WITH a, count(*) AS c WHERE c > 1 RETURN id(a), c"};
    case 4:
      return {
          first +
          questions.random().pick(std::vector<std::string>{
              " MATCH (a)-[e]->(z)", " MATCH (a)<-[e:R]-(z)", " MATCH (a)-[e:R|S]-(z)",
              " MATCH (a)--()-[e]-(z)", " OPTIONAL MATCH (a)--(z) WITH a, z MATCH (z)-[e]-(a)"}) +
          " RETURN " + questions.columns(scan, 1) +
          ", count(*) AS c, count(z), count(a.k), "
          "count(DISTINCT a.v), max(a.v)"};
    default:
      return {first + " RETURN id(a), COUNT { MATCH (a)-[e]-(z)" + condition +
              " }, EXISTS { MATCH (a)<-[e]-(z)" + condition + " }, size([(a)-[e]->(z)" + condition +
              " | z.k])"};
  }
}

Asked shortest_paths(Questions& questions) {
  static const Source ends{"MATCH p = shortestPath((a:A)-[:R|S*..4]-(b:B))", {"a", "b"}};
  return {any_condition(questions, ends) + " RETURN id(a), id(b), length(p)"};
}

Asked unions(Questions& questions) {
  const char* word = questions.random().one_in(2) ? " UNION " : " UNION ALL ";
  const Source one = questions.source(), other = questions.scan();
  return {any_condition(questions, one) + " RETURN " + questions.columns(one, 1) + word +
          any_condition(questions, other) + " RETURN " + questions.columns(other, 1)};
}

Asked patterns(Questions& questions) {
  return {random_pattern_query(questions.random(), false).text()};
}

Asked any_statement(Questions& questions) {
  using Draw = Asked (*)(Questions&);
  static constexpr std::array<Draw, 11> draws = {rows,       rows,       first_rows,     first_rows,
                                                 aggregates, aggregates, different_rows, steps,
                                                 patterns,   unions,     shortest_paths};
  return questions.random().pick(draws)(questions);
}

// Each rule alone, some rules, and all rules.
std::vector<std::string> rule_lists(Random& random) {
  std::vector<std::string> lists;
  std::string some, all;
  for (const std::string_view rule : query::rule_names()) {
    lists.emplace_back(rule);
    all.append(all.empty() ? "" : " ").append(rule);
    if (random.one_in(2)) some.append(some.empty() ? "" : " ").append(rule);
  }
  if (!some.empty()) lists.push_back(some);
  lists.push_back(all);
  return lists;
}

}  // namespace

Check rules_leave_rows_alone(Questions& questions) {
  return
      [asked = any_statement(questions), lists = rule_lists(questions.random())](Answers& answers) {
        const Lines expected = bag_lines_of(answers.rows(asked.text));
        for (const std::string& rules : lists) {
          StatementOptions options;
          options.disabled_rules = rules;
          const Lines found = bag_lines_of(answers.rows(asked.text, {}, options));
          const std::string about = asked.text + "\n  has other rows without the rules " + rules;
          if (asked.is_ordered)
            answers.expect_same_order(about, expected, found);
          else
            answers.expect_same(about, expected, found);
        }
      };
}

Check limits_are_monotone(Questions& questions) {
  const Source source = questions.random().one_in(2) ? questions.source() : questions.scan();
  const bool is_total = questions.random().one_in(2);
  const std::string property = questions.property(source);
  // Without the ids only the key is returned, so rows with the same key are equal.
  const std::string returned =
      is_total ? source.ids() + ", " + questions.columns(source, 1) : property + " AS key";
  const std::string order = " ORDER BY " + property + direction(questions) +
                            (is_total ? ", " + source.ids() : std::string());
  const std::string all = any_condition(questions, source) + " RETURN " + returned + order;
  const std::size_t skip = questions.random().one_in(2) ? 0 : questions.random().below(5);
  const std::size_t limit = questions.random().below(12);
  return [=](Answers& answers) {
    Lines expected = answers.lines(all);
    expected.erase(expected.begin(),
                   expected.begin() + static_cast<std::ptrdiff_t>(std::min(skip, expected.size())));
    for (const std::size_t most : {limit + 1, limit}) {
      expected.resize(std::min(expected.size(), most));
      const std::string some =
          all + " SKIP " + std::to_string(skip) + " LIMIT " + std::to_string(most);
      answers.expect_same_order(some + "\n  has other rows than the whole", expected,
                                answers.lines(some));
    }
  };
}

}  // namespace cairn::test
