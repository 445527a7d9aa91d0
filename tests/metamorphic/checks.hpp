#pragma once
// Checks: statements whose answers must agree with each other, so that a wrong answer is found without a second engine
// or a model.
//
// A check draws its statements when it is made. It can run them on any graph, any number of times: a failing check runs
// again while its graph is made smaller.

#include "tests/metamorphic/answers.hpp"
#include "tests/metamorphic/questions.hpp"

#include <functional>

namespace cairn::test {

/// Throws Disagreement.
using Check = std::function<void(Answers& answers)>;

/// Ternary logic partitioning: the rows where p is true, where NOT p is true and where p IS NULL
/// are together all rows, each once.
[[nodiscard]] Check rows_are_partitioned(Questions& questions);
/// As rows_are_partitioned(), with RETURN DISTINCT.
[[nodiscard]] Check distinct_rows_are_partitioned(Questions& questions);
/// As rows_are_partitioned(), for the values of count, sum, min, max and collect.
[[nodiscard]] Check aggregates_are_partitioned(Questions& questions);
/// As rows_are_partitioned(), for the groups that count(*) counts.
[[nodiscard]] Check groups_are_partitioned(Questions& questions);

/// NoREC: the rows that pass WHERE p, which indexes may answer, are the rows for which RETURN p gives true.
[[nodiscard]] Check conditions_are_computed_alike(Questions& questions);
/// A condition passes the same rows in every place and form: with the operands of AND and OR in another order, as NOT
/// NOT p, as p AND true, within the pattern, and behind WITH.
[[nodiscard]] Check forms_of_a_condition_agree(Questions& questions);
/// A row is among those of conditions that are true for it by the model.
[[nodiscard]] Check pivots_are_found(Questions& questions);
/// A statement has the same rows with constants as with parameters of the same values.
[[nodiscard]] Check parameters_are_as_literals(Questions& questions);

/// In a total order, SKIP and LIMIT give a consecutive part of all rows, and the first k rows begin the first k + 1.
[[nodiscard]] Check limits_are_monotone(Questions& questions);
/// A statement has the same rows without each rule of the optimizer, without some and without all.
[[nodiscard]] Check rules_leave_rows_alone(Questions& questions);

/// A condition inside SEARCH passes the same hits as behind it, partitions the hits, and does not change scores. Needs
/// the indexes of create_searched_indexes().
[[nodiscard]] Check searches_are_partitioned(Questions& questions);
[[nodiscard]] std::vector<std::string> create_searched_indexes();

}  // namespace cairn::test
