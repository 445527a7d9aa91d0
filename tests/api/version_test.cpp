#include "codec/format_version.hpp"

#include <cairn/version.hpp>

#include <boost/test/unit_test.hpp>

#include <string>

BOOST_AUTO_TEST_SUITE(version)

BOOST_AUTO_TEST_CASE(the_linked_library_has_the_version_of_its_headers) {
  const std::string expected = std::to_string(cairn::version_major) + "." +
                               std::to_string(cairn::version_minor) + "." +
                               std::to_string(cairn::version_patch);
  BOOST_TEST(cairn::version() == expected);
}

BOOST_AUTO_TEST_CASE(the_format_version_is_that_of_the_codec) {
  BOOST_TEST(cairn::format_version() == cairn::codec::format_version);
}

BOOST_AUTO_TEST_SUITE_END()
