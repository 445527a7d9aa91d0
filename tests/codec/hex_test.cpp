#include "codec/hex.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

using namespace cairn::codec;

BOOST_AUTO_TEST_SUITE(hexadecimal_digits)

BOOST_AUTO_TEST_CASE(a_number_has_all_its_digits) {
  BOOST_TEST(hex_text(std::uint64_t{0}) == "0000000000000000");
  BOOST_TEST(hex_text(std::uint64_t{0x0123456789abcdef}) == "0123456789abcdef");
  BOOST_TEST(hex_text(std::numeric_limits<std::uint64_t>::max()) == "ffffffffffffffff");
  BOOST_TEST(hex_text(std::uint32_t{0xbeef}) == "0000beef");
  BOOST_TEST(hex_text(std::uint8_t{10}) == "0a");
}

BOOST_AUTO_TEST_CASE(a_byte_has_two_digits) {
  constexpr std::array<unsigned char, 3> bytes = {0x00, 0x7f, 0xff};
  BOOST_TEST(hex_text(bytes) == "007fff");
  BOOST_TEST(hex_text(std::string_view("\x01\xe9", 2)) == "01e9");
  BOOST_TEST(hex_text(std::string("ab")) == "6162");
  BOOST_TEST(hex_text(std::string_view()) == "");
}

BOOST_AUTO_TEST_SUITE_END()
