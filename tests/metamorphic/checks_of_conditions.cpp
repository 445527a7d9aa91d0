// Checks that evaluate one condition in several forms.
#include "tests/metamorphic/checks.hpp"

#include <utility>

namespace cairn::test {
namespace {

Lines without_false(const Table& table) {
  Table kept;
  for (const auto& row : table)
    if (const bool* is_true = row.back().get_if<bool>(); is_true != nullptr && *is_true)
      kept.emplace_back(row.begin(), row.end() - 1);
  return lines_of(kept);
}

// The clauses with the condition inside the brackets of the first node. Empty unless the pattern is
// a single node.
std::string within_pattern(const Source& source, const std::string& condition) {
  const std::size_t end = source.clauses.find(')');
  const bool is_scan =
      source.nodes.size() == 1 && source.relationships.empty() && end + 1 == source.clauses.size();
  return is_scan ? source.clauses.substr(0, end) + " WHERE " + condition + ")" : std::string();
}

// Statements that must have the same rows as WHERE `condition`.
std::vector<std::string> forms(Random& random, const Source& source, const Condition& condition) {
  const std::string p = condition.text();
  std::vector<std::string> all = {
      source.where(condition.shuffled(random).text()),
      source.where("NOT (NOT " + p + ")"),
      source.where(p + " AND true"),
      source.where(p + " OR false"),
      source.where(p + " AND " + p),
      source.where("coalesce(" + p + ", false)"),
      source.where("CASE WHEN " + p + " THEN true ELSE false END"),
      source.clauses + " WITH * WHERE " + p,
      source.clauses + " WITH *, " + p + " AS p WHERE p",
  };
  if (const std::string within = within_pattern(source, p); !within.empty()) all.push_back(within);
  if (condition.kind == Condition::Kind::conjunction) {
    std::string steps = source.clauses;
    for (const Condition& part : condition.parts)
      steps.append(" WITH * WHERE ").append(part.text());
    all.push_back(steps);
  }
  return all;
}

Source random_source(Questions& questions) {
  return questions.random().one_in(2) ? questions.scan() : questions.source();
}

}  // namespace

Check conditions_are_computed_alike(Questions& questions) {
  const Source source = random_source(questions);
  const std::string p = questions.condition(source).text();
  const std::string found = source.where(p) + " RETURN " + source.ids();
  const std::string computed = source.clauses + " RETURN " + source.ids() + ", " + p + " AS p";
  const std::string counted = source.where(p) + " RETURN count(*)";
  return [=](Answers& answers) {
    const Lines expected = without_false(answers.rows(computed));
    answers.expect_same(found + "\n  has other rows than\n  " + computed, expected,
                        answers.lines(found));
    answers.expect_same(counted + "\n  counts other rows than\n  " + computed,
                        {std::to_string(expected.size())}, answers.lines(counted));
  };
}

Check forms_of_a_condition_agree(Questions& questions) {
  const Source source = random_source(questions);
  std::vector<Condition> parts;
  for (std::size_t i = 2 + questions.random().below(3); i > 0; --i)
    parts.push_back(questions.condition(source, 1));
  const Condition condition =
      questions.random().one_in(3) ? questions.condition(source) : conjunction_of(std::move(parts));
  const std::string returned = " RETURN " + source.ids();
  return [first = source.where(condition.text()) + returned, returned,
          all = forms(questions.random(), source, condition)](Answers& answers) {
    const Lines expected = answers.lines(first);
    for (const std::string& form : all)
      answers.expect_same(first + "\n  has other rows than\n  " + form + returned, expected,
                          answers.lines(form + returned));
  };
}

Check parameters_are_as_literals(Questions& questions) {
  const Source source = random_source(questions);
  const Condition condition = questions.condition(source);
  Parameters parameters;
  const std::string returned = " RETURN " + source.ids();
  const std::string literals = source.where(condition.text()) + returned;
  const std::string names = source.where(condition.text(parameters)) + returned;
  return [=](Answers& answers) {
    answers.expect_same(
        literals + "\n  has other rows than\n  " + names + "\n  with " + describe(parameters),
        answers.lines(literals), answers.lines(names, parameters));
  };
}

}  // namespace cairn::test
