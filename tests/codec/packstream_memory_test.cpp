// What hostile messages take before they are refused. A program of its own: it replaces operator new.
#include "codec/byte_io.hpp"
#include "codec/packstream_values.hpp"
#include "tests/support/counted_memory.hpp"

#include <boost/test/unit_test.hpp>

#include <optional>

using namespace cairn;
using namespace cairn::codec;
using namespace std::string_literals;

namespace {

Result<std::int32_t> no_zone(std::string_view, std::int64_t) {
  return Error{ErrorCode::invalid_argument, "unknown zone", std::nullopt};
}

struct Measured {
  std::optional<ErrorCode> refusal;
  std::size_t peak = 0;
};

Measured measure(const std::string& bytes, const PackStreamLimits& limits = {}) {
  PackStreamReader reader(bytes);
  const test::MemoryPeak peak;
  const auto value = read_value(reader, limits, no_zone);
  if (value.has_value()) return {std::nullopt, peak.bytes()};
  return {value.error().code, peak.bytes()};
}

/// A marker with a size of four bytes.
std::string announced(char marker, std::uint32_t size) {
  std::string bytes(1, marker);
  append_big(bytes, size);
  return bytes;
}

constexpr std::size_t little = 20'000;

}  // namespace

BOOST_AUTO_TEST_SUITE(packstream_memory)

BOOST_AUTO_TEST_CASE(sizes_that_are_only_announced_take_nothing) {
  for (const char marker : {'\xce', '\xd2', '\xd6', '\xda'})
    for (const std::uint32_t size : {1U << 30, 4'294'967'295U}) {
      const Measured measured = measure(announced(marker, size) + std::string(1'000, '\x01'));
      BOOST_TEST((measured.refusal == ErrorCode::invalid_argument));
      BOOST_TEST(measured.peak < little);
    }
}

BOOST_AUTO_TEST_CASE(ten_thousand_levels_are_refused_on_the_way) {
  for (const std::string& level : {"\x91"s,
                                   "\xa1\x81"
                                   "a"s}) {
    std::string bytes;
    for (int i = 0; i < 10'000; ++i) bytes += level;
    const Measured measured = measure(bytes + "\x01");
    BOOST_TEST((measured.refusal == ErrorCode::resource_limit));
    BOOST_TEST(measured.peak < 2 * little);
  }
}

// Each level announces as many items as there are bytes left: a megabyte at each of 127 levels.
BOOST_AUTO_TEST_CASE(lists_that_announce_all_that_is_left_stay_within_the_limit) {
  constexpr std::uint32_t bytes_left = 1'000'000;
  std::string bytes;
  for (std::uint32_t level = 1; level < 128; ++level)
    bytes += announced('\xd6', bytes_left - 5 * level);
  bytes.resize(bytes_left, '\x01');
  const Measured measured = measure(bytes);
  BOOST_TEST((measured.refusal == ErrorCode::resource_limit));
  BOOST_TEST(measured.peak < PackStreamLimits().memory_bytes + little);
}

BOOST_AUTO_TEST_CASE(many_small_values_stay_within_the_limit) {
  PackStreamLimits limits;
  limits.memory_bytes = std::size_t{4} << 20;
  const std::size_t most_peak = limits.memory_bytes * 5 / 4;  // what malloc adds to each
  const std::string nulls = announced('\xd6', 1'000'000) + std::string(1'000'000, '\xc0');
  std::string lists = "\xd5\xff\xff";
  std::string maps = lists;
  for (int i = 0; i < 65'535; ++i) lists += "\x91\xc0";
  for (int i = 0; i < 65'535; ++i)
    maps +=
        "\xa1\x81"
        "a\xc0";
  std::string entries = announced('\xda', 65'535);
  for (int i = 0; i < 65'535; ++i) entries += "\x86" + std::to_string(100'000 + i) + "\xc0";
  for (const std::string& bytes : {nulls, lists, maps, entries}) {
    const Measured measured = measure(bytes, limits);
    BOOST_TEST((measured.refusal == ErrorCode::resource_limit));
    BOOST_TEST(measured.peak < most_peak);
  }
  BOOST_TEST(!measure(nulls).refusal.has_value());
}

BOOST_AUTO_TEST_CASE(a_text_is_paid_for_before_it_is_copied) {
  PackStreamLimits limits;
  limits.memory_bytes = 100'000;
  const Measured measured =
      measure(announced('\xd2', 1'000'000) + std::string(1'000'000, 'x'), limits);
  BOOST_TEST((measured.refusal == ErrorCode::resource_limit));
  BOOST_TEST(measured.peak < little);
}

BOOST_AUTO_TEST_SUITE_END()
