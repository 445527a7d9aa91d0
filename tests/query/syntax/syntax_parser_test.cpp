#include "query/syntax/syntax_parser.hpp"

#include "tests/query/syntax/support.hpp"

#include <boost/test/unit_test.hpp>

namespace cairn::test {
namespace {

using namespace query;

Result<ast::Statement> parse(std::string_view text, const ParseLimits& limits = {}) {
  const SourceText source(text);
  return parse_syntax(source, limits);
}

const ast::Query& query_of(const ast::Statement& statement) {
  return std::get<ast::Query>(statement.content);
}

/// The text that a part of the tree was made from.
std::string_view text_of(std::string_view text, const ast::Located& part) {
  return text.substr(part.begin, part.end - part.begin);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(syntax_parser)

BOOST_AUTO_TEST_CASE(a_statement_may_end_in_a_semicolon) {
  BOOST_TEST(spelling("RETURN 1;") == "RETURN 1");
  BOOST_TEST(spelling("RETURN 1 ; // done") == "RETURN 1");
}

BOOST_AUTO_TEST_CASE(parts_know_where_they_stand) {
  const std::string text = "MATCH  (n:A) /**/ WHERE ( n.x + 1 ) > 2 RETURN  count( * )";
  const auto tree = parse(text);
  BOOST_REQUIRE(tree.has_value());
  const ast::Query& query = query_of(*tree);
  BOOST_TEST(text_of(text, query.first[0]) == "MATCH  (n:A) /**/ WHERE ( n.x + 1 ) > 2");
  const auto& match = std::get<ast::Match>(query.first[0].content);
  BOOST_TEST(text_of(text, match.paths[0]) == "(n:A)");
  BOOST_TEST(text_of(text, match.paths[0].element.first.labels) == ":A");
  BOOST_TEST(text_of(text, match.where) == "( n.x + 1 ) > 2");
  const auto& project = std::get<ast::Project>(query.first[1].content);
  BOOST_TEST(text_of(text, project.list.items[0].expression) == "count( * )");
}

BOOST_AUTO_TEST_CASE(an_error_has_its_range) {
  const auto tree = parse("MATCH (n)\nRETRUN n");
  BOOST_REQUIRE(!tree.has_value());
  BOOST_CHECK(tree.error().code == ErrorCode::parse_error);
  BOOST_CHECK((tree.error().where == TextRange{10, 16, 2, 1}));
}

BOOST_AUTO_TEST_CASE(bytes_that_are_not_utf8_are_refused_at_their_place) {
  const auto tree = parse("RETURN '\xFF'");
  BOOST_REQUIRE(!tree.has_value());
  BOOST_TEST(tree.error().where->begin == 8U);
  BOOST_TEST(tree.error().message.find("not UTF-8") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(zero_bytes_are_no_end) {
  BOOST_TEST(!parse(std::string_view("RETURN 1\0", 9)).has_value());
  BOOST_TEST(spelling(std::string_view("RETURN '\0'", 10)) == "RETURN '\\u0000'");
}

BOOST_AUTO_TEST_CASE(a_statement_may_have_so_many_bytes_and_no_more) {
  const std::string text = "RETURN '" + std::string(91, 'a') + "'";
  BOOST_TEST(parse(text, {.statement_bytes = 100}).has_value());
  const auto refused = parse(text + " ", {.statement_bytes = 100});
  BOOST_REQUIRE(!refused.has_value());
  BOOST_CHECK(refused.error().code == ErrorCode::resource_limit);
}

BOOST_AUTO_TEST_CASE(a_statement_may_nest_so_deep_and_no_deeper) {
  const auto nested = [](std::size_t levels) {
    return "RETURN " + repeated("(", levels) + "1" + repeated(")", levels);
  };
  BOOST_TEST(parse(nested(9), {.nesting_levels = 10}).has_value());
  const auto refused = parse(nested(10), {.nesting_levels = 10});
  BOOST_REQUIRE(!refused.has_value());
  BOOST_CHECK(refused.error().code == ErrorCode::resource_limit);
  BOOST_TEST(refused.error().where->begin == 17U);
  BOOST_TEST(parse(nested(900), {.nesting_levels = 1000}).has_value());
}

BOOST_AUTO_TEST_CASE(operators_of_many_levels_count_as_nesting_too) {
  const auto nested = [](std::size_t levels) {
    return "RETURN " + repeated("(true OR NOT 1 = 2 + 3 * ", levels) + "1" + repeated(")", levels);
  };
  BOOST_TEST(parse(nested(3), {.nesting_levels = 10}).has_value());
  BOOST_TEST(!parse(nested(5), {.nesting_levels = 10}).has_value());
}

BOOST_AUTO_TEST_CASE(a_literal_is_no_variable_of_a_comprehension_or_pattern) {
  BOOST_TEST(spelling("RETURN [false IN ['text']]") == "RETURN [(false IN ['text'])]");
  BOOST_TEST(spelling("RETURN (null) - -(1)") == "RETURN null - -1");
}

// A bar of labels is none of a comprehension.
BOOST_AUTO_TEST_CASE(a_list_may_begin_with_a_path_and_have_bars) {
  for (const char* item : {"(a)-->(b) OR n:A|B", "(a)-->(b) = n:A|B", "(a)--(b)--(c) XOR n:A|B",
                           "(a)-[:T|U]->(b) IN n:A|B"})
    BOOST_TEST(parse("MATCH (n) RETURN [" + std::string(item) + "]").has_value(), item);
  BOOST_TEST(spelling("RETURN [(a)-->(b) WHERE a.x = 1 | b.x]") ==
             "RETURN [(a)-->(b) WHERE a.x = 1 | b.x]");
}

BOOST_AUTO_TEST_CASE(words_are_reserved_only_where_they_must_be) {
  BOOST_TEST(
      spelling("MATCH (count:Match {order: 1})-[any:SET]->(shortestPath) RETURN count.limit") ==
      "MATCH (count:Match {order: 1})-[any:SET]->(shortestPath) RETURN count.limit");
  BOOST_TEST(spelling("RETURN index, vector, search, score, exact, ef, call, yield, foreach") ==
             "RETURN index, vector, search, score, exact, ef, call, yield, foreach");
}

BOOST_AUTO_TEST_CASE(trees_are_equal_wherever_they_stand) {
  BOOST_CHECK(*parse("RETURN 1 + a.b") == *parse("return  1+a . b ;"));
  BOOST_CHECK(!(*parse("RETURN 1 + a.b") == *parse("RETURN 1 + a.c")));
  BOOST_CHECK(!(*parse("RETURN 1") == *parse("EXPLAIN RETURN 1")));
  BOOST_CHECK(!(*parse("MATCH (a) RETURN 1") == *parse("MATCH (b) RETURN 1")));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
