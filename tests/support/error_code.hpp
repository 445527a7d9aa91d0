#pragma once
// The code of an error that a test expects.

#include <cairn/result.hpp>

#include <boost/test/unit_test.hpp>

namespace cairn::test {

/// Returns the code of the error. A value ends the test.
template <class T>
ErrorCode code_of_error(const Result<T>& result) {
  BOOST_REQUIRE(!result);
  BOOST_TEST_MESSAGE(result.error().message);
  return result.error().code;
}

}  // namespace cairn::test
