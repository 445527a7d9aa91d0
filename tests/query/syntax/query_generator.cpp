#include "tests/query/syntax/query_generator.hpp"

namespace cairn::test {

std::string QueryGenerator::list(Make make, int levels, std::size_t least, std::size_t most) {
  std::string result;
  const std::size_t count = least + below(most - least + 1);
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) result += maybe() ? ", " : ",";
    result += (this->*make)(levels);
  }
  return result;
}

std::string QueryGenerator::optional(std::string_view keyword, Make make, int levels) {
  return maybe() ? std::string(keyword) + (this->*make)(levels) : std::string();
}

std::string QueryGenerator::name() {
  return std::string(one_of(
      {"a", "b", "n", "x", "count", "any", "größe", "`a b`", "`match`", "`x``y`", "score", "_1"}));
}

std::string QueryGenerator::leaf() {
  return std::string(one_of({"1",
                             "0",
                             "-7",
                             "1.5",
                             ".25",
                             "1e9",
                             "9223372036854775807",
                             "-9223372036854775808",
                             "0x1f",
                             "'text'",
                             "\"it's\"",
                             "'\\n\\u00e9'",
                             "true",
                             "FALSE",
                             "null",
                             "$p",
                             "$1",
                             "count(*)",
                             "a",
                             "n",
                             "`a b`",
                             "[]",
                             "{}",
                             "n.x"}));
}

std::string QueryGenerator::expression(int levels) {
  if (levels <= 0) return leaf();
  std::string result = operand(levels);
  for (std::size_t i = below(3); i > 0; --i) {
    const auto op =
        one_of({" OR ",        " XOR ",      " AND ", " = ",  " <> ",     " < ",
                " <= ",        " > ",        " >= ",  " IN ", " NOT IN ", " STARTS WITH ",
                " ENDS WITH ", " CONTAINS ", " =~ ",  " + ",  " - ",      " || ",
                " * ",         " / ",        " % ",   " ^ ",  " IS NULL", " IS NOT NULL"});
    result += op;
    if (!op.starts_with(" IS")) result += operand(levels - 1);
  }
  return result;
}

std::string QueryGenerator::operand(int levels) {
  const std::string prefix(one_of({"", "", "", "", "-", "+", "- - "}));
  switch (below(9)) {
    case 0:
      // (a) - -(b) is a pattern, whoever may have meant a difference.
      return "(" + expression(levels - 1) + ")";
    case 1:
      return collection(levels - 1);
    case 2:
      return local(levels - 1);
    case 3:
      return suffixed(levels - 1);
    case 4:
      return case_expression(levels - 1);
    case 5:
      return prefix + call(levels - 1);
    case 6:
      return subquery(levels - 1);
    case 7:
      return "(NOT " + expression(levels - 1) + ")";
    default:
      return prefix + expression(0);
  }
}

std::string QueryGenerator::collection(int levels) {
  if (maybe()) return "[" + list(&QueryGenerator::any_expression, levels, 0, 3) + "]";
  return "{" + list(&QueryGenerator::map_entry, levels, 0, 3) + "}";
}

std::string QueryGenerator::map_entry(int levels) {
  return std::string(one_of({"a", "b", "where", "`c d`"})) + ": " + expression(levels);
}

std::string QueryGenerator::local(int levels) {
  const std::string source = name() + " IN " + expression(levels);
  switch (below(4)) {
    case 0:
      return "[" + source + optional(" WHERE ", &QueryGenerator::any_expression, levels) +
             optional(" | ", &QueryGenerator::any_expression, levels) + "]";
    case 1:
      return std::string(one_of({"all", "ANY", "none", "single"})) + "(" + source + " WHERE " +
             expression(levels) + ")";
    case 2:
      return "reduce(" + name() + " = " + expression(levels) + ", " + source + " | " +
             expression(levels) + ")";
    default:
      return "[p = " + path(levels) + " | " + expression(levels) + "]";
  }
}

std::string QueryGenerator::suffixed(int levels) {
  std::string result = maybe() ? name() : "(" + expression(levels) + ")";
  for (std::size_t i = 1 + below(2); i > 0; --i) {
    switch (below(4)) {
      case 0:
        result += "[" + expression(levels) + "]";
        break;
      case 1:
        result += "[" + optional("", &QueryGenerator::any_expression, levels) + ".." +
                  optional(" ", &QueryGenerator::any_expression, levels) + "]";
        break;
      default:
        result += std::string(one_of({".x", ".`y z`", ".return", "@expires_at"}));
        break;
    }
  }
  if (below(5) == 0) result += ":(" + label_expression(levels) + ")";
  return result;
}

