#include "tests/query/functions/support.hpp"

#include <boost/test/unit_test.hpp>

using namespace cairn;
using namespace cairn::query::test;

BOOST_AUTO_TEST_SUITE(conversion)

BOOST_AUTO_TEST_CASE(to_integer_reads_numbers_toward_zero) {
  check_calls({{"toInteger", {82.9}, "82"},
               {"toInteger", {-5.9}, "-5"},
               {"toInteger", {"42"}, "42"},
               {"toInteger", {" +42 "}, "42"},
               {"toInteger", {"2.9"}, "2"},
               {"toInteger", {true}, "1"},
               {"toInteger", {"foo"}, "null"},
               {"toInteger", {""}, "null"},
               {"toInteger", {"9223372036854775808"}, "null"},
               {"toInteger", {1e300}, "null"},
               {"toInteger", {Value()}, "null"},
               {"toInteger", {list_of({})}, "error: type_error"},
               {"toInteger", {map_of({})}, "error: type_error"},
               {"toInteger", {Node(NodeId{1})}, "error: type_error"}});
}

BOOST_AUTO_TEST_CASE(to_float_reads_numbers_and_texts) {
  check_calls({{"toFloat", {3}, "3.0"},
               {"toFloat", {"5"}, "5.0"},
               {"toFloat", {"1e3"}, "1000.0"},
               {"toFloat", {"1x"}, "null"},
               {"toFloat", {"+-1"}, "null"},
               {"toFloat", {true}, "error: type_error"}});
}

BOOST_AUTO_TEST_CASE(what_is_no_finite_number_is_read_as_it_is_written_only) {
  check_calls({{"toFloat", {"NaN"}, "NaN"},
               {"toFloat", {" -Infinity "}, "-Infinity"},
               {"toFloat", {"inf"}, "null"},
               {"toFloat", {"-INF"}, "null"},
               {"toFloat", {"infinity"}, "null"},
               {"toFloat", {"nan"}, "null"},
               {"toFloat", {"nan(abc)"}, "null"},
               {"toInteger", {"Infinity"}, "null"}});
}

BOOST_AUTO_TEST_CASE(to_boolean_reads_words_in_any_case) {
  check_calls({{"toBoolean", {"true"}, "true"},
               {"toBoolean", {"FALSE"}, "false"},
               {"toBoolean", {" tru "}, "null"},
               {"toBoolean", {0}, "false"},
               {"toBoolean", {1.0}, "error: type_error"}});
}

BOOST_AUTO_TEST_CASE(to_string_writes_single_values) {
  check_calls({{"toString", {42}, "'42'"},
               {"toString", {2.5}, "'2.5'"},
               {"toString", {true}, "'true'"},
               {"toString", {"apa"}, "'apa'"},
               {"toString", {Date{0}}, "'1970-01-01'"},
               {"toString", {Duration{1, 2, 3, 0}}, "'P1M2DT3S'"},
               {"toString", {list_of({1})}, "error: type_error"},
               {"toString", {Node(NodeId{1})}, "error: type_error"}});
}

BOOST_AUTO_TEST_CASE(the_or_null_forms_have_no_errors) {
  check_calls({{"toIntegerOrNull", {list_of({})}, "null"},
               {"toFloatOrNull", {true}, "null"},
               {"toBooleanOrNull", {1.0}, "null"},
               {"toStringOrNull", {map_of({})}, "null"},
               {"toIntegerOrNull", {"7"}, "7"}});
}

BOOST_AUTO_TEST_CASE(the_list_forms_convert_each_element) {
  check_calls({{"toIntegerList", {list_of({"1", 2.5, Value(), list_of({})})}, "[1, 2, null, null]"},
               {"toFloatList", {list_of({1, "x"})}, "[1.0, null]"},
               {"toBooleanList", {list_of({"true", 0})}, "[true, false]"},
               {"toStringList", {Vector({0.5F})}, "['0.5']"},
               {"toStringList", {1}, "error: type_error"}});
}

BOOST_AUTO_TEST_SUITE_END()
