// Bytes of items are those of the specification's tables, written out by hand.
#include "codec/packstream_values.hpp"
#include "tests/support/hex.hpp"
#include "tests/support/rounds.hpp"
#include "tests/support/value_generator.hpp"

#include <boost/test/unit_test.hpp>

#include <bit>
#include <cmath>
#include <functional>
#include <limits>

using namespace cairn;
using namespace cairn::codec;
using namespace std::string_literals;

namespace {

std::string bytes_of(const std::function<void(PackStreamWriter&)>& write) {
  std::string bytes;
  PackStreamWriter writer(bytes);
  write(writer);
  return bytes;
}

std::string integer_bytes(std::int64_t value) {
  return bytes_of([&](PackStreamWriter& writer) { writer.add_integer(value); });
}

std::string text_bytes(const std::string& text) {
  return bytes_of([&](PackStreamWriter& writer) { writer.add_text(text); });
}

/// The header of a container, in hexadecimal.
std::string list_header(std::size_t items) {
  return test::hex(bytes_of([&](PackStreamWriter& writer) { writer.begin_list(items); }));
}

std::string map_header(std::size_t entries) {
  return test::hex(bytes_of([&](PackStreamWriter& writer) { writer.begin_map(entries); }));
}

PackStreamItem item_of(const std::string& bytes) {
  PackStreamReader reader(bytes);
  const auto item = reader.next();
  BOOST_REQUIRE_MESSAGE(item.has_value(), test::hex(bytes.substr(0, 20)) << " is refused");
  BOOST_TEST(reader.position() <= bytes.size());
  return *item;
}

std::string fault_of(const std::string& bytes) {
  // A copy of exactly this size, so that a sanitizer detects a read after its end.
  const std::vector<char> exact(bytes.begin(), bytes.end());
  PackStreamReader reader(std::string_view(exact.data(), exact.size()));
  const auto item = reader.next();
  if (item.has_value()) return "none";
  BOOST_TEST((item.error().code == ErrorCode::invalid_argument));
  const std::string start = "the value at byte 0 of a message is not valid PackStream: ";
  BOOST_TEST(item.error().message.starts_with(start));
  return item.error().message.substr(start.size());
}

const std::string cut_off = "the message ends within it";

}  // namespace

BOOST_AUTO_TEST_SUITE(packstream)

BOOST_AUTO_TEST_CASE(nulls_booleans_and_floats_have_their_markers) {
  BOOST_TEST(test::hex(bytes_of([](PackStreamWriter& writer) {
               writer.add_null();
               writer.add_boolean(false);
               writer.add_boolean(true);
               writer.add_float(1.5);
             })) == "c0c2c3c13ff8000000000000");
}

