#include "tests/query/functions/support.hpp"

#include <boost/test/unit_test.hpp>

using namespace cairn;
using namespace cairn::query::test;

BOOST_AUTO_TEST_SUITE(string)

BOOST_AUTO_TEST_CASE(positions_count_code_points) {
  check_calls({{"substring", {"hællo", 1, 3}, "'æll'"},
               {"substring", {"hællo", 2}, "'llo'"},
               {"substring", {"abc", 5}, "''"},
               {"substring", {"abc", 1, 10}, "'bc'"},
               {"left", {"hællo", 2}, "'hæ'"},
               {"left", {"abc", 10}, "'abc'"},
               {"right", {"hællø", 2}, "'lø'"},
               {"right", {"abc", 10}, "'abc'"},
               {"char_length", {"hællo"}, "5"},
               {"character_length", {""}, "0"}});
}

BOOST_AUTO_TEST_CASE(whole_floats_are_lengths_and_positions) {
  check_calls({{"substring", {"hællo", 1.0, 3.0}, "'æll'"},
               {"left", {"abc", 2.0}, "'ab'"},
               {"right", {"abc", 2.0}, "'bc'"}});
}

BOOST_AUTO_TEST_CASE(negative_lengths_and_other_types_are_errors) {
  check_calls({{"left", {"abc", -1}, "error: invalid_argument"},
               {"right", {"abc", -1}, "error: invalid_argument"},
               {"substring", {"abc", -1}, "error: invalid_argument"},
               {"substring", {"abc", 0, -1}, "error: invalid_argument"},
               {"left", {1, 1}, "error: type_error"},
               {"left", {"abc", "1"}, "error: type_error"},
               {"left", {"abc", 1.5}, "error: type_error"},
               {"left", {Value(), -1}, "null"}});
}

BOOST_AUTO_TEST_CASE(trimming_takes_blanks_or_the_given_characters) {
  check_calls({{"trim", {"  a b\t\n"}, "'a b'"},
               {"trim", {"\u3000a\u00a0"}, "'a'"},
               {"ltrim", {" a "}, "'a '"},
               {"rtrim", {" a "}, "' a'"},
               {"btrim", {"xyaxy", "yx"}, "'a'"},
               {"ltrim", {"ææaæ", "æ"}, "'aæ'"},
               {"rtrim", {"aa", "a"}, "''"}});
}

BOOST_AUTO_TEST_CASE(split_cuts_at_each_delimiter) {
  check_calls({{"split", {"a,b,,c", ","}, "['a', 'b', '', 'c']"},
               {"split", {"abc", ""}, "['a', 'b', 'c']"},
               {"split", {"æø", ""}, "['æ', 'ø']"},
               {"split", {"", ","}, "['']"},
               {"split", {"one,two", "x"}, "['one,two']"},
               {"split", {"a,b;c", list_of({",", ";"})}, "['a', 'b', 'c']"},
               {"split", {"a", list_of({1})}, "error: type_error"},
               {"split", {Value(), ","}, "null"}});
}

BOOST_AUTO_TEST_CASE(replace_puts_a_text_for_each_or_for_the_first_few) {
  check_calls({{"replace", {"hello", "l", "w"}, "'hewwo'"},
               {"replace", {"aaa", "a", "b", 2}, "'bba'"},
               {"replace", {"aaa", "aa", "b"}, "'ba'"},
               {"replace", {"aæ", "", "-"}, "'-a-æ-'"},
               {"replace", {"abc", "x", "y"}, "'abc'"},
               {"replace", {"abc", "b", Value()}, "null"}});
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(text_case)

BOOST_AUTO_TEST_CASE(case_changes_in_every_script) {
  check_calls({{"toUpper", {"aBc1"}, "'ABC1'"},
               {"upper", {"straße"}, "'STRASSE'"},
               {"toLower", {"ÄΣ"}, "'äς'"},
               {"lower", {"ABC"}, "'abc'"},
               {"toUpper", {1}, "error: type_error"},
               {"toLower", {Value()}, "null"}});
}

BOOST_AUTO_TEST_CASE(normal_forms_compose_and_take_apart) {
  check_calls({{"size", {call("normalize", {"\u00e9", "NFD"}).value()}, "2"},
               {"size", {call("normalize", {"e\u0301"}).value()}, "1"},
               {"normalize", {"\ufb01", "NFKC"}, "'fi'"},
               {"normalize", {"a", "XYZ"}, "error: invalid_argument"}});
}

BOOST_AUTO_TEST_SUITE_END()
