#include "codec/segment_file.hpp"

#include "codec/byte_io.hpp"
#include "codec/checksum.hpp"
#include "codec/meta.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

using namespace cairn;
using namespace cairn::codec;

namespace {

constexpr std::uint64_t greatest = std::numeric_limits<std::uint64_t>::max();

SegmentHeader sample() {
  return {database_id(1, 2), SegmentSource::outgoing, 7, 12, 1'000, 0x1122334455667788};
}

SegmentFileList sample_list() {
  return {9,
          {{SegmentSource::nodes, 7, 8, 12, 65'536, 70'000, 1},
           {SegmentSource::incoming, 0, 2, 300, 5, 100, greatest}}};
}

/// Replaces the checksum at the end by the right one.
std::string with_right_checksum(std::string bytes) {
  bytes.resize(bytes.size() - 8);
  append_little(bytes, checksum(bytes));
  return bytes;
}

bool is_corruption(const auto& result) {
  return !result && result.error().code == ErrorCode::corruption;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(segment_file)

BOOST_AUTO_TEST_CASE(a_header_reads_back) {
  const std::string bytes = encode(sample());
  BOOST_TEST(bytes.size() == segment_header_bytes);
  const auto decoded = decode_segment_header(bytes, segment_header_bytes + 1'000);
  BOOST_TEST((decoded.has_value() && *decoded == sample()));
  BOOST_TEST(segment_header_checksum(bytes) == checksum(bytes.substr(0, bytes.size() - 8)));
}

BOOST_AUTO_TEST_CASE(a_damaged_header_is_refused) {
  const std::string bytes = encode(sample());
  constexpr std::uint64_t size = segment_header_bytes + 1'000;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    BOOST_TEST_REQUIRE(is_corruption(decode_segment_header(damaged, size)), "byte " << i);
  }
  for (std::size_t i = 0; i < bytes.size(); ++i)
    BOOST_TEST_REQUIRE(is_corruption(decode_segment_header(bytes.substr(0, i), size)));
  BOOST_TEST(is_corruption(decode_segment_header(bytes, size + 1)));
  BOOST_TEST(is_corruption(decode_segment_header(bytes, size - 1)));
  BOOST_TEST(is_corruption(decode_segment_header(bytes, 0)));
}

BOOST_AUTO_TEST_CASE(fields_out_of_range_are_refused_with_a_right_checksum) {
  // Source 0 and 5, bytes after it, the gap, a digit of the database id that is none, the layout.
  for (const auto& [at, value] : std::vector<std::pair<std::size_t, char>>{
           {12, 0}, {12, 5}, {13, 1}, {20, 1}, {24, 'x'}, {8, 1}}) {
    std::string bytes = encode(sample());
    bytes[at] = value;
    BOOST_TEST_REQUIRE(is_corruption(decode_segment_header(with_right_checksum(bytes),
                                                           segment_header_bytes + 1'000)),
                       "byte " << at);
  }
}

BOOST_AUTO_TEST_CASE(a_list_reads_back) {
  for (const SegmentFileList& list : {SegmentFileList(), sample_list()}) {
    const auto decoded = decode_segment_file_list(encode(list));
    BOOST_TEST((decoded.has_value() && *decoded == list));
  }
}

BOOST_AUTO_TEST_CASE(a_damaged_list_is_refused) {
  const std::string bytes = encode(sample_list());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    BOOST_TEST_REQUIRE(is_corruption(decode_segment_file_list(damaged)), "byte " << i);
    BOOST_TEST_REQUIRE(is_corruption(decode_segment_file_list(bytes.substr(0, i))));
  }
  SegmentFileList taken = sample_list();
  taken.next = 8;  // the number of a file
  BOOST_TEST(is_corruption(decode_segment_file_list(encode(taken))));
  std::string many = encode(SegmentFileList{1, {}});
  many[2] = 100;  // files
  BOOST_TEST(is_corruption(decode_segment_file_list(with_right_checksum(many))));
}

BOOST_AUTO_TEST_CASE(changes_read_back) {
  SegmentChanges changes;
  changes.ids[0] = {0, 1, 2, 7, 9, 10};
  changes.ids[2] = {5};
  changes.ids[3] = {1'000'000, greatest - 2};
  const auto decoded = decode_segment_changes(encode(changes));
  BOOST_TEST((decoded.has_value() && *decoded == changes));
  BOOST_TEST((decode_segment_changes(encode(SegmentChanges())).value() == SegmentChanges()));
}

BOOST_AUTO_TEST_CASE(a_run_takes_a_few_bytes) {
  SegmentChanges changes;
  for (std::uint64_t id = 70'000; id < 80'000; ++id) changes.ids[0].push_back(id);
  BOOST_TEST(encode(changes).size() == 9U);
}

BOOST_AUTO_TEST_CASE(damaged_changes_are_refused) {
  const auto runs = [](std::initializer_list<std::uint64_t> numbers) {
    std::string bytes;
    for (const std::uint64_t number : numbers) append_varint(bytes, number);
    return bytes + std::string(3, '\0');
  };
  BOOST_TEST(
      (decode_segment_changes(runs({1, 5, 0})).value().ids[0] == std::vector<std::uint64_t>{5}));
  BOOST_TEST(is_corruption(decode_segment_changes("")));
  BOOST_TEST(is_corruption(decode_segment_changes(runs({2, 5, 0}))));
  BOOST_TEST(is_corruption(decode_segment_changes(runs({2, 5, 0, 0, 0}))));
  BOOST_TEST(is_corruption(decode_segment_changes(runs({1, 5, greatest}))));
  BOOST_TEST(is_corruption(decode_segment_changes(runs({1, 5, std::uint64_t{1} << 40}))));
  BOOST_TEST(is_corruption(decode_segment_changes(runs({1, greatest, 1}))));
  BOOST_TEST(is_corruption(decode_segment_changes(runs({2, greatest - 3, 1, 1, 1}))));
  BOOST_TEST(is_corruption(decode_segment_changes(runs({1, 5, 0}) + "x")));
}

BOOST_AUTO_TEST_SUITE_END()
