// Values stay small, and reals are multiples of a power of two, so that no sum or product is rounded or overflows:
// every difference between the engines is a difference of meaning.
#include "tests/differential/expression_pair.hpp"

#include <array>
#include <utility>

namespace cairn::test {
namespace {

constexpr std::array<const char*, 6> comparisons{" = ", " <> ", " < ", " <= ", " > ", " >= "};

Pair in_parentheses(const Pair& inner) { return Pair("(") + inner + ")"; }

Pair call(const std::string& ours, const std::string& sql, const Pair& argument) {
  return Pair(ours, sql) + in_parentheses(argument);
}

}  // namespace

// A third of them plain properties, which indexes know.
Pair ExpressionPairs::of(Type type, int levels) {
  if (random_.one_in(3)) return property(type);
  switch (type) {
    case Type::integer:
      return integer(levels);
    case Type::real:
      return real(levels);
    case Type::text:
      return text(levels);
    case Type::boolean:
      break;
  }
  return boolean(levels);
}

Pair ExpressionPairs::constant(Type type) {
  static constexpr std::array<const char*, 7> texts{"''",   "'a'",  "'b'", "'ab'",
                                                    "'ba'", "'Ab'", "'é'"};
  const int number = static_cast<int>(random_.below(9)) - 4;
  if (random_.one_in(12)) return "null";
  switch (type) {
    case Type::integer:
      return "(" + std::to_string(number) + ")";
    case Type::real:
      return "(" + std::to_string(number) + (random_.one_in(2) ? ".5)" : ".0)");
    case Type::text:
      return random_.pick(texts);
    case Type::boolean:
      break;
  }
  return random_.one_in(2) ? "true" : "false";
}

Pair ExpressionPairs::property(Type type) {
  static constexpr std::array<const char*, 5> integers{"i", "i", "j", "j", "id"};
  static constexpr std::array<const char*, 3> texts{"s", "s", "w"};
  const std::string variable = random_.pick(variables_) + ".";
  switch (type) {
    case Type::integer:
      return variable + random_.pick(integers);
    case Type::real:
      return variable + "r";
    case Type::text:
      return variable + random_.pick(texts);
    case Type::boolean:
      break;
  }
  return variable + "b";
}

// What every type has: CASE in both its forms, and the first that is there.
Pair ExpressionPairs::either(Type type, int levels) {
  if (random_.one_in(3))
    return Pair("coalesce(") + of(type, levels) + ", " + of(type, levels) + ")";
  const Pair otherwise = random_.one_in(3) ? Pair() : Pair(" ELSE ") + of(type, levels);
  if (random_.one_in(2))
    return Pair("CASE WHEN ") + boolean(levels) + " THEN " + of(type, levels) + otherwise + " END";
  const Type asked = any_type();
  return Pair("CASE ") + of(asked, levels) + " WHEN " + of(asked, levels) + " THEN " +
         of(type, levels) + otherwise + " END";
}

Pair ExpressionPairs::integer(int levels) {
  if (levels == 0) {
    return random_.one_in(3) ? constant(Type::integer) : property(Type::integer);
  }
  switch (random_.below(9)) {
    case 0:
      return in_parentheses(integer(levels - 1) + " + " + integer(levels - 1));
    case 1:
      return in_parentheses(integer(levels - 1) + " - " + integer(levels - 1));
    case 2:
      return in_parentheses(integer(levels - 1) + " * " + integer(0));
    case 3:
      return in_parentheses(integer(levels - 1) + (random_.one_in(2) ? " / " : " % ") +
                            (random_.one_in(2) ? "3" : "(-2)"));
    case 4:
      return call("abs", "abs", integer(levels - 1));
    case 5:
      return call("size", "length", text(levels - 1));
    case 6:
      return subquery("count", levels - 1);
    case 7:
      return either(Type::integer, levels - 1);
    default:
      return integer(0);
  }
}

Pair ExpressionPairs::real(int levels) {
  if (levels == 0) return random_.one_in(3) ? constant(Type::real) : property(Type::real);
  switch (random_.below(7)) {
    case 0:
      return in_parentheses(real(levels - 1) + " + " +
                            (random_.one_in(2) ? real(levels - 1) : integer(levels - 1)));
    case 1:
      return in_parentheses(integer(levels - 1) + " - " + real(levels - 1));
    case 2:
      return in_parentheses(real(levels - 1) + " * " + real(0));
    case 3:
      return in_parentheses(real(levels - 1) + " / " + (random_.one_in(2) ? "4.0" : "(-2)"));
    case 4:
      return call("abs", "abs", real(levels - 1));
    case 5:
      return either(Type::real, levels - 1);
    default:
      return real(0);
  }
}

Pair ExpressionPairs::text(int levels) {
  if (levels == 0) return random_.one_in(3) ? constant(Type::text) : property(Type::text);
  switch (random_.below(8)) {
    case 0:
      return in_parentheses(text(levels - 1) + Pair(" + ", " || ") + text(levels - 1));
    case 1:
      return call("toUpper", "upper", random_.pick(variables_) + ".s");
    case 2:
      return call("toLower", "lower", random_.pick(variables_) + ".s");
    case 3:
      return Pair("replace(") + text(levels - 1) + ", 'a', " + constant(Type::text) + ")";
    case 4: {
      const std::size_t start = random_.below(3);
      return Pair("substring(", "substr(") + text(levels - 1) +
             Pair(", " + std::to_string(start), ", " + std::to_string(start + 1)) + ", " +
             std::to_string(random_.below(3)) + ")";
    }
    case 5:
      return Pair("toString(", "CAST(") + integer(levels - 1) + Pair(")", " AS TEXT)");
    case 6:
      return either(Type::text, levels - 1);
    default:
      return text(0);
  }
}

Pair ExpressionPairs::compared(int levels) {
  const Type type = any_type();
  // Numbers compare across their types.
  const Type other = type == Type::integer && random_.one_in(3) ? Type::real : type;
  const char* comparison = comparisons[random_.below(type == Type::boolean ? 2 : 6)];
  const Pair right = random_.one_in(2) ? constant(other) : of(other, levels);
  return in_parentheses(of(type, levels) + comparison + right);
}

Pair ExpressionPairs::in_list(int levels) {
  const Type type = any_type();
  Pair list;
  for (std::size_t i = random_.below(4); i > 0; --i)
    list += (list.ours.empty() ? Pair() : Pair(", ")) +
            (random_.one_in(4) ? of(type, 0) : constant(type));
  return in_parentheses(of(type, levels) + " IN " + Pair("[", "(") + list + Pair("]", ")"));
}

// STARTS WITH and its like, of which SQL knows the parts.
Pair ExpressionPairs::of_texts(int levels) {
  const Pair a = of(Type::text, levels);
  const Pair b = text(0);
  const auto both = [&](const char* ours, const std::string& sql) {
    return Pair("(" + a.ours + ours + b.ours + ")", sql);
  };
  const std::string size = "length(" + b.sql + ")";
  switch (random_.below(3)) {
    case 0:
      return both(" STARTS WITH ", "(substr(" + a.sql + ", 1, " + size + ") = " + b.sql + ")");
    case 1:
      return both(" CONTAINS ", "(instr(" + a.sql + ", " + b.sql + ") > 0)");
    default:
      return both(" ENDS WITH ", "(length(" + a.sql + ") >= " + size + " AND substr(" + a.sql +
                                     ", length(" + a.sql + ") - " + size + " + 1) = " + b.sql +
                                     ")");
  }
}

// Rows of U that some condition binds to the variables around.
Pair ExpressionPairs::subquery(std::string_view kind, int levels) {
  const std::string name = "x" + std::to_string(variables_.size());
  variables_.push_back(name);
  const Pair condition = boolean(levels > 1 ? 1 : levels);
  variables_.pop_back();
  const std::string match = " { MATCH (" + name + ":U) WHERE ";
  const std::string from = " FROM u " + name + " WHERE ";
  if (kind == "count")
    return Pair("COUNT" + match, "(SELECT count(*)" + from) + condition + Pair(" }", ")");
  return Pair("EXISTS" + match, "EXISTS (SELECT 1" + from) + condition + Pair(" }", ")");
}

Pair ExpressionPairs::boolean(int levels) {
  if (levels == 0) return random_.one_in(4) ? constant(Type::boolean) : property(Type::boolean);
  switch (random_.below(12)) {
    case 0:
    case 1:
      return in_parentheses(boolean(levels - 1) + " AND " + boolean(levels - 1));
    case 2:
    case 3:
      return in_parentheses(boolean(levels - 1) + " OR " + boolean(levels - 1));
    case 4:
      return in_parentheses(boolean(levels - 1) + Pair(" XOR ", " <> ") + boolean(levels - 1));
    case 5:
      return in_parentheses(Pair("NOT ") + boolean(levels - 1));
    case 6:
      return in_parentheses(of(any_type(), levels - 1) +
                            (random_.one_in(2) ? " IS NULL" : " IS NOT NULL"));
    case 7:
      return in_list(levels - 1);
    case 8:
      return of_texts(levels - 1);
    case 9:
      return random_.one_in(3) ? subquery("exists", levels - 1) : compared(levels - 1);
    case 10:
      return random_.one_in(3) ? either(Type::boolean, levels - 1) : compared(levels - 1);
    default:
      return compared(levels - 1);
  }
}

}  // namespace cairn::test
