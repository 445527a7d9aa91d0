// Base64 of contents and states: every text of bytes has one form, and nothing else is read.

#include "tools/mcp/protocol/base64.hpp"

#include "tools/mcp/protocol/answer.hpp"

#include <boost/test/unit_test.hpp>

#include <random>
#include <string>
#include <string_view>

namespace cairn::tools::mcp {
namespace {

constexpr std::string_view alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// By the words of RFC 4648, a group of three bytes after the other.
std::string plain_base64(std::string_view bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    unsigned group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8U | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k)
      text += k <= count ? alphabet[group >> (18U - 6U * k) & 63U] : '=';
  }
  return text;
}

std::string random_bytes(std::mt19937& random, std::size_t size) {
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(mcp_base64)

BOOST_AUTO_TEST_CASE(bytes_of_every_size_come_back) {
  std::mt19937 random(1);
  for (std::size_t size = 0; size < 300; ++size) {
    const std::string bytes = random_bytes(random, size);
    BOOST_REQUIRE_EQUAL(encode_base64(bytes), plain_base64(bytes));
    BOOST_REQUIRE(decode_base64(encode_base64(bytes)) == bytes);
  }
}

// A state is compared by its bytes: a second form of one would pass where the first was seen.
BOOST_AUTO_TEST_CASE(a_text_that_is_read_is_the_one_form_of_its_bytes) {
  std::mt19937 random(2);
  for (std::size_t size = 0; size < 12; ++size) {
    const std::string text = encode_base64(random_bytes(random, size));
    for (std::size_t place = 0; place < text.size(); ++place)
      for (int letter = 0; letter < 256; ++letter) {
        std::string changed = text;
        changed[place] = static_cast<char>(letter);
        const auto bytes = decode_base64(changed);
        if (bytes) BOOST_REQUIRE_EQUAL(encode_base64(*bytes), changed);
      }
  }
}

BOOST_AUTO_TEST_CASE(what_has_another_shape_is_refused) {
  for (const std::string_view text : {"A",        "AA",           "AAA",      "AAAAA", "=",
                                      "==",       "===",          "====",     "A===",  "AA=A",
                                      "AAA=AAAA", "    ",         "\n\n\n\n", "  ==",  "AAA ",
                                      " AAA",     "AA==\n\n\n\n", "AB==",     "AAB=",  "A-_A"})
    BOOST_TEST(!decode_base64(text).has_value(), text);
  BOOST_TEST(decode_base64("")->empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::tools::mcp
