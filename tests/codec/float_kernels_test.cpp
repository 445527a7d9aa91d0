#include "codec/float_kernels.hpp"

#include "tests/codec/on_each_target.hpp"

#include <boost/test/unit_test.hpp>

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

// Whole numbers, so that sums are exact in any order.
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
