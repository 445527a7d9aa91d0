// The forms of statements: rows, groups, joins, outer joins, steps joined by WITH, and unions.
#include "tests/differential/statement_pair.hpp"

#include "tests/differential/expression_pair.hpp"

#include <vector>

namespace cairn::test {
namespace {

constexpr int levels = 3;

class StatementPairs {
 public:
  explicit StatementPairs(Random& random) : random_(random) {}

  StatementPair rows() {
    const Source source = any_source();
    const std::size_t columns = 1 + random_.below(3);
    const bool is_distinct = random_.one_in(3);
    ExpressionPairs expressions(random_, source.variables);
    Pair items = is_distinct ? "DISTINCT " : "";
    for (std::size_t i = 0; i < columns; ++i)
      items += item(expressions.of(expressions.any_type(), levels), "c", i);
    return ordered_by_columns(source, items, "c", columns);
  }

  StatementPair groups() {
    const Source source = any_source();
    const std::size_t keys = random_.below(3);
    ExpressionPairs expressions(random_, source.variables);
    Pair items;
    for (std::size_t i = 0; i < keys; ++i)
      items += item(expressions.of(expressions.any_type(), levels - 1), "k", i);
    const std::size_t aggregates = 1 + random_.below(2);
    for (std::size_t i = 0; i < aggregates; ++i)
      items += (i == 0 && keys > 0 ? Pair(", ") : Pair()) + item(aggregate(expressions), "a", i);
    const Source grouped{source.variables, {source.clause.ours, source.clause.sql + by(keys)}};
    return ordered_by_columns(grouped, items, keys > 0 ? "k" : "a", keys > 0 ? keys : aggregates);
  }

  /// What a first step gives, sorted and cut, is filtered and counted by a second.
  StatementPair steps() {
    const Source source = any_source();
    ExpressionPairs expressions(random_, source.variables);
    const Type type = expressions.any_type();
    const Pair x = expressions.of(type, levels - 1);
    const Pair n = expressions.integer(levels - 1);
    const Pair columns = x + " AS x, " + n + " AS n";
    const Pair cut = random_.one_in(2) ? order(total_order(source)) + limits() : Pair();
    const Pair first = Pair(source.clause.ours + " WITH " + columns.ours + cut.ours,
                            "SELECT " + columns.sql + source.clause.sql + cut.sql);
    const Pair test = n_or_x(type);
    return {Pair(first.ours + " WHERE " + test.ours + " RETURN ", "SELECT ") +
                "x, count(*) AS c, " + sum("n") + " AS m" +
                Pair("", " FROM (" + first.sql + ") WHERE " + test.sql + " GROUP BY 1"),
            false};
  }

  StatementPair unions() {
    const bool keeps_all = random_.one_in(2);
    const Type type = static_cast<Type>(random_.below(4));
    Pair text;
    for (int i = 0; i < 2; ++i) {
      const Source source = any_source();
      ExpressionPairs expressions(random_, source.variables);
      const Pair column = expressions.of(type, levels - 1) + " AS x";
      if (i > 0) text += keeps_all ? " UNION ALL " : " UNION ";
      text += Pair(source.clause.ours + " RETURN " + column.ours,
                   "SELECT " + column.sql + source.clause.sql);
    }
    return {text, false};
  }

 private:
  /// Where rows come from: MATCH ... WHERE here, FROM ... WHERE there.
  struct Source {
    std::vector<std::string> variables;
    Pair clause;
  };

  Pair condition(const std::vector<std::string>& variables) {
    return ExpressionPairs(random_, variables).boolean(levels);
  }

  Source any_source() {
    switch (random_.below(5)) {
      case 0:
        return joined();
      case 1:
        return outer_joined();
      default:
        break;
    }
    Pair clause("MATCH (a:T)", " FROM t a");
    if (!random_.one_in(5)) clause += " WHERE " + condition({"a"});
    return {{"a"}, clause};
  }

  Source joined() {
    const Pair on = equal_columns();
    return {{"a", "b"},
            Pair("MATCH (a:T), (b:U)", " FROM t a, u b") + " WHERE " + on + " AND " +
                condition({"a", "b"})};
  }

