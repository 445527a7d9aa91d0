#include "codec/snapshot_header.hpp"

#include "codec/byte_io.hpp"
#include "codec/checksum.hpp"
#include "codec/meta.hpp"

#include <boost/test/unit_test.hpp>

using namespace cairn;
using namespace cairn::codec;

namespace {

SnapshotHeader sample() {
  SnapshotHeader header;
  header.database_id = database_id(1, 2);
  header.index = 3;
  header.metric = Metric::dot_product;
  header.dimension = 256;
  header.block_bytes = 4'096;
  header.count = 1'000;
  header.sequence = 77;
  header.commit = 78;
  header.section_bytes = {1, 4'096, 4'097};
  return header;
}

std::string with_right_checksum(std::string bytes) {
  bytes.resize(snapshot_header_bytes - 8);
  append_little(bytes, checksum(bytes));
  return bytes;
}

bool is_refused(const std::string& bytes, std::uint64_t file_bytes) {
  const auto result = decode_snapshot_header(bytes, file_bytes);
  return !result.has_value() && result.error().code == ErrorCode::corruption;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(snapshot_header)

BOOST_AUTO_TEST_CASE(a_header_reads_back) {
  const auto decoded = decode_snapshot_header(encode(sample()), snapshot_file_bytes(sample()));
  BOOST_TEST((decoded.has_value() && *decoded == sample()));
}

BOOST_AUTO_TEST_CASE(the_file_holds_each_section_and_a_checksum_a_block) {
  BOOST_TEST(snapshot_file_bytes(sample()) == 352U + (1 + 8) + (4'096 + 8) + (4'097 + 16));
}

BOOST_AUTO_TEST_CASE(a_header_of_the_third_layout_is_as_long_as_a_newer_one) {
  SnapshotHeader old = sample();
  old.layout = 3;
  BOOST_TEST(encode(old).size() == encode(sample()).size());
  const auto decoded = decode_snapshot_header(encode(old), snapshot_file_bytes(old));
  BOOST_TEST((decoded.has_value() && *decoded == old));
}

BOOST_AUTO_TEST_CASE(a_header_of_the_second_layout_reads_back) {
  SnapshotHeader old = sample();
  old.layout = 2;
  const std::string bytes = encode(old);
  BOOST_TEST(bytes.size() == 288U);
  BOOST_TEST(snapshot_header_size(bytes) == bytes.size());
  const auto decoded = decode_snapshot_header(bytes, snapshot_file_bytes(old));
  BOOST_TEST((decoded.has_value() && *decoded == old));
}

BOOST_AUTO_TEST_CASE(a_header_of_the_first_layout_reads_back) {
  SnapshotHeader old = sample();
  old.layout = 1;
  const std::string bytes = encode(old);
  BOOST_TEST(bytes.size() == old_snapshot_header_bytes);
  BOOST_TEST(snapshot_header_size(bytes) == bytes.size());
  BOOST_TEST(snapshot_file_bytes(old) + 192U == snapshot_file_bytes(sample()));
  const auto decoded = decode_snapshot_header(bytes, snapshot_file_bytes(old));
  BOOST_TEST((decoded.has_value() && *decoded == old));
  BOOST_TEST(is_refused(bytes, snapshot_file_bytes(sample())));
  BOOST_TEST(is_refused(encode(sample()).substr(0, bytes.size()), snapshot_file_bytes(old)));
}

BOOST_AUTO_TEST_CASE(a_layout_that_is_not_known_is_refused) {
  for (const char layout : {'\0', '\5'}) {
    std::string bytes = encode(sample());
    bytes[8] = layout;
    BOOST_TEST(is_refused(with_right_checksum(bytes), snapshot_file_bytes(sample())));
  }
}

BOOST_AUTO_TEST_CASE(every_flipped_bit_is_noticed) {
  const std::string bytes = encode(sample());
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::string damaged = bytes;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    BOOST_TEST(is_refused(damaged, snapshot_file_bytes(sample())));
  }
}

BOOST_AUTO_TEST_CASE(a_file_of_another_length_is_refused) {
  const std::uint64_t size = snapshot_file_bytes(sample());
  BOOST_TEST(is_refused(encode(sample()), size - 1));
  BOOST_TEST(is_refused(encode(sample()), size + 1));
  BOOST_TEST(is_refused(encode(sample()).substr(1), size));
}

BOOST_AUTO_TEST_CASE(fields_out_of_range_are_refused_even_with_a_fitting_checksum) {
  const auto changed = [](std::size_t position, char byte) {
    std::string bytes = encode(sample());
    bytes[position] = byte;
    return with_right_checksum(bytes);
  };
  const std::uint64_t size = snapshot_file_bytes(sample());
  BOOST_TEST(is_refused(changed(16, 'X'), size));         // database id
  BOOST_TEST(is_refused(changed(48, 9), size));           // metric
  BOOST_TEST(is_refused(changed(49, 1), size));           // what follows it
  BOOST_TEST(is_refused(changed(60, 1), size));           // gap
  BOOST_TEST(is_refused(changed(88 + 7, '\x7f'), size));  // a section of 2^62 bytes
  std::string no_blocks = encode(sample());
  no_blocks.replace(56, 4, std::string(4, '\0'));
  BOOST_TEST(is_refused(with_right_checksum(no_blocks), size));
}

BOOST_AUTO_TEST_CASE(a_block_fits_its_place_and_its_file_only) {
  const std::string header = encode(sample());
  SnapshotHeader newer = sample();
  ++newer.sequence;
  const std::uint64_t here = snapshot_block_checksum(header, 0, "block");
  BOOST_TEST(here == snapshot_block_checksum(header, 0, "block"));
  BOOST_TEST(here != snapshot_block_checksum(header, 1, "block"));
  BOOST_TEST(here != snapshot_block_checksum(encode(newer), 0, "block"));
  BOOST_TEST(here != snapshot_block_checksum(header, 0, "blocks"));
}

BOOST_AUTO_TEST_SUITE_END()
