#include "codec/byte_io.hpp"

#include "tests/support/value_generator.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>

using namespace cairn::codec;
using namespace std::string_view_literals;

BOOST_AUTO_TEST_SUITE(byte_io)

BOOST_AUTO_TEST_CASE(big_and_little_endian_are_each_others_mirror) {
  std::string big;
  std::string little;
  append_big(big, std::uint32_t{0x0102'0304});
  append_little(little, std::uint32_t{0x0102'0304});
  BOOST_TEST(big == "\1\2\3\4"sv);
  BOOST_TEST(little == "\4\3\2\1"sv);
}

BOOST_AUTO_TEST_CASE(every_number_reads_back) {
  cairn::test::ValueGenerator random(cairn::test::test_seed());
  for (int i = 0; i < 2'000; ++i) {
    const std::uint64_t number = random.number() >> random.below(64);
    std::string bytes;
    append_big(bytes, number);
    append_little(bytes, static_cast<std::uint16_t>(number));
    append_varint(bytes, number);
    append_text(bytes, "x\0y"sv);

    ByteCursor cursor(bytes);
    BOOST_TEST(cursor.read_big<std::uint64_t>() == number);
    BOOST_TEST(cursor.read_little<std::uint16_t>() == static_cast<std::uint16_t>(number));
    BOOST_TEST(cursor.read_varint() == number);
    BOOST_TEST(cursor.read_text() == "x\0y"sv);
    BOOST_TEST(cursor.finished());
  }
}

BOOST_AUTO_TEST_CASE(a_read_beyond_the_end_fails_for_good) {
  ByteCursor cursor("\1\2\3"sv);
  BOOST_TEST(cursor.read_big<std::uint32_t>() == 0U);
  BOOST_TEST(cursor.failed());
  BOOST_TEST(cursor.read_byte() == 0);
  BOOST_TEST(!cursor.finished());
}

BOOST_AUTO_TEST_CASE(bytes_left_over_are_not_finished) {
  ByteCursor cursor("\1\2"sv);
  (void)cursor.read_byte();
  BOOST_TEST(!cursor.failed());
  BOOST_TEST(!cursor.finished());
  BOOST_TEST(cursor.rest() == "\2"sv);
}

BOOST_AUTO_TEST_CASE(a_varint_takes_as_few_bytes_as_it_needs) {
  const std::pair<std::uint64_t, std::size_t> sizes[] = {
      {0, 1}, {127, 1}, {128, 2}, {16'383, 2}, {16'384, 3}, {~std::uint64_t{0}, 10}};
  for (const auto& [number, size] : sizes) {
    std::string bytes;
    append_varint(bytes, number);
    BOOST_TEST(bytes.size() == size);
  }
}

BOOST_AUTO_TEST_CASE(a_varint_that_is_too_long_or_too_large_is_refused) {
  const std::string_view wrong[] = {
      "\x80\x00"sv,                                  // 0 in two bytes
      "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"sv,  // 65 bits
      "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"sv,  // no end in ten bytes
      "\x80"sv,                                      // cut off
  };
  for (std::string_view bytes : wrong) {
    ByteCursor cursor(bytes);
    (void)cursor.read_varint();
    BOOST_TEST(cursor.failed());
  }
}

BOOST_AUTO_TEST_CASE(a_text_longer_than_what_is_there_is_refused) {
  ByteCursor cursor(
      "\x7f"
      "ab"sv);
  BOOST_TEST(cursor.read_text().empty());
  BOOST_TEST(cursor.failed());
}

BOOST_AUTO_TEST_CASE(flipping_the_sign_bit_keeps_the_order_of_signed_numbers) {
  using Limits = std::numeric_limits<std::int64_t>;
  const std::int64_t ascending[] = {Limits::min(), -1, 0, 1, Limits::max()};
  for (std::size_t i = 0; i + 1 < std::size(ascending); ++i)
    BOOST_TEST(flip_sign(ascending[i]) < flip_sign(ascending[i + 1]));
  for (std::int64_t number : ascending) BOOST_TEST(unflip_sign(flip_sign(number)) == number);
}

BOOST_AUTO_TEST_SUITE_END()
