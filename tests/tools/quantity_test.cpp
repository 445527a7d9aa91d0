#include "tools/text/quantity.hpp"

#include "tests/support/value_generator.hpp"

#include <boost/test/unit_test.hpp>

using namespace cairn::tools;

BOOST_AUTO_TEST_SUITE(quantity)

BOOST_AUTO_TEST_CASE(times_are_read_with_their_unit) {
  BOOST_TEST(parse_duration("500ms").value().count() == 500);
  BOOST_TEST(parse_duration("5s").value().count() == 5'000);
  BOOST_TEST(parse_duration("2m").value().count() == 120'000);
  BOOST_TEST(parse_duration("1.5 H").value().count() == 5'400'000);
  BOOST_TEST(parse_duration("2min").value().count() == 120'000);
  BOOST_TEST(parse_duration("2w").value().count() == 14 * 86'400'000LL);
  BOOST_TEST(parse_duration("PT2M").value().count() == 120'000);
  BOOST_TEST(parse_duration("P1DT12H").value().count() == 129'600'000);
  for (const char* text : {"", "5", "s", "-5s", "0s", "0.1ms", "5 parsecs", "5s6", "1e3s", "nan s",
                           "inf s", "99999999999d", "P", "PT0S", "P-1D", "P1001Y"}) {
    const auto refused = parse_duration(text);
    BOOST_REQUIRE_MESSAGE(!refused.has_value(), text);
    BOOST_TEST(refused.error().message ==
               "expected a time such as 500ms, 5s, 2m or 1.5h, got " + std::string(text));
  }
}

BOOST_AUTO_TEST_CASE(sizes_are_read_with_their_unit) {
  BOOST_TEST(parse_size("1000B").value() == 1'000U);
  BOOST_TEST(parse_size("64MiB").value() == std::uint64_t{64} << 20);
  BOOST_TEST(parse_size("64mib").value() == std::uint64_t{64} << 20);
  BOOST_TEST(parse_size("1.5GiB").value() == std::uint64_t{3} << 29);
  BOOST_TEST(parse_size("2 MB").value() == 2'000'000U);
  for (const char* text : {"", "64", "MiB", "-1B", "0B", "64M", "9999999TiB"})
    BOOST_TEST(!parse_size(text).has_value(), text);
}

BOOST_AUTO_TEST_CASE(what_is_written_is_read_back) {
  BOOST_TEST(duration_text(std::chrono::milliseconds{30'000}) == "30s");
  BOOST_TEST(duration_text(std::chrono::milliseconds{1'500}) == "1500ms");
  BOOST_TEST(byte_text(std::uint64_t{256} << 20) == "256MiB");
  BOOST_TEST(byte_text(1'000) == "1000B");
  const std::uint64_t seed = cairn::test::test_seed();
  cairn::test::ValueGenerator random(seed);
  for (int i = 0; i < 1'000; ++i) {
    const std::uint64_t count = 1 + (random.number() >> (24 + random.below(40)));
    BOOST_TEST_CONTEXT("seed " << seed << ", " << count) {
      BOOST_TEST(parse_size(byte_text(count)).value() == count);
      const auto time = static_cast<std::int64_t>(1 + count % 1'000'000'000'000);
      BOOST_TEST(parse_duration(duration_text(std::chrono::milliseconds{time})).value().count() ==
                 time);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
