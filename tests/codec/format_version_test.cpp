#include "codec/format_version.hpp"

#include <boost/test/unit_test.hpp>

using namespace cairn;
using namespace cairn::codec;

BOOST_AUTO_TEST_SUITE(format_version_record)

BOOST_AUTO_TEST_CASE(a_record_reads_back) {
  const FormatRecord record{7, 5, 3};
  BOOST_TEST((*decode_format_record(encode(record)) == record));
}

BOOST_AUTO_TEST_CASE(every_flipped_bit_is_noticed) {
  const std::string bytes = encode(FormatRecord{});
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::string damaged = bytes;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    BOOST_TEST(!decode_format_record(damaged).has_value());
  }
  BOOST_TEST(!decode_format_record(bytes + "x").has_value());
  BOOST_TEST(!decode_format_record("").has_value());
}

BOOST_AUTO_TEST_CASE(this_version_is_supported_and_a_newer_one_is_refused_with_both_numbers) {
  BOOST_TEST(check_supported(FormatRecord{}).has_value());
  const Status status = check_supported({format_version + 1, 0, 0});
  BOOST_TEST((status.error().code == ErrorCode::format_too_new));
  BOOST_TEST(
      status.error().message ==
      "the database has format version 2, this Cairn knows up to 1; open it with a newer Cairn");
}

BOOST_AUTO_TEST_CASE(an_unknown_flag_matters_only_where_it_is_incompatible) {
  BOOST_TEST(check_supported({format_version, ~std::uint64_t{0}, 0}).has_value());
  const Status status = check_supported({format_version, 0, 4});
  BOOST_TEST((status.error().code == ErrorCode::format_too_new));
  BOOST_TEST(
      status.error().message ==
      "the database has incompatible feature flags 4, this Cairn knows only 0; open it with a "
      "newer Cairn");
}

BOOST_AUTO_TEST_CASE(version_zero_was_never_written) {
  BOOST_TEST((check_supported({0, 0, 0}).error().code == ErrorCode::corruption));
}

BOOST_AUTO_TEST_CASE(only_what_is_derived_has_a_layout_of_its_own) {
  BOOST_TEST(layout_version("index").value() == 1U);
  BOOST_TEST(layout_version("vector_segment").value() == 4U);
  BOOST_TEST(!layout_version("nodes").has_value());
  BOOST_TEST(!layout_version("vectors").has_value());
}

BOOST_AUTO_TEST_SUITE_END()
