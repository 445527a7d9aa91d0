#include "codec/checksum.hpp"

#include <boost/test/unit_test.hpp>

using namespace cairn::codec;

BOOST_AUTO_TEST_SUITE(checksum_of_bytes)

// The published values of XXH3 for the empty input: were they others, no stored checksum would fit.
BOOST_AUTO_TEST_CASE(the_hash_is_the_published_one) {
  BOOST_TEST(checksum("") == 0x2d06800538d394c2U);
  BOOST_TEST(hash128("").high == 0x99aa06d3014798d8U);
  BOOST_TEST(hash128("").low == 0x6001c324468d497fU);
}

BOOST_AUTO_TEST_CASE(the_seed_changes_the_checksum) {
  BOOST_TEST(checksum("cairn", 1) != checksum("cairn", 2));
  BOOST_TEST(checksum("cairn", 0) == checksum("cairn"));
}

BOOST_AUTO_TEST_SUITE_END()
