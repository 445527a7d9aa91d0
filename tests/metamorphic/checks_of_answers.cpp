// Ternary logic partitioning: every row is in one of three answers.
#include "tests/metamorphic/checks.hpp"

#include <array>
#include <map>
#include <utility>

namespace cairn::test {
namespace {

// A statement, and the three statements into which a condition divides its rows.
struct Parts {
  std::string whole;
  std::array<std::string, 3> thirds;

  [[nodiscard]] std::string about(const char* claim) const {
    return std::string(claim) + ":\n  " + whole + "\n  is not made of\n  " + thirds[0];
  }
};

Parts parts_of(const Source& source, const Condition& condition, const std::string& returned) {
  const std::string p = condition.text();
  return {source.clauses + returned,
          {source.where(p) + returned, source.where("NOT " + p) + returned,
           source.where(p + " IS NULL") + returned}};
}

Parts random_parts(Questions& questions, const Source& source, const std::string& returned) {
  return parts_of(source, questions.condition(source), returned);
}

Lines lines_of_thirds(const Parts& parts, Answers& answers) {
  Lines lines;
  for (const std::string& third : parts.thirds)
    for (std::string& line : answers.lines(third)) lines.push_back(std::move(line));
  return lines;
}

// The value that a statement computes from the values of the three parts.
Value combined(const std::string& expression, const Parts& parts, Answers& answers) {
  List values;
  for (const std::string& third : parts.thirds) values.push_back(answers.value(third));
  return answers.value("UNWIND $parts AS part RETURN " + expression, {{"parts", values}});
}

struct Aggregate {
  std::string returned;  ///< what the statement returns
  std::string of_parts;  ///< combines the values of the parts
};

Aggregate random_aggregate(Questions& questions, const Source& source) {
  const std::string value = questions.expression(source);
  const std::string number = questions.integer(source);
  const std::string first = source.variables().front();
  const std::array<Aggregate, 10> all{{
      {"count(*)", "sum(part)"},
      {"count(" + first + ")", "sum(part)"},
      {"count(" + value + ")", "sum(part)"},
      {"sum(" + number + ")", "sum(part)"},
      {"sum(" + first + ".q)", "sum(part)"},
      {"min(" + value + ")", "min(part)"},
      {"max(" + value + ")", "max(part)"},
      {"min(" + questions.property(source) + ")", "min(part)"},
      {"max(" + questions.property(source) + ")", "max(part)"},
      {"collect(" + value + ")", "reduce(whole = [], one IN collect(part) | whole + one)"},
  }};
  return questions.random().pick(all);
}

// Rows of key and count, with the counts of equal keys added up.
Lines added(const Table& table) {
  std::map<std::string, std::int64_t> counts;
  for (const auto& row : table) counts[canonical(row[0])] += row[1].as_integer();
  Lines lines;
  for (const auto& [key, count] : counts) lines.push_back(key + " | " + std::to_string(count));
  return lines;
}

}  // namespace

Check rows_are_partitioned(Questions& questions) {
  const Source source = questions.source();
  const std::string returned = " RETURN " + source.ids() + ", " + questions.columns(source, 1);
  return [parts = random_parts(questions, source, returned)](Answers& answers) {
    answers.expect_same(parts.about("rows"), answers.lines(parts.whole),
                        lines_of_thirds(parts, answers));
  };
}

Check distinct_rows_are_partitioned(Questions& questions) {
  const Source source = questions.random().one_in(2) ? questions.scan() : questions.source();
  const std::string columns =
      questions.random().one_in(2) ? questions.property(source) : questions.columns(source, 2);
  return
      [parts = random_parts(questions, source, " RETURN DISTINCT " + columns)](Answers& answers) {
        const Lines whole = answers.lines(parts.whole);
        answers.expect_same("rows are there twice in " + parts.whole, distinct(whole), whole);
        answers.expect_same(parts.about("different rows"), whole,
                            distinct(lines_of_thirds(parts, answers)));
      };
}

Check aggregates_are_partitioned(Questions& questions) {
  const Source source = questions.random().one_in(2) ? questions.scan() : questions.source();
  const Aggregate aggregate = random_aggregate(questions, source);
  const Parts parts =
      random_parts(questions, source, " RETURN " + aggregate.returned + " AS value");
  return [parts, of_parts = aggregate.of_parts](Answers& answers) {
    answers.expect_same(parts.about("an aggregate"), {canonical_bag(answers.value(parts.whole))},
                        {canonical_bag(combined(of_parts, parts, answers))});
  };
}

Check groups_are_partitioned(Questions& questions) {
  const Source source = questions.random().one_in(2) ? questions.scan() : questions.source();
  const std::string key =
      questions.random().one_in(2) ? questions.property(source) : questions.expression(source);
  const std::string returned = " RETURN " + key + " AS key, count(*) AS c";
  return [parts = random_parts(questions, source, returned)](Answers& answers) {
    const Table whole = answers.rows(parts.whole);
    Table thirds;
    for (const std::string& third : parts.thirds)
      for (auto& row : answers.rows(third)) thirds.push_back(std::move(row));
    answers.expect_same("a group is there twice in " + parts.whole, added(whole), lines_of(whole));
    answers.expect_same(parts.about("groups"), added(whole), added(thirds));
  };
}

}  // namespace cairn::test
