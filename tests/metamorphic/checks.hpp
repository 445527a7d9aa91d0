#pragma once
// Checks: statements whose answers say something about each other, so that no second engine and no model is
// needed to find one that is wrong.
//
// A check draws its statements when it is made, and runs them where it is told to, as often as that is
// asked for: a failing one runs again while its graph is made smaller.

#include "tests/metamorphic/answers.hpp"
#include "tests/metamorphic/questions.hpp"

#include <functional>

namespace cairn::test {

/// Throws Disagreement.
using Check = std::function<void(Answers& answers)>;

/// Ternary logic partitioning: the rows where p is true, where NOT p is true and where p IS NULL
/// are together all rows, each once.
[[nodiscard]] Check rows_are_partitioned(Questions& questions);
/// The same with RETURN DISTINCT.
[[nodiscard]] Check distinct_rows_are_partitioned(Questions& questions);
/// The same of count, sum, min, max and collect.
[[nodiscard]] Check aggregates_are_partitioned(Questions& questions);
/// The same of the groups that count(*) counts.
[[nodiscard]] Check groups_are_partitioned(Questions& questions);

/// NoREC: the rows that WHERE p lets through, which indexes may answer, are those of which p, computed for
/// each row, is true.
[[nodiscard]] Check conditions_are_computed_alike(Questions& questions);
/// A condition has the same rows in every place and form: operands of AND and OR in another order, NOT NOT
/// p, p AND true, within the pattern, behind WITH.
[[nodiscard]] Check forms_of_a_condition_agree(Questions& questions);
/// A row is among those of conditions that are true for it, as the model reckons.
[[nodiscard]] Check pivots_are_found(Questions& questions);
/// Constants have the same rows as parameters with their values.
[[nodiscard]] Check parameters_are_as_literals(Questions& questions);

/// What SKIP and LIMIT leave of a total order is a piece of all rows, and the first k of the first k + 1.
[[nodiscard]] Check limits_are_monotone(Questions& questions);
/// A statement has the same rows without each rule of the optimizer, without some and without all.
[[nodiscard]] Check rules_leave_rows_alone(Questions& questions);

/// A condition inside of SEARCH is one behind it, partitions what is found, and leaves the scores alone.
/// There must be the indexes of create_searched_indexes().
[[nodiscard]] Check searches_are_partitioned(Questions& questions);
[[nodiscard]] std::vector<std::string> create_searched_indexes();

}  // namespace cairn::test
