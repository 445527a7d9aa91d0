#include "tests/query/functions/support.hpp"

#include <boost/test/unit_test.hpp>

using namespace cairn;
using namespace cairn::query::test;

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
