#pragma once
// One question in two languages: a reading statement of ours, and SQL that has the same rows.
//
// Both texts are written by one walk, so that neither is a translation of the other. The two languages differ in some
// cases (types that do not compare, division by zero, null in an order). There the walk uses only what has the same
// meaning in both, or writes the SQL that means the same as our statement: NULLS LAST, coalesce(sum(x), 0).

#include "tests/model/random.hpp"

#include <string>
#include <string_view>

namespace cairn::test {

/// The same piece of a statement in both languages.
struct Pair {
  std::string ours;
  std::string sql;

  Pair() = default;
  Pair(std::string text) : ours(text), sql(std::move(text)) {}  // NOLINT: one text is both
  Pair(const char* text) : Pair(std::string(text)) {}           // NOLINT
  Pair(std::string ours_text, std::string sql_text)
      : ours(std::move(ours_text)), sql(std::move(sql_text)) {}

  Pair& operator+=(const Pair& other) {
    ours += other.ours;
    sql += other.sql;
    return *this;
  }
  friend Pair operator+(Pair left, const Pair& right) { return left += right; }
};

struct StatementPair {
  Pair text;
  bool is_ordered = false;  ///< the rows have one order only
};

/// The rows are `t` and `u`, which are nodes of labels T and U in our database. `id` is a unique integer, `i` and `j`
/// are integers, `r` is a float that is a multiple of a quarter, `s` is an ASCII text, `w` is any text, and `b` is a
/// boolean. All except `id` may be null.
[[nodiscard]] StatementPair random_statement_pair(Random& random);

}  // namespace cairn::test
