#include "codec/packed_numbers.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

using namespace cairn;
using namespace cairn::codec;

namespace {

template <class T>
std::string packed(const std::vector<T>& numbers) {
  std::string bytes;
  append_packed<T>(bytes, numbers);
  return bytes;
}

template <class T>
void check_reads_back(const std::vector<T>& numbers) {
  const std::string bytes = packed(numbers);
  ByteCursor cursor(bytes);
  BOOST_TEST((read_packed<T>(cursor, numbers.size()) == numbers));
  BOOST_TEST(cursor.finished());
}

/// Numbers of so many bits above a base, the least and the greatest among them.
std::vector<std::uint64_t> numbers_of(unsigned bits, std::size_t count, std::uint64_t base) {
  std::mt19937_64 random(bits * 31 + count);
  const std::uint64_t most = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  std::vector<std::uint64_t> numbers;
  for (std::size_t i = 0; i < count; ++i) numbers.push_back(base + (random() & most));
  numbers.front() = base;
  numbers.back() = base + most;
  return numbers;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(packed_numbers)

BOOST_AUTO_TEST_CASE(numbers_of_each_width_read_back) {
  for (unsigned bits = 0; bits <= 64; ++bits)
    for (const std::size_t count : {1U, 7U, 1'024U, 1'025U, 3'000U}) {
      check_reads_back(numbers_of(bits, count, 0));
      if (bits < 64) check_reads_back(numbers_of(bits, count, ~std::uint64_t{0} >> bits >> 1));
    }
  check_reads_back(std::vector<std::uint64_t>{~std::uint64_t{0}, ~std::uint64_t{0} - 2});
}

BOOST_AUTO_TEST_CASE(numbers_of_each_type_read_back) {
  check_reads_back(std::vector<std::uint8_t>{0, 255, 7});
  check_reads_back(std::vector<std::uint16_t>{65'535, 1});
  check_reads_back(std::vector<std::uint32_t>{4'294'967'295, 0, 5});
  check_reads_back(std::vector<std::uint32_t>{});
}

BOOST_AUTO_TEST_CASE(numbers_take_these_bytes) {
  using namespace std::string_literals;
  BOOST_TEST(packed<std::uint32_t>({}).empty());
  BOOST_TEST((packed<std::uint32_t>({300, 300, 300}) == "\xac\x02\0"s));
  // 0, 1, 7 and 2 in three bits each, the first one lowest.
  BOOST_TEST((packed<std::uint32_t>({5, 6, 12, 7}) == "\x05\x03\xc8\x05"s));
  BOOST_TEST((packed<std::uint64_t>({0, ~std::uint64_t{0}}) ==
              "\0\x40\0\0\0\0\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff"s));
}

// Blocks of neighbouring numbers are small, however far apart they are.
BOOST_AUTO_TEST_CASE(each_block_has_its_own_width) {
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t i = 0; i < 64 * 1'024; ++i) numbers.push_back(i / 1'024 * 1'000'000 + i % 2);
  BOOST_TEST(packed(numbers).size() <= 64U * (1'024 / 8 + 6));
}

BOOST_AUTO_TEST_CASE(damage_and_numbers_out_of_range_are_refused) {
  const std::string bytes = packed(numbers_of(20, 2'000, 5));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    ByteCursor cursor(std::string_view(bytes).substr(0, size));
    BOOST_TEST_REQUIRE(read_packed<std::uint64_t>(cursor, 2'000).empty());
    BOOST_TEST_REQUIRE(cursor.failed());
  }
  ByteCursor narrow(bytes);
  BOOST_TEST(read_packed<std::uint16_t>(narrow, 2'000).empty());
  BOOST_TEST(narrow.failed());
  for (const unsigned width : {57U, 63U, 65U, 255U}) {
    std::string wide(66, '\1');
    wide[0] = '\0';
    wide[1] = static_cast<char>(width);
    ByteCursor cursor(wide);
    BOOST_TEST(read_packed<std::uint64_t>(cursor, 2).empty());
    BOOST_TEST(cursor.failed());
  }
}

// A number beyond the file must not take memory for all that are claimed.
BOOST_AUTO_TEST_CASE(a_great_count_takes_no_memory_without_bytes) {
  ByteCursor cursor("");
  BOOST_TEST(read_packed<std::uint64_t>(cursor, std::numeric_limits<std::size_t>::max()).empty());
  BOOST_TEST(cursor.failed());
}

BOOST_AUTO_TEST_SUITE_END()
