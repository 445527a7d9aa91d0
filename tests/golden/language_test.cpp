// What the parser and the binder make of queries, in tests/golden/language. A case has a query and its error, its
// canonical text, or its bound statement.

#include "query/bind/parser.hpp"
#include "query/syntax/printer.hpp"
#include "tests/query/bind/bound_text.hpp"
#include "tests/support/golden_file.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace cairn::test {
namespace {

std::string error_text(const Error& error) {
  const bool is_parse_error = error.code == ErrorCode::parse_error;
  return is_parse_error ? error.message : std::string(to_string(error.code)) + ": " + error.message;
}

std::string error_of(const std::string& query) {
  const auto bound = query::parse_statement(query);
  return bound.has_value() ? "none" : error_text(bound.error());
}

std::string spelling_of(const std::string& query) {
  const query::SourceText source(query);
  const auto tree = query::parse_syntax(source);
  return tree.has_value() ? query::print(*tree) : error_text(tree.error());
}

std::string bound_form_of(const std::string& query) {
  const auto bound = query::parse_statement(query);
  return bound.has_value() ? bound_text(*bound) : error_text(bound.error());
}

/// Every case of tests/golden/language/<file>.txt has a section of this name.
void check(const std::string& file, const std::string& section,
           std::string (*outcome)(const std::string& query)) {
  const std::string path = CAIRN_GOLDEN_DIR "/language/" + file + ".txt";
  check_golden_file(path, [&](const GoldenCase& one) -> GoldenOutcome {
    return {section, outcome(one.section("query"))};
  });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(golden_language)

BOOST_AUTO_TEST_CASE(syntax_errors_read_as_written_down) {
  check("syntax_errors", "error", error_of);
}
BOOST_AUTO_TEST_CASE(binding_errors_read_as_written_down) {
  check("binding_errors", "error", error_of);
}
BOOST_AUTO_TEST_CASE(queries_are_spelt_in_one_way) { check("spelling", "printed", spelling_of); }
BOOST_AUTO_TEST_CASE(expressions_are_bound_as_written_down) {
  check("expressions", "bound", bound_form_of);
}
BOOST_AUTO_TEST_CASE(reading_clauses_are_bound_as_written_down) {
  check("reading", "bound", bound_form_of);
}
BOOST_AUTO_TEST_CASE(projections_are_bound_as_written_down) {
  check("projections", "bound", bound_form_of);
}
BOOST_AUTO_TEST_CASE(writing_clauses_are_bound_as_written_down) {
  check("writing", "bound", bound_form_of);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