std::string QueryGenerator::case_branch(int levels) {
  return " WHEN " + expression(levels) + " THEN " + expression(levels);
}

std::string QueryGenerator::case_expression(int levels) {
  return "CASE" + optional(" ", &QueryGenerator::any_expression, levels) + case_branch(levels) +
         optional("", &QueryGenerator::case_branch, levels) +
         optional(" ELSE ", &QueryGenerator::any_expression, levels) + " END";
}

std::string QueryGenerator::call(int levels) {
  if (maybe()) {
    return "n {" + list(&QueryGenerator::projection_entry, levels, 0, 3) + "}";
  }
  return std::string(one_of({"f", "date.truncate", "`my f`", "exists", "count"})) + "(" +
         std::string(maybe() ? "" : "DISTINCT ") +
         list(&QueryGenerator::any_expression, levels, 1, 2) + ")";
}

std::string QueryGenerator::projection_entry(int levels) {
  switch (below(4)) {
    case 0:
      return ".*";
    case 1:
      return ".x";
    case 2:
      return name();
    default:
      return map_entry(levels);
  }
}

std::string QueryGenerator::subquery(int levels) {
  switch (below(4)) {
    case 0:
      return "EXISTS { " + named_path(levels) +
             optional(" WHERE ", &QueryGenerator::any_expression, levels) + " }";
    case 1:
      return std::string(one_of({"EXISTS", "COUNT", "COLLECT"})) + " { " + query(levels) + " }";
    case 2:
      return "[" + path(levels) + "-->()" +
             optional(" WHERE ", &QueryGenerator::any_expression, levels) + " | " +
             expression(levels) + "]";
    default:
      return "(" + node(levels) + relationship(levels) + node(levels) + ")";
  }
}

std::string QueryGenerator::label_expression(int levels) {
  if (levels <= 0) return std::string(one_of({"A", "B", "`C D`", "%", "where"}));
  switch (below(5)) {
    case 4:
      return std::string(one_of({"$(", "$any("})) + expression(levels - 1) + ")";
    case 0:
      return label_expression(levels - 1) + "&" + label_expression(levels - 1);
    case 1:
      return label_expression(levels - 1) + "|" + label_expression(levels - 1);
    case 2:
      return "!" + label_expression(levels - 1);
    default:
      return "(" + label_expression(levels - 1) + ")";
  }
}

std::string QueryGenerator::node(int levels) {
  std::string result = "(" + (maybe() ? name() : std::string());
  if (maybe()) result += ":" + label_expression(levels);
  if (below(4) == 0) result += " {" + list(&QueryGenerator::map_entry, levels, 0, 2) + "}";
  if (below(6) == 0) result += " @ {" + list(&QueryGenerator::map_entry, levels, 0, 2) + "}";
  if (below(6) == 0) result += " WHERE " + expression(levels);
  return result + ")";
}

std::string QueryGenerator::relationship(int levels) {
  std::string details;
  if (maybe()) {
    details = "[" + (maybe() ? name() : std::string());
    if (maybe()) details += ":" + label_expression(levels);
    details += one_of({"", "", "*", "*2", "*1..3", "*..3", "*2.."});
    if (below(4) == 0) details += " {" + list(&QueryGenerator::map_entry, levels, 0, 2) + "}";
    if (below(6) == 0) details += " @ {" + list(&QueryGenerator::map_entry, levels, 0, 2) + "}";
    if (below(6) == 0) details += " WHERE " + expression(levels);
    details += "]";
  }
  return (maybe() ? "<-" : "-") + details + (maybe() ? "->" : "-") +
         std::string(one_of({"", "", "", "{2}", "{1,3}", "{,3}", "{2,}", "+", "*"}));
}

std::string QueryGenerator::path(int levels) {
  std::string result = node(levels);
  for (std::size_t i = below(3); i > 0; --i) result += relationship(levels) + node(levels);
  return result;
}

std::string QueryGenerator::named_path(int levels) {
  const std::string name = maybe() ? "" : "p = ";
  const std::string selector(one_of({"ANY ", "ALL ", "SHORTEST 3 ", "all shortest "}));
  if (below(8) == 0) return name + selector + path(levels);
  if (below(8) == 0)
    return name + selector + "(" + path(levels) + " WHERE " + expression(levels) + ")";
  if (below(5) != 0) return name + path(levels);
  return name + "shortestPath(" + node(levels) + relationship(levels) + node(levels) + ")";
}

