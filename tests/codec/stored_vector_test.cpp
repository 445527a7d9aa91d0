// encode_vector and decode_vector.
#include "codec/record.hpp"
#include "tests/support/value_generator.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>

using namespace cairn;
using namespace cairn::codec;

BOOST_AUTO_TEST_SUITE(stored_vector)

BOOST_AUTO_TEST_CASE(every_vector_reads_back) {
  test::ValueGenerator random(test::test_seed());
  for (int i = 0; i < 1'000; ++i) {
    const Vector vector = random.vector();
    const auto decoded = decode_vector(encode_vector(vector.components()));
    BOOST_TEST_REQUIRE(decoded.has_value());
    BOOST_TEST_REQUIRE((Value(Vector(*decoded)) == Value(vector)));
  }
}

BOOST_AUTO_TEST_CASE(every_flipped_bit_is_noticed) {
  const std::vector<float> components = {0.25F, -1.0F, std::nanf(""), 3e38F};
  const std::string bytes = encode_vector(components);
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::string damaged = bytes;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    BOOST_TEST(!decode_vector(damaged).has_value());
  }
}

BOOST_AUTO_TEST_CASE(a_count_beyond_the_bytes_is_refused) {
  const auto result = decode_vector(std::string(4, '\xff') + std::string(8, '\0'));
  BOOST_TEST(!result.has_value());
  BOOST_TEST((result.error().code == ErrorCode::corruption));
  BOOST_TEST(!decode_vector("").has_value());
}

BOOST_AUTO_TEST_SUITE_END()
