// M0: vectors of 16-bit components; each instruction set beside plain arithmetic, bit by bit.
#include "codec/half_kernels.hpp"

#include "tests/codec/on_each_target.hpp"

#include <boost/test/unit_test.hpp>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace kernels = cairn::codec::kernels;

namespace {

constexpr std::uint16_t beyond_finite = 0x7C00;

/// As the standard defines it.
double value_of(std::uint16_t half) {
  const int exponent = half >> 10 & 31, fraction = half & 1'023;
  const double size =
      exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1'024 + fraction, exponent - 25);
  return half >> 15 != 0 ? -size : size;
}

/// The nearest half, of two as near the even one: by looking at the halves around.
std::uint16_t nearest_half(float value) {
  const double size = std::abs(double{value});
  std::uint16_t low = 0, high = beyond_finite - 1;
  while (high - low > 1) {
    const auto middle = static_cast<std::uint16_t>((low + high) / 2);
    (value_of(middle) <= size ? low : high) = middle;
  }
  const double below = size - value_of(low), above = value_of(high) - size;
  const bool is_high = above < below || (above == below && high % 2 == 0);
  const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000 : 0);
  return static_cast<std::uint16_t>(sign | (is_high ? high : low));
}

std::vector<std::uint16_t> every_finite_half() {
  std::vector<std::uint16_t> halves;
  for (std::uint32_t half = 0; half < 0x10000; ++half)
    if ((half & 0x7FFF) < beyond_finite) halves.push_back(static_cast<std::uint16_t>(half));
  return halves;
}

std::vector<float> floats_of(const std::vector<std::uint16_t>& halves, float times) {
  std::vector<float> floats(halves.size());
  kernels::from_halves(halves.data(), halves.size(), times, floats.data());
  return floats;
}

/// On every half, half way between two, and beside these; of every size; and whatever is drawn.
std::vector<float> telling_floats() {
  std::vector<float> floats = {0.0F, -0.0F, 1e-45F, -1e-45F, 1e-38F, 65'519.99F, 5.9e-8F, 2.9e-8F};
  for (const std::uint16_t half : every_finite_half()) {
    if ((half & 0x7FFF) >= beyond_finite - 1) continue;
    const double middle = (value_of(half) + value_of(static_cast<std::uint16_t>(half + 1))) / 2;
    const auto between = static_cast<float>(middle);
    floats.insert(floats.end(), {static_cast<float>(value_of(half)), between,
                                 std::nextafter(between, 0.0F), std::nextafter(between, 1e6F)});
  }
  std::mt19937 random(31);
  for (int i = 0; i < 20'000; ++i) {
    const auto drawn = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (std::abs(drawn) < 65'520) floats.push_back(drawn);
  }
  return floats;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(half_kernels)

BOOST_AUTO_TEST_CASE(every_half_is_read_as_the_standard_has_it) {
  const auto halves = every_finite_half();
  cairn::test::on_each_target([&](const char* target) {
    for (const float times : {1.0F, 0.125F, 1'048'576.0F}) {
      const auto floats = floats_of(halves, times);
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < halves.size(); ++i)
        if (std::bit_cast<std::uint32_t>(floats[i]) !=
            std::bit_cast<std::uint32_t>(static_cast<float>(value_of(halves[i]) * double{times})))
          ++wrong;
      BOOST_TEST(wrong == 0U, target << ", times " << times);
    }
  });
}

BOOST_AUTO_TEST_CASE(floats_become_the_nearest_half_by_every_instruction_set) {
  const auto floats = telling_floats();
  std::vector<std::uint16_t> wanted;
  for (const float value : floats) wanted.push_back(nearest_half(value));
  cairn::test::on_each_target([&](const char* target) {
    std::vector<std::uint16_t> found(floats.size());
    kernels::to_halves(floats.data(), floats.size(), 1, found.data());
    BOOST_TEST((found == wanted), target);
  });
}

BOOST_AUTO_TEST_CASE(a_factor_scales_before_it_is_rounded) {
  cairn::test::on_each_target([](const char* target) {
    const std::vector<float> values = {3e18F, -1.5e18F, 2e3F};
    const float down = std::ldexp(1.0F, -62), up = std::ldexp(1.0F, 62);
    std::vector<std::uint16_t> halves(values.size());
    kernels::to_halves(values.data(), values.size(), down, halves.data());
    const auto read = floats_of(halves, up);
    BOOST_TEST(std::abs(read[0] - 3e18F) <= 3e18F / 2'048, target);
    BOOST_TEST(std::abs(read[1] + 1.5e18F) <= 1.5e18F / 2'048, target);
    BOOST_TEST(read[2] == 0.0F, target);
  });
}

// Nothing beside the arrays is touched, whatever is left over behind the last whole vector.
BOOST_AUTO_TEST_CASE(arrays_of_every_length_are_converted_whole) {
  cairn::test::on_each_target([](const char* target) {
    for (std::size_t size = 0; size < 70; ++size) {
      std::vector<float> values(size, 1.5F), back(size + 1, 7);
      std::vector<std::uint16_t> halves(size + 1, 9);
      kernels::to_halves(values.data(), size, 1, halves.data());
      kernels::from_halves(halves.data(), size, 2, back.data());
      BOOST_TEST(halves[size] == 9, target);
      BOOST_TEST(back[size] == 7.0F, target);
      for (std::size_t i = 0; i < size; ++i) BOOST_TEST_REQUIRE(back[i] == 3.0F, target);
    }
  });
}

BOOST_AUTO_TEST_SUITE_END()