std::string QueryGenerator::search_strategy() {
  return std::string(maybe() ? "" : " PLAIN") + (maybe() ? "" : " EXACT") +
         (maybe() ? "" : " EF 10") +
         (maybe() ? "" : " ACCURACY " + std::string(one_of({"fast", "default", "`a b`"})));
}

std::string QueryGenerator::search_retriever(int levels) {
  const std::string weight = maybe() ? "" : " WEIGHT " + expression(levels);
  if (below(3) == 0) return "GRAPH " + path(levels) + weight;
  return std::string(one_of({"VECTOR", "FULLTEXT", "RANKED"})) + " INDEX i FOR " +
         expression(levels) + search_strategy() + weight;
}

std::string QueryGenerator::search_cut(int levels) {
  const bool is_near = maybe();
  return std::string(is_near ? " WITHIN " + expression(levels) : "") +
         (maybe() ? "" : " MIN SCORE " + expression(levels)) +
         (is_near && maybe() ? "" : " LIMIT 5");
}

std::string QueryGenerator::search(int levels) {
  std::string result = " SEARCH n IN (";
  if (maybe()) {
    result += "HYBRID " + list(&QueryGenerator::search_retriever, levels, 1, 3);
    if (maybe())
      result +=
          one_of({" FUSE RRF(60)", " FUSE RRF", " FUSE ZSCORE", " FUSE MAX_NORM", " FUSE `x y`"});
  } else {
    result += search_retriever(levels);
  }
  return result + optional(" WHERE ", &QueryGenerator::any_expression, levels) + search_strategy() +
         (maybe() ? "" : " CANDIDATES 9") + search_cut(levels) + ")" +
         std::string(one_of({"", " SCORE AS s", " BREAKDOWN AS p", " SCORE AS s BREAKDOWN AS p"}));
}

std::string QueryGenerator::match(int levels) {
  return std::string(maybe() ? "" : "OPTIONAL ") + "MATCH " +
         list(&QueryGenerator::named_path, levels, 1, 2) +
         (below(5) == 0 ? search(levels) : std::string()) +
         optional(" WHERE ", &QueryGenerator::any_expression, levels);
}

std::string QueryGenerator::projection_item(int levels) {
  return expression(levels) + (maybe() ? "" : " AS " + name());
}

std::string QueryGenerator::sort_item(int levels) {
  return expression(levels) + std::string(one_of({"", " ASC", " DESC", " descending"}));
}

std::string QueryGenerator::projection(int levels) {
  std::string result = maybe() ? " " : " DISTINCT ";
  result += below(4) == 0 ? "*" : list(&QueryGenerator::projection_item, levels, 1, 3);
  if (below(3) == 0) result += " ORDER BY " + list(&QueryGenerator::sort_item, levels, 1, 2);
  return result + optional(" SKIP ", &QueryGenerator::any_expression, 0) +
         optional(" LIMIT ", &QueryGenerator::any_expression, 0);
}

std::string QueryGenerator::set_item(int levels) {
  switch (below(4)) {
    case 0:
      return name() + " = " + expression(levels);
    case 1:
      return name() + " += " + expression(levels);
    case 2:
      return name() + ":A:B";
    default:
      return name() + ".x = " + expression(levels);
  }
}

std::string QueryGenerator::update(int levels) {
  switch (below(6)) {
    case 0:
      return "CREATE " + list(&QueryGenerator::path, levels, 1, 2);
    case 1:
      return "MERGE " + path(levels) + " ON CREATE SET " + set_item(levels);
    case 2:
      return "SET " + list(&QueryGenerator::set_item, levels, 1, 2);
    case 3:
      return "REMOVE " + name() + ".x, " + name() + ":A";
    case 4:
      return std::string(maybe() ? "" : "DETACH ") + "DELETE " + expression(levels);
    default:
      return "FOREACH (" + name() + " IN " + expression(levels) + " | " + update(levels - 1) + ")";
  }
}

std::string QueryGenerator::in_transactions() {
  return std::string(one_of({" IN TRANSACTIONS", " IN CONCURRENT TRANSACTIONS",
                             " in 3 concurrent transactions"})) +
         std::string(one_of({"", " OF 100 ROWS", " OF $p + 1 row"})) +
         std::string(one_of({"", " ON ERROR FAIL", " ON ERROR continue",
                             " ON ERROR break REPORT STATUS AS s",
                             " REPORT STATUS AS `a b` ON ERROR CONTINUE"}));
}

