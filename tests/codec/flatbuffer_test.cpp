#include "codec/flatbuffer.hpp"

#include "codec/schema/record_generated.h"

#include <boost/test/unit_test.hpp>

#include <string>

using namespace cairn::codec;

namespace {

std::string sample() {
  flatbuffers::FlatBufferBuilder builder;
  builder.Finish(fb::CreateRelationship(builder, 1, 2, 3));
  return std::string(reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(flatbuffer)

BOOST_AUTO_TEST_CASE(bytes_at_any_address_become_aligned) {
  for (std::size_t size : {0U, 1U, 1'000U, 1'001U, 50'000U}) {
    const std::string padded(size + 8, 'x');
    for (std::size_t shift = 0; shift < 8; ++shift) {
      const std::string_view bytes = std::string_view(padded).substr(shift, size);
      const AlignedBytes aligned(bytes);
      BOOST_TEST(reinterpret_cast<std::uintptr_t>(aligned.data()) % 8 == 0U);
      BOOST_TEST(aligned.size() == size);
      BOOST_TEST(std::string_view(reinterpret_cast<const char*>(aligned.data()), size) == bytes);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_sound_table_is_given_out) {
  const std::string bytes = "x" + sample();
  const AlignedBytes aligned(std::string_view(bytes).substr(1));
  const auto* table = verified<fb::Relationship>(aligned, {1, 1});
  BOOST_REQUIRE(table != nullptr);
  BOOST_TEST(table->target() == 3U);
}

BOOST_AUTO_TEST_CASE(malformed_bytes_give_no_table) {
  const std::string bytes = sample();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const AlignedBytes aligned(std::string_view(bytes).substr(0, size));
    BOOST_TEST(verified<fb::Relationship>(aligned, {1, 1}) == nullptr);
  }
}

BOOST_AUTO_TEST_CASE(the_limits_are_kept) {
  flatbuffers::FlatBufferBuilder builder;
  const auto values = fb::CreateValues(builder);
  builder.Finish(fb::CreateRelationship(builder, 1, 2, 3, 0, values));
  const std::string bytes(reinterpret_cast<const char*>(builder.GetBufferPointer()),
                          builder.GetSize());
  const AlignedBytes aligned(bytes);
  BOOST_TEST(verified<fb::Relationship>(aligned, {2, 2}) != nullptr);
  BOOST_TEST(verified<fb::Relationship>(aligned, {1, 2}) == nullptr);
  BOOST_TEST(verified<fb::Relationship>(aligned, {2, 1}) == nullptr);
}

BOOST_AUTO_TEST_SUITE_END()
