#include "codec/float_kernels.hpp"

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

using Floats = std::vector<float>;

Floats random_floats(std::mt19937& random, std::size_t size) {
  std::normal_distribution<float> normal;
  Floats floats(size);
  for (float& value : floats) value = normal(random);
  return floats;
}

kernels::PreciseSums scalar_sums(const Floats& a, const Floats& b) {
  kernels::PreciseSums sums;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double x = a[i], y = b[i];
    sums.dot += x * y;
    sums.squared_b += y * y;
    sums.squared_difference += (x - y) * (x - y);
  }
  return sums;
}

// Around every vector length, and the dimensions of real embeddings.
std::vector<std::size_t> sizes() {
  std::vector<std::size_t> sizes;
  for (std::size_t size = 1; size <= 130; ++size) sizes.push_back(size);
  for (const std::size_t size : {256u, 384u, 768u, 1'001u, 1'536u, 4'096u}) sizes.push_back(size);
  return sizes;
}

/// Calls `check(a, b)` with random arrays of every size.
template <class Check>
void on_random_arrays(Check&& check) {
  constexpr std::uint32_t seed = 11;
  cairn::test::on_each_target([&](const char* target) {
    BOOST_TEST_INFO_SCOPE("target " << target);
    std::mt19937 random(seed);
    for (const std::size_t size : sizes()) BOOST_TEST_CONTEXT("seed " << seed << ", size " << size)
    check(random_floats(random, size), random_floats(random, size));
  });
}

// Rounding errors grow with the size at most, and with the length of the arrays.
double bound(const Floats& a, const Floats& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (std::abs(a[i]) + 1) * (std::abs(b[i]) + 1);
  return 1e-6 * sum;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(float_kernels)

BOOST_AUTO_TEST_CASE(the_negated_dot_product_is_that_of_scalar_code) {
  on_random_arrays([](const Floats& a, const Floats& b) {
    const float found = kernels::negated_dot_kernels().pair(a.data(), b.data(), a.size());
    BOOST_TEST(std::abs(found + scalar_sums(a, b).dot) <= bound(a, b));
  });
}

BOOST_AUTO_TEST_CASE(the_squared_difference_is_that_of_scalar_code) {
  on_random_arrays([](const Floats& a, const Floats& b) {
    const float found = kernels::squared_difference_kernels().pair(a.data(), b.data(), a.size());
    BOOST_TEST(std::abs(found - scalar_sums(a, b).squared_difference) <= bound(a, b));
  });
}

BOOST_AUTO_TEST_CASE(precise_sums_are_those_of_scalar_code) {
  on_random_arrays([](const Floats& a, const Floats& b) {
    const auto found = kernels::precise_sums(a.data(), b.data(), a.size());
    const auto expected = scalar_sums(a, b);
    const double most = 1e-8 * bound(a, b);
    BOOST_TEST(std::abs(found.dot - expected.dot) <= most);
    BOOST_TEST(std::abs(found.squared_b - expected.squared_b) <= most);
    BOOST_TEST(std::abs(found.squared_difference - expected.squared_difference) <= most);
  });
}

BOOST_AUTO_TEST_CASE(rows_give_the_same_bits_as_pairs) {
  on_random_arrays([](const Floats& a, const Floats& b) {
    const std::vector<const float*> rows = {b.data(), a.data(), b.data()};
    for (const auto& kernel :
         {kernels::negated_dot_kernels(), kernels::squared_difference_kernels()}) {
      Floats found(rows.size());
      kernel.rows(a.data(), rows.data(), rows.size(), a.size(), found.data());
      for (std::size_t i = 0; i < rows.size(); ++i)
        BOOST_TEST(found[i] == kernel.pair(a.data(), rows[i], a.size()));
    }
  });
}

BOOST_AUTO_TEST_CASE(rows_may_begin_at_any_float) {
  const Floats memory(64, 2.0f), query(9, 1.0f);
  const std::vector<const float*> rows = {&memory[1], &memory[18], &memory[55]};
  Floats found(rows.size());
  kernels::negated_dot_kernels().rows(query.data(), rows.data(), rows.size(), 9, found.data());
  BOOST_TEST(found == Floats(3, -18.0f));
}

// The components are integers, so that sums are exact in any order.
BOOST_AUTO_TEST_CASE(rows_in_blocks_have_the_products_of_their_components) {
  std::mt19937 random(12);
  const auto number = [&] { return static_cast<float>(random() % 100) - 50; };
  constexpr std::size_t rows = 3 * kernels::dot_block;
  for (const std::size_t size : std::vector<std::size_t>{1, 7, 100}) {
    Floats columns(rows * size), query(size), wanted(rows), found(rows);
    for (float& component : query) component = number();
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t j = 0; j < size; ++j) {
        columns[kernels::dot_place(row, j, size)] = number();
        wanted[row] += query[j] * columns[kernels::dot_place(row, j, size)];
      }
    cairn::test::on_each_target([&](const char* target) {
      kernels::dot_blocks(query.data(), columns.data(), 3, size, found.data());
      BOOST_TEST(found == wanted, target << ", size " << size);
    });
  }
}

BOOST_AUTO_TEST_SUITE_END()

// M0: vectors of 16-bit components; compares each instruction set with plain arithmetic, bit by
// bit.

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

/// Returns every 16-bit float, the midpoints between two of them, their neighbours, floats of every
/// magnitude, and random floats.
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

// Nothing outside of the arrays is changed, whatever remains after the last full vector register.
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
