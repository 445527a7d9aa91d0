#include "engine/crypto/secrets.hpp"

#include "tests/support/graph_builder.hpp"
#include "tests/support/hex.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <set>
#include <string>

using namespace cairn;
using namespace cairn::engine;
using test::must;

BOOST_AUTO_TEST_SUITE(secrets)

// The examples of FIPS 180-2.
BOOST_AUTO_TEST_CASE(hashes_are_those_of_the_standard) {
  BOOST_TEST(test::hex(must(sha256("abc"))) ==
             "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  BOOST_TEST(test::hex(must(sha256(""))) ==
             "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

BOOST_AUTO_TEST_CASE(random_bytes_fill_all_and_do_not_repeat) {
  std::set<Sha256> drawn;
  Sha256 any_bit{};
  for (int i = 0; i < 64; ++i) {
    Sha256 bytes{};
    must(fill_random(bytes));
    drawn.insert(bytes);
    for (std::size_t at = 0; at < bytes.size(); ++at)
      any_bit[at] = static_cast<unsigned char>(any_bit[at] | bytes[at]);
  }
  BOOST_TEST(drawn.size() == 64U);
  BOOST_TEST(std::ranges::count(any_bit, 255) == 32);
}

BOOST_AUTO_TEST_CASE(a_difference_of_one_bit_is_seen_wherever_it_is) {
  const Sha256 hash = must(sha256("abc"));
  BOOST_TEST(equal_in_constant_time(hash, must(sha256("abc"))));
  for (std::size_t bit = 0; bit < hash.size() * 8; ++bit) {
    Sha256 other = hash;
    other[bit / 8] = static_cast<unsigned char>(other[bit / 8] ^ 1 << bit % 8);
    BOOST_TEST(!equal_in_constant_time(hash, other));
  }
}

BOOST_AUTO_TEST_CASE(
    bytes_as_text_are_those_of_the_standard_without_padding) {  // RFC 4648, 5 and 10
  const auto encoded = [](std::string_view bytes) {
    return base64url({reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()});
  };
  BOOST_TEST(encoded("").empty());
  BOOST_TEST(encoded("f") == "Zg");
  BOOST_TEST(encoded("fo") == "Zm8");
  BOOST_TEST(encoded("foo") == "Zm9v");
  BOOST_TEST(encoded("foob") == "Zm9vYg");
  BOOST_TEST(encoded("\xfb\xff\xfe") == "-__-");
}

BOOST_AUTO_TEST_SUITE_END()
