#include "query/syntax/precedence.hpp"

#include "tests/query/syntax/support.hpp"

#include <boost/test/unit_test.hpp>

namespace cairn::test {
namespace {

using query::ast::Operator;

/// The expression with parentheses around every operation, as if precedence did not exist.
std::string grouped(const query::ast::Expression& expression) {
  if (const auto* chain = expression.get_if<query::ast::OperatorChain>()) {
    std::string result = "(" + grouped(chain->first);
    for (const auto& link : chain->rest) result += " _ " + grouped(link.operand);
    return result + ")";
  }
  if (const auto* prefix = expression.get_if<query::ast::PrefixOperation>()) {
    return "(_ " + grouped(prefix->operand) + ")";
  }
  return query::print(expression);
}

std::string grouping(const std::string& text) {
  const std::string statement = "RETURN " + text;
  const query::SourceText source(statement);
  const auto tree = query::parse_syntax(source);
  if (!tree.has_value()) return tree.error().message;
  const auto& query = std::get<query::ast::Query>(tree->content);
  const auto& project = std::get<query::ast::Project>(query.first.front().content);
  return grouped(project.list.items.front().expression);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(precedence)

BOOST_AUTO_TEST_CASE(each_level_binds_more_than_the_one_before) {
  BOOST_TEST(grouping("a OR b XOR c") == "(a _ (b _ c))");
  BOOST_TEST(grouping("a XOR b AND c") == "(a _ (b _ c))");
  BOOST_TEST(grouping("NOT a AND b") == "((_ a) _ b)");
  BOOST_TEST(grouping("NOT a = b") == "(_ (a _ b))");
  BOOST_TEST(grouping("a = b IN c") == "(a _ (b _ c))");
  BOOST_TEST(grouping("a IN b + c") == "(a _ (b _ c))");
  BOOST_TEST(grouping("a + b * c") == "(a _ (b _ c))");
  BOOST_TEST(grouping("a * b ^ c") == "(a _ (b _ c))");
  BOOST_TEST(grouping("-a ^ b") == "((_ a) _ b)");
  BOOST_TEST(grouping("-a.b") == "(_ a.b)");
}

BOOST_AUTO_TEST_CASE(a_weaker_operator_ends_a_stronger_chain) {
  BOOST_TEST(grouping("a * b + c") == "((a _ b) _ c)");
  BOOST_TEST(grouping("a AND b OR c AND d") == "((a _ b) _ (c _ d))");
  BOOST_TEST(grouping("a + b < c + d") == "((a _ b) _ (c _ d))");
}

BOOST_AUTO_TEST_CASE(operators_of_one_level_are_one_chain) {
  BOOST_TEST(grouping("a - b + c || d") == "(a _ b _ c _ d)");
  BOOST_TEST(grouping("a / b * c % d") == "(a _ b _ c _ d)");
  BOOST_TEST(grouping("a < b = c <> d") == "(a _ b _ c _ d)");
  BOOST_TEST(grouping("a ^ b ^ c") == "(a _ b _ c)");
}

BOOST_AUTO_TEST_CASE(null_tests_stand_behind_all_that_binds_more) {
  BOOST_TEST(grouping("a + b IS NULL") == "((a _ b) _ )");
  BOOST_TEST(grouping("a IS NULL = b IS NOT NULL") == "((a _ ) _ (b _ ))");
  BOOST_TEST(grouping("NOT a IS NULL") == "(_ (a _ ))");
}

BOOST_AUTO_TEST_CASE(not_in_is_the_negation_of_in) {
  BOOST_TEST(grouping("a NOT IN b") == "(_ (a _ b))");
  BOOST_TEST(grouping("a.x + 1 not in b + c AND d") == "((_ ((a.x _ 1) _ (b _ c))) _ d)");
  BOOST_TEST(grouping("NOT a NOT IN b") == "(_ (_ (a _ b)))");
  BOOST_TEST(grouping("a = b NOT IN c") == "(a _ (_ (b _ c)))");
  BOOST_TEST(grouping("a IN b NOT IN c IN d") == "((_ (a _ b _ c)) _ d)");
  BOOST_TEST(grouping("a NOT IN b IS NULL") == "((_ (a _ b)) _ )");
  BOOST_TEST(grouping("[x NOT IN y]") == "[NOT x IN y]");
}

BOOST_AUTO_TEST_CASE(a_run_of_prefixes_is_from_the_inside_out) {
  BOOST_TEST(grouping("NOT NOT - + a") == "(_ (_ (_ (_ a))))");
  BOOST_TEST(grouping("a = b AND NOT NOT c") == "((a _ b) _ (_ (_ c)))");
}

BOOST_AUTO_TEST_CASE(a_minus_is_part_of_a_number) {
  BOOST_TEST(grouping("-1") == "-1");
  BOOST_TEST(grouping("- 1.5") == "-1.5");
  BOOST_TEST(grouping("- -1") == "(_ -1)");
  BOOST_TEST(grouping("1 -1") == "(1 _ 1)");
  BOOST_TEST(grouping("-0") == "(_ 0)");
}

BOOST_AUTO_TEST_CASE(every_operator_has_a_level) {
  BOOST_CHECK(query::grammar::precedence_of(Operator::logical_or) <
              query::grammar::precedence_of(Operator::negate));
  BOOST_CHECK(query::grammar::precedence_of(Operator::matches) ==
              query::grammar::precedence_of(Operator::is_null));
  BOOST_CHECK(query::grammar::precedence_of(Operator::concatenate) ==
              query::grammar::precedence_of(Operator::add));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