BOOST_AUTO_TEST_CASE(integers_take_the_shortest_form) {
  const std::pair<std::int64_t, std::string> forms[] = {
      {0, "00"},
      {127, "7f"},
      {128, "c90080"},
      {-1, "ff"},
      {-16, "f0"},
      {-17, "c8ef"},
      {-128, "c880"},
      {-129, "c9ff7f"},
      {32'767, "c97fff"},
      {-32'768, "c98000"},
      {32'768, "ca00008000"},
      {-32'769, "caffff7fff"},
      {2'147'483'647, "ca7fffffff"},
      {-2'147'483'648, "ca80000000"},
      {2'147'483'648, "cb0000000080000000"},
      {-2'147'483'649, "cbffffffff7fffffff"},
      {std::numeric_limits<std::int64_t>::max(), "cb7fffffffffffffff"},
      {std::numeric_limits<std::int64_t>::min(), "cb8000000000000000"},
  };
  for (const auto& [value, form] : forms) {
    BOOST_TEST(test::hex(integer_bytes(value)) == form);
    BOOST_TEST((item_of(integer_bytes(value)).type == PackStreamType::integer));
    BOOST_TEST(item_of(integer_bytes(value)).integer == value);
  }
}

BOOST_AUTO_TEST_CASE(longer_forms_of_integers_are_read) {
  BOOST_TEST(item_of("\xc8\x01"s).integer == 1);
  BOOST_TEST(item_of("\xc9\xff\xff"s).integer == -1);
  BOOST_TEST(item_of("\xca\0\0\0\x05"s).integer == 5);
  BOOST_TEST(item_of("\xcb\0\0\0\0\0\0\0\x05"s).integer == 5);
}

BOOST_AUTO_TEST_CASE(texts_and_bytes_take_the_shortest_form) {
  const std::pair<std::size_t, std::string> texts[] = {
      {0, "80"},     {1, "81"},       {15, "8f"},         {16, "d010"},
      {255, "d0ff"}, {256, "d10100"}, {65'535, "d1ffff"}, {65'536, "d200010000"},
  };
  for (const auto& [size, header] : texts) {
    const std::string text(size, 'x');
    BOOST_TEST(test::hex(text_bytes(text)) == header + test::hex(text));
    const std::string bytes = text_bytes(text);
    BOOST_TEST((item_of(bytes).type == PackStreamType::text && item_of(bytes).text == text));
  }
  const std::pair<std::size_t, std::string> byte_strings[] = {
      {0, "cc00"}, {255, "ccff"}, {256, "cd0100"}, {65'535, "cdffff"}, {65'536, "ce00010000"},
  };
  for (const auto& [size, header] : byte_strings) {
    const std::string content(size, '\xff');
    const std::string bytes =
        bytes_of([&](PackStreamWriter& writer) { writer.add_bytes(content); });
    BOOST_TEST(test::hex(bytes) == header + test::hex(content));
    BOOST_TEST((item_of(bytes).type == PackStreamType::bytes && item_of(bytes).text == content));
  }
}

BOOST_AUTO_TEST_CASE(longer_forms_of_texts_are_read) {
  BOOST_TEST(item_of("\xd0\x01y"s).text == "y");
  BOOST_TEST(item_of("\xd1\0\x01y"s).text == "y");
  BOOST_TEST(item_of("\xd2\0\0\0\x01y"s).text == "y");
}

BOOST_AUTO_TEST_CASE(containers_take_the_shortest_header) {
  BOOST_TEST(list_header(0) == "90");
  BOOST_TEST(list_header(15) == "9f");
  BOOST_TEST(list_header(16) == "d410");
  BOOST_TEST(list_header(255) == "d4ff");
  BOOST_TEST(list_header(256) == "d50100");
  BOOST_TEST(list_header(65'535) == "d5ffff");
  BOOST_TEST(list_header(65'536) == "d600010000");
  BOOST_TEST(list_header(4'294'967'295) == "d6ffffffff");
  BOOST_TEST(map_header(0) == "a0");
  BOOST_TEST(map_header(15) == "af");
  BOOST_TEST(map_header(16) == "d810");
  BOOST_TEST(map_header(256) == "d90100");
  BOOST_TEST(map_header(65'536) == "da00010000");
  BOOST_TEST(test::hex(bytes_of([](PackStreamWriter& writer) {
               writer.begin_structure('N', 3);
               writer.begin_structure('V', 15);
             })) == "b34ebf56");
}

BOOST_AUTO_TEST_CASE(containers_are_read_with_their_size) {
  const auto read = [](std::string header, std::size_t rest) {
    return item_of(header + std::string(rest, '\x01'));
  };
  BOOST_TEST(read("\x9f"s, 15).size == 15U);
  BOOST_TEST(read("\xd4\x10"s, 16).size == 16U);
  BOOST_TEST(read("\xd5\x01\0"s, 256).size == 256U);
  BOOST_TEST(read("\xd6\0\x01\0\0"s, 65'536).size == 65'536U);
  BOOST_TEST((read("\xd4\x01"s, 1).type == PackStreamType::list));
  BOOST_TEST(read("\xaf"s, 30).size == 15U);
  BOOST_TEST(read("\xd8\x10"s, 32).size == 16U);
  BOOST_TEST(read("\xd9\x01\0"s, 512).size == 256U);
  BOOST_TEST(read("\xda\0\0\0\x01"s, 2).size == 1U);
  BOOST_TEST((read("\xa1"s, 2).type == PackStreamType::map));
  const PackStreamItem structure = item_of("\xb2N\x01\x02"s);
  BOOST_TEST((structure.type == PackStreamType::structure && structure.tag == 'N'));
  BOOST_TEST(structure.size == 2U);
}

BOOST_AUTO_TEST_CASE(special_floats_pass_bit_by_bit) {
  using Limits = std::numeric_limits<double>;
  for (const double value : {-0.0, Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN(),
                             Limits::denorm_min(), Limits::max()}) {
    const auto bytes = bytes_of([&](PackStreamWriter& writer) { writer.add_float(value); });
    BOOST_TEST(std::bit_cast<std::uint64_t>(item_of(bytes).floating) ==
               std::bit_cast<std::uint64_t>(value));
  }
}

BOOST_AUTO_TEST_CASE(unknown_markers_are_refused) {
  BOOST_TEST(fault_of("\xc4"s) == "no value begins with 0xC4");
  for (const int marker : {0xc5, 0xc6, 0xc7, 0xcf, 0xd3, 0xd7, 0xdb, 0xdc, 0xdd, 0xdf, 0xe0, 0xef})
    BOOST_TEST(fault_of(static_cast<char>(marker) + std::string(20, '\0'))
                   .starts_with("no value begins with"));
}

BOOST_AUTO_TEST_CASE(a_size_beyond_the_bytes_is_refused) {
  BOOST_TEST(fault_of("\xd2\x40\0\0\0abc"s) == cut_off);  // 1 GiB
  BOOST_TEST(fault_of("\xce\xff\xff\xff\xff"s) == cut_off);
  BOOST_TEST(fault_of("\xd6\xff\xff\xff\xff\x01"s) ==
             "its size is 4294967295, but the bytes left are only 1");
  BOOST_TEST(fault_of("\xda\xff\xff\xff\xff\x01"s) ==
             "its size is 4294967295, but the bytes left are only 1");
  BOOST_TEST(fault_of("\x92\x01"s) == "its size is 2, but the bytes left are only 1");
  BOOST_TEST(fault_of("\xa1\x01"s) == "its size is 1, but the bytes left are only 1");
  BOOST_TEST(fault_of("\xb1N"s) == "its size is 1, but the bytes left are only 0");
}

BOOST_AUTO_TEST_CASE(text_that_is_no_utf8_is_refused) {
  BOOST_TEST(fault_of("\x82"
                      "a\xff"s) == "its text is not valid UTF-8 at byte 1");
  BOOST_TEST(fault_of("\x83\xed\xa0\x80"s) == "its text is not valid UTF-8 at byte 0");
}

BOOST_AUTO_TEST_CASE(text_that_is_no_utf8_is_written_with_replacements) {
  BOOST_TEST(text_bytes("a\xff") ==
             "\x84"
             "a\xef\xbf\xbd");
}

BOOST_AUTO_TEST_CASE(the_place_of_a_fault_is_told) {
  const std::string bytes = "\x01\x02\xc4"s;
  PackStreamReader reader(bytes);
  BOOST_REQUIRE(reader.next().has_value());
  BOOST_REQUIRE(reader.next().has_value());
  BOOST_TEST(reader.position() == 2U);
  BOOST_TEST(reader.next().error().message ==
             "the value at byte 2 of a message is not valid PackStream: no value begins with 0xC4");
}

BOOST_AUTO_TEST_CASE(a_reader_goes_from_item_to_item_to_the_end) {
  const std::string bytes = "\x91\x81z\xc0"s;
  PackStreamReader reader(bytes);
  BOOST_TEST((reader.next()->type == PackStreamType::list));
  BOOST_TEST(reader.next()->text == "z");
  BOOST_TEST(!reader.is_at_end());
  BOOST_TEST((reader.next()->type == PackStreamType::null));
  BOOST_TEST(reader.is_at_end());
  BOOST_TEST(!reader.next().has_value());
}

// Each of these items is one marker with what belongs to it, so that every prefix is cut off.
BOOST_AUTO_TEST_CASE(every_prefix_of_an_item_is_refused) {
  const std::string items[] = {"\x01"s,
                               "\xc1\x3f\xf8\0\0\0\0\0\0"s,
                               "\xc8\x81"s,
                               "\xc9\x01\x02"s,
                               "\xca\1\2\3\4"s,
                               "\xcb\1\2\3\4\5\6\7\x08"s,
                               "\x83"
                               "abc"s,
                               "\xd0\x03"
                               "abc"s,
                               "\xd1\0\x03"
                               "abc"s,
                               "\xd2\0\0\0\x03"
                               "abc"s,
                               "\xcc\x02"
                               "ab"s,
                               "\xcd\0\x02"
                               "ab"s,
                               "\xce\0\0\0\x02"
                               "ab"s};
  for (const std::string& item : items) {
    BOOST_TEST(fault_of(item) == "none");
    for (std::size_t size = 0; size < item.size(); ++size)
      BOOST_TEST(fault_of(item.substr(0, size)) == cut_off);
  }
  for (const std::string& header : {"\xd4\x01"s, "\xd5\0\x01"s, "\xd6\0\0\0\x01"s, "\xd8\x01"s,
                                    "\xd9\0\x01"s, "\xda\0\0\0\x01"s, "\xb1N"s})
    for (std::size_t size = 0; size < header.size(); ++size)
      BOOST_TEST(fault_of(header.substr(0, size)) == cut_off);
}

BOOST_AUTO_TEST_CASE(any_bytes_are_read_or_refused) {
  test::ValueGenerator random(test::test_seed());
  std::size_t sound = 0;
  for (std::size_t i = test::rounds(20'000, 1'000'000); i > 0; --i) {
    const std::string bytes = random.bytes(40);
    const std::vector<char> exact(bytes.begin(), bytes.end());
    PackStreamReader reader(std::string_view(exact.data(), exact.size()));
    while (!reader.is_at_end() && reader.next().has_value()) ++sound;
    BOOST_TEST_REQUIRE(reader.position() <= bytes.size());
  }
  BOOST_TEST(sound > 1'000U);
}

BOOST_AUTO_TEST_SUITE_END()