  Source outer_joined() {
    const Pair first = condition({"a"});
    const Pair on = equal_columns() + " AND " + condition({"a", "b"});
    return {{"a", "b"},
            {"MATCH (a:T) WHERE " + first.ours + " OPTIONAL MATCH (b:U) WHERE " + on.ours,
             " FROM t a LEFT JOIN u b ON " + on.sql + " WHERE " + first.sql}};
  }

  Pair equal_columns() {
    switch (random_.below(4)) {
      case 0:
        return "a.i = b.j";
      case 1:
        return "a.s = b.s";
      case 2:
        return "a.id = b.id";
      default:
        return "a.i < b.i";
    }
  }

  static Pair item(const Pair& expression, const std::string& name, std::size_t i) {
    return (i == 0 ? Pair() : Pair(", ")) + expression + " AS " + name + std::to_string(i);
  }

  static std::string by(std::size_t keys) {
    std::string text;
    for (std::size_t i = 1; i <= keys; ++i)
      text += (i == 1 ? " GROUP BY " : ", ") + std::to_string(i);
    return text;
  }

  static Pair sum(const Pair& inner) {
    return Pair("sum(", "coalesce(sum(") + inner + Pair(")", "), 0)");
  }

  Pair aggregate(ExpressionPairs& expressions) {
    const Type type = random_.one_in(2) ? Type::integer : Type::real;
    const Pair number = expressions.of(type, levels - 1);
    const char* distinct = random_.one_in(4) ? "DISTINCT " : "";
    switch (random_.below(6)) {
      case 0:
        return "count(*)";
      case 1:
        return Pair("count(") + distinct + expressions.of(expressions.any_type(), levels - 1) + ")";
      case 2:
        return sum(Pair(distinct) + number);
      case 3:
        return Pair("avg(") + distinct + number + ")";
      default:
        return Pair(random_.one_in(2) ? "min(" : "max(") +
               (random_.one_in(2) ? number : expressions.text(levels - 1)) + ")";
    }
  }

  /// Null is the greatest value in ours.
  Pair order_key(const std::string& key) {
    const bool is_descending = random_.one_in(2);
    return Pair(key + (is_descending ? " DESC" : ""),
                key + (is_descending ? " DESC NULLS FIRST" : " ASC NULLS LAST"));
  }

  static Pair order(const Pair& keys) { return Pair(" ORDER BY ") + keys; }

  Pair limits() {
    const std::string limit = " LIMIT " + std::to_string(random_.below(8));
    if (random_.one_in(2)) return limit;
    const std::string skipped = std::to_string(random_.below(5));
    return {" SKIP " + skipped + limit, limit + " OFFSET " + skipped};
  }

  /// Keys that leave no two rows alike.
  Pair total_order(const Source& source) {
    Pair keys = random_.one_in(2) ? order_key("a.i") + ", " : Pair();
    for (const std::string& variable : source.variables)
      keys +=
          (&variable == &source.variables[0] ? Pair() : Pair(", ")) + order_key(variable + ".id");
    return keys;
  }

  /// Sorted by all of `count` columns or by none. Rows that are alike in all may stand either way, but
  /// where columns beside the keys differ, keys are of groups, and no two groups are alike.
  StatementPair ordered_by_columns(const Source& source, const Pair& items, const std::string& name,
                                   std::size_t count) {
    StatementPair statement;
    statement.text = Pair(source.clause.ours + " RETURN " + items.ours,
                          "SELECT " + items.sql + source.clause.sql);
    statement.is_ordered = random_.one_in(2);
    if (!statement.is_ordered) return statement;
    Pair keys;
    for (std::size_t i = 0; i < count; ++i)
      keys += (i == 0 ? Pair() : Pair(", ")) + order_key(name + std::to_string(i));
    statement.text += order(keys) + (random_.one_in(3) ? Pair() : limits());
    return statement;
  }

  Pair n_or_x(Type type) {
    if (random_.one_in(2)) return "n > " + std::to_string(random_.below(3));
    return type == Type::boolean ? "x" : random_.one_in(2) ? "x IS NOT NULL" : "NOT x = x";
  }

  Random& random_;
};

}  // namespace

StatementPair random_statement_pair(Random& random) {
  StatementPairs pairs(random);
  switch (random.below(8)) {
    case 0:
    case 1:
      return pairs.groups();
    case 2:
      return pairs.steps();
    case 3:
      return pairs.unions();
    default:
      return pairs.rows();
  }
}

}  // namespace cairn::test
