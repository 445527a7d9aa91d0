#include "engine/store/log_reader.hpp"

#include "codec/byte_io.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

using namespace cairn;
using engine::inspect_log;

namespace {

constexpr std::size_t block = 32 * 1024;

std::string fragment(char type, std::string_view payload) {
  std::string checked(1, type);
  checked += payload;
  const std::uint32_t crc = engine::crc32c(checked);
  std::string bytes;
  codec::append_little(bytes, (crc >> 15 | crc << 17) + 0xa282ead8u);
  codec::append_little(bytes, static_cast<std::uint16_t>(payload.size()));
  return bytes + checked;
}

/// A record as RocksDB lays it out: cut at block ends, padding where no header fits.
void append_record(std::string& log, std::string_view payload) {
  bool begun = false;
  do {
    const std::size_t left = block - log.size() % block;
    if (left < 7) {
      log.append(left, '\0');
      continue;
    }
    const std::string_view piece = payload.substr(0, std::min(payload.size(), left - 7));
    payload.remove_prefix(piece.size());
    const bool ends = payload.empty();
    log += fragment(begun ? (ends ? 4 : 3) : (ends ? 1 : 2), piece);
    begun = true;
  } while (!payload.empty());
}

std::string sample_log() {
  std::string log;
  for (std::size_t i = 0; i < 40; ++i) append_record(log, std::string(i * 137 % 5'000, 'r'));
  append_record(log, std::string(100'000, 'L'));  // over several blocks
  append_record(log, "last");
  return log;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(log_reader)

BOOST_AUTO_TEST_CASE(its_checksum_is_the_one_of_the_standard) {
  BOOST_TEST(engine::crc32c("123456789") == 0xe3069283u);
}

BOOST_AUTO_TEST_CASE(a_whole_log_has_no_damage) {
  const std::string log = sample_log();
  const auto report = inspect_log(log);
  BOOST_TEST(report.valid_bytes == log.size());
  BOOST_TEST(!report.damaged);
  BOOST_TEST(!inspect_log("").damaged);
}

BOOST_AUTO_TEST_CASE(a_log_cut_anywhere_has_nothing_valid_behind_the_cut) {
  const std::string log = sample_log();
  for (std::size_t size = 1; size < log.size(); size += 97) {
    const auto report = inspect_log(std::string_view(log).substr(0, size));
    BOOST_TEST(report.valid_bytes <= size);
    BOOST_TEST(!report.valid_behind, size);
  }
}

BOOST_AUTO_TEST_CASE(a_tail_of_zeros_is_a_torn_tail) {
  std::string log = sample_log();
  const std::size_t end = log.size();
  log.append(50'000, '\0');
  const auto report = inspect_log(log);
  BOOST_TEST(report.damaged);
  BOOST_TEST(report.valid_bytes == end);
  BOOST_TEST(!report.valid_behind);
}

BOOST_AUTO_TEST_CASE(a_flipped_bit_before_the_last_record_leaves_valid_records_behind) {
  const std::string log = sample_log();
  for (std::size_t i = 0; i + 11 < log.size(); i += 1'013) {
    std::string damaged = log;
    damaged[i] = static_cast<char>(damaged[i] ^ 4);
    const auto report = inspect_log(damaged);
    BOOST_TEST(report.damaged, i);
    BOOST_TEST(report.valid_bytes <= i);
    BOOST_TEST(report.valid_behind, i);
  }
}

BOOST_AUTO_TEST_SUITE_END()
