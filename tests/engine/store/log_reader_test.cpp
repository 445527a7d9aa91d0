#include "engine/store/log_reader.hpp"

#include "codec/byte_io.hpp"
#include "codec/commit_note.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/log_records.hpp"

#include <boost/test/unit_test.hpp>
#include <rocksdb/env.h>

#include <algorithm>
#include <fstream>

using namespace cairn;
using engine::inspect_log;
using namespace test::log_records;

namespace {

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

BOOST_AUTO_TEST_CASE(zeros_behind_a_whole_record_are_room_for_the_next) {
  for (const std::size_t before_block_end : {0u, 3u, 7u, 5'000u}) {
    std::string log;
    append_record(log, std::string(block - before_block_end - 7, 'e'));
    const std::size_t end = block - before_block_end;
    for (const std::size_t zeros : {1u, 6u, 7u, 4'096u, 100'000u}) {
      const auto report = inspect_log(log + std::string(zeros, '\0'));
      BOOST_TEST(!report.damaged, before_block_end << ", zeros: " << zeros);
      BOOST_TEST(report.valid_bytes == end);
      BOOST_TEST(report.written_bytes == end);
    }
  }
}

BOOST_AUTO_TEST_CASE(zeros_within_a_record_are_a_torn_tail) {
  const std::string log = sample_log();
  const std::size_t last = 11;                // its header and "last"
  const std::size_t large = 100'000 + 4 * 7;  // header and bytes of the one before
  for (std::size_t cut = 1; cut < last + large; cut += 997) {
    if (cut == last) continue;
    const std::string torn = log.substr(0, log.size() - cut);
    const auto report = inspect_log(torn + std::string(50'000, '\0'));
    BOOST_TEST(report.damaged, cut);
    BOOST_TEST(!report.valid_behind, cut);
    BOOST_TEST(report.written_bytes == torn.size(), cut);
  }
}

BOOST_AUTO_TEST_CASE(a_log_before_the_last_may_end_in_zeros) {
  const test::TemporaryDirectory directory;
  const auto inspect = [&](const std::string& first, const std::string& second) {
    std::ofstream(directory.path() / "000004.log", std::ios::binary) << first;
    std::ofstream(directory.path() / "000007.log", std::ios::binary) << second;
    return test::must(engine::inspect_logs(*rocksdb::Env::Default(), directory.path().string(), 0));
  };
  const std::string log = sample_log();
  const std::string zeros(50'000, '\0');
  BOOST_TEST(inspect(log + zeros, log).file.empty());
  const auto torn = inspect(log + zeros, log.substr(0, log.size() - 3) + zeros);
  BOOST_TEST(torn.file == "000007.log");
  BOOST_TEST(torn.dropped_bytes == 8u);
  BOOST_TEST(!torn.valid_behind);
  BOOST_TEST(inspect(log.substr(0, log.size() - 3) + zeros, log).valid_behind);
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

BOOST_AUTO_TEST_CASE(the_log_of_the_larger_number_is_the_later_one) {
  const test::TemporaryDirectory directory;
  std::string whole, torn;
  append_record(whole, "a commit");
  append_record(torn, "a commit");
  torn += "torn";
  const auto inspected = [&](const std::string& first, const std::string& second) {
    std::ofstream(directory.path() / "999999.log", std::ios::binary) << first;
    std::ofstream(directory.path() / "1000000.log", std::ios::binary) << second;
    return test::must(engine::inspect_logs(*rocksdb::Env::Default(), directory.path().string(), 0));
  };
  const auto damaged = inspected(torn, whole);
  BOOST_TEST(damaged.file == "999999.log");
  BOOST_TEST(damaged.valid_behind);
  const auto cut = inspected(whole, torn);
  BOOST_TEST(cut.file == "1000000.log");
  BOOST_TEST(!cut.valid_behind);
}

BOOST_AUTO_TEST_CASE(pages_missing_from_the_last_record_are_a_torn_tail) {
  constexpr std::size_t page = 4'096;
  std::string log = sample_log();
  const std::size_t begin = log.size();
  append_record(log, std::string(100'000, 'L'));
  for (std::size_t hole = begin; hole < log.size(); hole = (hole / page + 1) * page) {
    std::string torn = log;
    const std::size_t end = std::min((hole / page + 1) * page, log.size());
    std::fill(torn.begin() + static_cast<std::ptrdiff_t>(hole),
              torn.begin() + static_cast<std::ptrdiff_t>(end), '\0');
    const auto report = inspect_log(torn);
    BOOST_TEST(report.damaged, hole);
    BOOST_TEST(report.valid_bytes == begin, hole);
    BOOST_TEST(!report.valid_behind, hole);
    append_record(torn, "a later commit");
    BOOST_TEST(inspect_log(torn).valid_behind, hole);
  }
}

BOOST_AUTO_TEST_CASE(zeros_over_less_than_the_rest_of_a_sector_are_no_torn_tail) {
  std::string log = sample_log();
  const std::size_t begin = log.size();
  append_record(log, std::string(100'000, 'L'));
  BOOST_REQUIRE(begin % 512 + 100 < 512);
  for (const std::size_t header : {begin, (begin / block + 1) * block}) {
    for (const std::size_t zeros : {7UL, 20UL, 90UL}) {
      std::string damaged = log;
      std::fill_n(damaged.begin() + static_cast<std::ptrdiff_t>(header), zeros, '\0');
      BOOST_TEST(inspect_log(damaged).valid_behind, header << " " << zeros);
    }
  }
}

BOOST_AUTO_TEST_CASE(sectors_missing_from_the_last_record_are_a_torn_tail) {
  constexpr std::size_t sector = 512;
  std::string log = sample_log();
  const std::size_t begin = log.size();
  append_record(log, std::string(100'000, 'L'));
  for (std::size_t hole = begin / sector * sector + sector; hole + sector < log.size();
       hole += 5 * sector) {
    for (const std::size_t kept : {0UL, 100UL, 496UL}) {
      std::string torn = log;
      std::fill_n(torn.begin() + static_cast<std::ptrdiff_t>(hole + kept), sector - kept, '\0');
      BOOST_TEST(!inspect_log(torn).valid_behind, hole << " " << kept);
    }
  }
}

BOOST_AUTO_TEST_CASE(the_end_of_the_sector_that_a_record_begins_in_may_be_missing) {
  constexpr std::size_t sector = 512;
  for (const std::size_t kept : {23UL, 100UL, 496UL}) {
    std::string log;
    append_record(log, std::string(30, 'a'));
    const std::size_t begin = log.size();
    append_record(log, std::string(1'000, 'L'));
    append_record(log, "a later commit");
    const std::size_t hole = std::max(begin, kept);
    std::fill(log.begin() + static_cast<std::ptrdiff_t>(hole),
              log.begin() + static_cast<std::ptrdiff_t>(sector), '\0');
    const auto report = inspect_log(log);
    BOOST_TEST(report.valid_bytes == begin, kept);
    BOOST_TEST(report.torn, kept);
    BOOST_TEST(report.valid_behind, kept);
  }
}

BOOST_AUTO_TEST_CASE(a_header_in_two_sectors_may_have_its_second_part_alone) {
  constexpr std::size_t sector = 512, header = 7;
  for (std::size_t missing = 1; missing < header; ++missing) {
    std::string log;
    append_record(log, std::string(sector - missing - header, 'a'));
    const std::size_t begin = log.size();
    BOOST_REQUIRE(begin == sector - missing);
    append_record(log, std::string(1'000, 'L'));
    append_record(log, "a later commit");
    std::fill_n(log.begin() + static_cast<std::ptrdiff_t>(begin), missing, '\0');
    const auto report = inspect_log(log);
    BOOST_TEST(report.valid_bytes == begin, missing);
    BOOST_TEST(report.torn, missing);
  }
}

BOOST_AUTO_TEST_CASE(records_that_are_no_commit_do_not_make_damage_of_a_torn_one) {
  const std::string other = noted("a trim", 7, 0);
  const std::string later = noted("a commit", 7, 42);
  std::string log = sample_log();
  append_record(log, noted("before", 7, 40));
  const std::size_t begin = log.size();
  append_record(log, noted(std::string(500, 'L'), 7, 41));
  log[begin + 100] = 'l';
  append_record(log, other);
  const auto torn = inspect_log(log);
  BOOST_TEST(torn.damaged);
  BOOST_TEST(!torn.valid_behind);
  BOOST_TEST(torn.notes.last == 40U);
  append_record(log, later);
  BOOST_TEST(inspect_log(log).valid_behind);
  BOOST_TEST(inspect_log(log).last_behind == 42U);
}

BOOST_AUTO_TEST_CASE(notes_are_read_wherever_a_block_ends) {
  for (std::size_t left = 0; left < 120; ++left) {
    std::string log;
    append_record(log, noted("first", 9, 3));
    append_record(log, std::string(block - log.size() - 7 - left, 'x'));
    append_record(log, noted("last", 9, 4));
    const auto notes = inspect_log(log).notes;
    BOOST_TEST(notes.database == 9U);
    BOOST_TEST(notes.first == 3U);
    BOOST_TEST(notes.last == 4U, left);
  }
}

BOOST_AUTO_TEST_CASE(a_flipped_bit_within_the_last_record_is_no_torn_tail) {
  std::string log = sample_log();
  const std::size_t begin = log.size();
  append_record(log, std::string(100'000, 'L'));
  // After the last fragment there are no bytes that could show the damage.
  for (std::size_t i = begin; i < log.size() / block * block; i += 1'013) {
    std::string damaged = log;
    damaged[i] = static_cast<char>(damaged[i] ^ 4);
    BOOST_TEST(inspect_log(damaged).valid_behind, i);
  }
}

BOOST_AUTO_TEST_SUITE_END()
