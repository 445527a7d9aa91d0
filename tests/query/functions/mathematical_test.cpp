#include "tests/query/functions/support.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>

using namespace cairn;
using namespace cairn::query::test;

BOOST_AUTO_TEST_SUITE(mathematical)

BOOST_AUTO_TEST_CASE(functions_give_floats_for_any_number) {
  check_calls({{"sqrt", {12.96}, "3.6"},
               {"sqrt", {9}, "3.0"},
               {"sqrt", {-1}, "NaN"},
               {"exp", {0}, "1.0"},
               {"log", {1}, "0.0"},
               {"ln", {1}, "0.0"},
               {"log", {0}, "-Infinity"},
               {"log10", {1'000}, "3.0"},
               {"ceil", {1.2}, "2.0"},
               {"ceiling", {-1.2}, "-1.0"},
               {"floor", {-1.2}, "-2.0"},
               {"sin", {0}, "0.0"},
               {"cos", {0}, "1.0"},
               {"tanh", {0}, "0.0"},
               {"atan2", {0, 1}, "0.0"},
               {"degrees", {call("pi", {}).value()}, "180.0"},
               {"radians", {0}, "0.0"},
               {"haversin", {0}, "0.0"},
               {"sqrt", {"4"}, "error: type_error"},
               {"sin", {Value()}, "null"}});
}

BOOST_AUTO_TEST_CASE(signs_and_absolute_values_keep_the_type) {
  check_calls({{"abs", {-1}, "1"},
               {"abs", {-1.5}, "1.5"},
               {"abs", {std::numeric_limits<std::int64_t>::min()}, "error: invalid_argument"},
               {"sign", {-2.5}, "-1"},
               {"sign", {0}, "0"},
               {"isNaN", {std::numeric_limits<double>::quiet_NaN()}, "true"},
               {"isNaN", {1}, "false"}});
}

BOOST_AUTO_TEST_CASE(round_takes_a_precision_and_a_mode) {
  check_calls({{"round", {2.5}, "3.0"},
               {"round", {-1.5}, "-1.0"},
               {"round", {0.49999999999999994}, "0.0"},
               {"round", {3}, "3.0"},
               {"round", {1.249, 1}, "1.2"},
               {"round", {1.249, 1, "UP"}, "1.3"},
               {"round", {-1.55, 1}, "-1.6"},
               {"round", {1.0, 1, "SIDEWAYS"}, "error: invalid_argument"},
               {"round", {1.0, 1.5}, "error: type_error"}});
}

BOOST_AUTO_TEST_SUITE_END()
