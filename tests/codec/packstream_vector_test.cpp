#include "codec/packstream_vector.hpp"

#include <boost/test/unit_test.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

using namespace cairn::codec;
using Floats = std::vector<float>;

namespace {

/// The bytes of a number, the highest first.
template <class Number>
std::string big_endian(Number number) {
  std::uint64_t bits = 0;
  if constexpr (std::is_same_v<Number, double>)
    bits = std::bit_cast<std::uint64_t>(number);
  else if constexpr (std::is_same_v<Number, float>)
    bits = std::bit_cast<std::uint32_t>(number);
  else
    bits = static_cast<std::uint64_t>(number);
  std::string bytes;
  for (std::size_t i = sizeof(Number); i > 0; --i)
    bytes += static_cast<char>(bits >> (8 * (i - 1)));
  return bytes;
}

template <class Number>
void check(PackStreamComponent type, const std::vector<Number>& numbers) {
  BOOST_TEST(component_width(type) == sizeof(Number));
  std::string bytes;
  Floats expected;
  for (const Number number : numbers) {
    bytes += big_endian(number);
    expected.push_back(static_cast<float>(number));
  }
  BOOST_TEST((read_components(type, bytes) == expected));
}

template <class Integer>
std::vector<Integer> integers() {
  using Limits = std::numeric_limits<Integer>;
  return {0, 1, -1, 100, -100, Limits::max(), Limits::min()};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(packstream_vector)

BOOST_AUTO_TEST_CASE(components_of_each_type_are_read) {
  check<std::int8_t>(PackStreamComponent::integer_8, integers<std::int8_t>());
  check<std::int16_t>(PackStreamComponent::integer_16, integers<std::int16_t>());
  check<std::int32_t>(PackStreamComponent::integer_32, integers<std::int32_t>());
  check<std::int64_t>(PackStreamComponent::integer_64, integers<std::int64_t>());
  check<float>(PackStreamComponent::float_32, {0.0F, -1.5F, 3.4e38F, 1e-40F});
  check<double>(PackStreamComponent::float_64, {0.0, -1.5, 1.0 / 3, 1e-300});
  check<float>(PackStreamComponent::float_32, {});
}

BOOST_AUTO_TEST_CASE(written_components_are_read_back) {
  const Floats components{0.0F, -0.0F, 1.0F / 3, -2e30F, 5.0F};
  const std::string bytes = component_bytes(components);
  BOOST_TEST(bytes.size() == 4 * components.size());
  BOOST_TEST(std::string_view(bytes).substr(16) == big_endian(5.0F));
  BOOST_TEST((read_components(PackStreamComponent::float_32, bytes) == components));
  BOOST_TEST(component_bytes({}) == "");
}

BOOST_AUTO_TEST_CASE(an_unknown_type_has_no_width) {
  BOOST_TEST(component_width(static_cast<PackStreamComponent>(0)) == 0U);
  BOOST_TEST(component_width(static_cast<PackStreamComponent>(0xc7)) == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