std::string QueryGenerator::call_subquery(int levels) {
  const std::string imports(one_of({"", "", "()", "(*)", "(a)", "(a, `a b`)"}));
  return "CALL " + imports + " { " + query(levels) + " }" + (maybe() ? "" : in_transactions());
}

std::string QueryGenerator::clause(int levels) {
  if (levels > 0 && below(8) == 0) return call_subquery(levels - 1);
  switch (below(5)) {
    case 0:
      return "UNWIND " + expression(levels) + " AS " + name();
    case 1:
      return "WITH" + projection(levels) +
             optional(" WHERE ", &QueryGenerator::any_expression, levels);
    case 2:
      return "CALL a.b(" + list(&QueryGenerator::any_expression, levels, 0, 2) + ") YIELD x AS " +
             name();
    case 3:
      return levels > 0 ? update(levels - 1) : match(levels);
    default:
      return match(levels);
  }
}

std::string QueryGenerator::query(int levels) {
  std::string result;
  for (std::size_t i = below(3); i > 0; --i) result += clause(levels) + " ";
  result += "RETURN" + projection(levels);
  if (levels > 0 && below(6) == 0) result += " UNION ALL " + query(levels - 1);
  return result;
}

std::string QueryGenerator::schema_command() {
  return std::string(
      one_of({"CREATE INDEX FOR (n:A) ON (n.x, n.y.z)",
              "CREATE INDEX `if` IF NOT EXISTS FOR (n:A|B) ON n.x",
              "CREATE VECTOR INDEX i FOR ()-[r:R]-() ON (r.v) OPTIONS {a: $p}",
              "CREATE FULLTEXT INDEX FOR (n:A|B) ON EACH [n.x, n.y] OPTIONS {a: 1}",
              "CREATE CONSTRAINT FOR (n:A) REQUIRE n.x IS UNIQUE",
              "CREATE CONSTRAINT `for` IF NOT EXISTS FOR (n:A) REQUIRE (n.x, n.y) IS NODE KEY",
              "CREATE CONSTRAINT c FOR ()-[r:R]-() REQUIRE r.x IS NOT NULL OPTIONS {a: $p}",
              "DROP CONSTRAINT `if` IF EXISTS",
              "CREATE TEXT INDEX i IF NOT EXISTS FOR (n:A) ON (n.x) OPTIONS {a: 1}",
              "CREATE POINT INDEX FOR (n:A) ON (n.x)",
              "CREATE LOOKUP INDEX `for` IF NOT EXISTS FOR (n) ON EACH labels(n)",
              "CREATE LOOKUP INDEX FOR ()-[r]-() ON type(r) OPTIONS {a: $p}",
              "CREATE DATABASE `a b` IF NOT EXISTS WAIT",
              "DROP DATABASE a IF EXISTS",
              "USE `a b` MATCH (n) RETURN n",
              "USE a DROP INDEX i",
              "DROP INDEX i IF EXISTS",
              "DROP NAMESPACE `if` IF EXISTS",
              "SHOW NAMESPACES",
              "SHOW INDEXES",
              "SHOW VECTOR INDEXES YIELD *",
              "SHOW ALL CONSTRAINTS",
              "SHOW HOME DATABASE WHERE name = $p",
              "SHOW DATABASE a YIELD name ORDER BY name DESC SKIP 1 LIMIT 2 WHERE name = $p",
              "SHOW USER DEFINED FUNCTIONS EXECUTABLE YIELD * ORDER BY name RETURN name",
              "SHOW CURRENT USER YIELD user AS u LIMIT 1",
              "CALL { CREATE (a) } IN TRANSACTIONS OF 2 ROWS ON ERROR CONTINUE REPORT STATUS AS s",
              "MATCH (n) SET n:A:$(n.names) REMOVE n:$('A')",
              "SHOW FUNCTIONS WHERE name STARTS WITH 'a'",
              "SHOW FUNCTIONS EXECUTABLE YIELD name",
              "SHOW PROCEDURE EXECUTABLE BY CURRENT USER",
              "SHOW INDEX YIELD name AS n, type WHERE n = $p RETURN n",
              "LOAD CSV WITH HEADERS FROM $p AS row FIELDTERMINATOR ';' RETURN row.x",
              "LOAD CSV FROM 'a.csv' AS row WITH row LIMIT 1 RETURN row[0]"}));
}

std::string QueryGenerator::statement() {
  const std::string mode(one_of({"", "", "", "EXPLAIN ", "PROFILE "}));
  if (below(20) == 0) return mode + schema_command();
  return mode + query(static_cast<int>(1 + below(3)));
}

}  // namespace cairn::test
