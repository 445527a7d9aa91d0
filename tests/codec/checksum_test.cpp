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

BOOST_AUTO_TEST_CASE(a_hash_of_pieces_is_that_of_the_whole) {
  std::string bytes;
  for (int i = 0; i < 3'000; ++i) bytes += static_cast<char>(i * 7);
  for (const std::size_t piece : {1U, 7U, 256U, 1'024U, 5'000U}) {
    cairn::codec::Hasher128 hasher;
    BOOST_TEST((hasher.hash() == cairn::codec::hash128("")));
    for (std::size_t at = 0; at < bytes.size(); at += piece)
      hasher.add(std::string_view(bytes).substr(at, piece));
    BOOST_TEST((hasher.hash() == cairn::codec::hash128(bytes)));
  }
}

BOOST_AUTO_TEST_SUITE_END()
