#include "codec/record_view.hpp"

#include <boost/test/unit_test.hpp>

using namespace cairn;
using namespace cairn::codec;

namespace {

const RecordHeader sample{7, 3, 1'000, 2'000, std::nullopt, -5, 0, std::nullopt};

std::string bytes_of(const RecordHeader& header) {
  std::string bytes;
  append_record_header(bytes, EntityKind::node, header);
  return bytes;
}

bool is_refused_with(std::size_t position, char byte) {
  std::string bytes = bytes_of(sample);
  bytes[position] = byte;
  return !decode_header(bytes).has_value();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(record_header)

BOOST_AUTO_TEST_CASE(a_header_reads_back_and_has_its_fixed_size) {
  BOOST_TEST(bytes_of(sample).size() == record_header_bytes);
  BOOST_TEST((*decode_header(bytes_of(sample)) == sample));
  BOOST_TEST((*decode_record_kind(bytes_of(sample)) == EntityKind::node));
}

BOOST_AUTO_TEST_CASE(an_absent_time_differs_from_time_zero) {
  const auto header = decode_header(bytes_of(sample));
  BOOST_TEST(header->valid_from.has_value());
  BOOST_TEST(!header->valid_to.has_value());
}

BOOST_AUTO_TEST_CASE(unknown_layouts_kinds_and_bits_are_refused) {
  BOOST_TEST(is_refused_with(0, 2));     // layout
  BOOST_TEST(is_refused_with(1, 3));     // kind
  BOOST_TEST(is_refused_with(2, 0x16));  // a fifth optional time
  BOOST_TEST(is_refused_with(3, 1));     // gaps
  BOOST_TEST(is_refused_with(12, 1));
  BOOST_TEST(is_refused_with(32, 1));  // an absent time that is not zero
}

BOOST_AUTO_TEST_CASE(the_message_names_what_is_wrong) {
  BOOST_TEST(decode_header("abc").error().message ==
             "the header of a record is damaged: it ends after 3 bytes");
  BOOST_TEST(decode_header_of(EntityKind::relationship, bytes_of(sample)).error().message ==
             "the header of a record is damaged: a node stands in a relationship's place");
}

BOOST_AUTO_TEST_CASE(a_check_says_what_decoding_says) {
  for (const RecordHeader& header : {sample, RecordHeader{7, 3, 1'000, 2'000, {}, {}, {}, {}}}) {
    const std::string whole = bytes_of(header);
    BOOST_TEST(check_header_of(EntityKind::node, whole).has_value());
    BOOST_TEST(!check_header_of(EntityKind::relationship, whole).has_value());
    BOOST_TEST(read_name_space(whole) == 7u);
    for (std::size_t i = 0; i < whole.size(); ++i) {
      std::string bytes = whole;
      for (const char byte : {'\0', '\1', '\2', '\x0f', '\x80'}) {
        bytes[i] = byte;
        const auto decoded = decode_header_of(EntityKind::node, bytes);
        const Status checked = check_header_of(EntityKind::node, bytes);
        BOOST_TEST(checked.has_value() == decoded.has_value());
        if (!decoded) BOOST_TEST(checked.error().message == decoded.error().message);
      }
      BOOST_TEST(!check_header_of(EntityKind::node, whole.substr(0, i)).has_value());
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
