#include "codec/code_kernels.hpp"

#include "tests/codec/on_each_target.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <vector>

namespace kernels = cairn::codec::kernels;

BOOST_AUTO_TEST_SUITE(code_kernels)

namespace {

struct Sample {
  Sample(std::mt19937& random, std::size_t record_lines, std::size_t rows)
      : lines(record_lines), codes(rows * lines * kernels::code_line_bytes) {
    for (auto& byte : codes) byte = static_cast<std::uint8_t>(random());
    for (std::size_t i = 0; i < lines * kernels::code_line_components; ++i)
      weights.push_back(static_cast<std::int8_t>(static_cast<int>(random() % 255) - 127));
  }
  [[nodiscard]] kernels::CodedRows view() const { return {codes.data(), lines, weights.data()}; }

  [[nodiscard]] std::int32_t scalar(std::size_t row) const {
    std::int32_t sum = 0;
    for (std::size_t line = 0; line < lines; ++line) {
      for (std::size_t i = 0; i < kernels::code_line_bytes; ++i) {
        const int byte = codes[(row * lines + line) * kernels::code_line_bytes + i];
        const auto* at = weights.data() + line * kernels::code_line_components;
        sum += (byte & 15) * at[i] + (byte >> 4) * at[i + kernels::code_line_bytes];
      }
    }
    return sum;
  }

  std::size_t lines;
  std::vector<std::uint8_t> codes;
  std::vector<std::int8_t> weights;
};

constexpr unsigned seed = 81;

}  // namespace

BOOST_AUTO_TEST_CASE(every_instruction_set_gives_the_scalar_scores_bit_for_bit) {
  cairn::test::on_each_target([](const char* target) {
    std::mt19937 random(seed);
    for (const std::size_t lines : {1U, 2U, 3U, 6U, 32U}) {
      for (const std::size_t rows : {1U, 3U, 15U, 16U, 17U, 64U, 101U}) {
        const Sample sample(random, lines, rows);
        std::vector<std::uint32_t> order;
        for (std::uint32_t i = 0; i < rows; ++i)
          order.push_back(static_cast<std::uint32_t>(random() % rows));
        std::vector<std::int32_t> range(rows), gathered(rows);
        kernels::score_range(sample.view(), 0, rows, range.data());
        kernels::score_rows(sample.view(), order.data(), rows, gathered.data());
        for (std::size_t i = 0; i < rows; ++i) {
          BOOST_TEST_CONTEXT(target << ", " << lines << " lines, seed " << seed) {
            BOOST_TEST_REQUIRE(range[i] == sample.scalar(i));
            BOOST_TEST_REQUIRE(gathered[i] == sample.scalar(order[i]));
          }
        }
      }
    }
  });
}

BOOST_AUTO_TEST_CASE(the_largest_sums_do_not_overflow) {
  cairn::test::on_each_target([](const char* target) {
    for (const int weight : {127, -127}) {
      std::mt19937 random(seed);
      Sample sample(random, 32, 20);
      sample.codes.assign(sample.codes.size(), 0xFF);
      sample.weights.assign(sample.weights.size(), static_cast<std::int8_t>(weight));
      std::vector<std::int32_t> scores(20);
      kernels::score_range(sample.view(), 0, 20, scores.data());
      BOOST_TEST(scores[0] == 4'096 * 15 * weight, target);
      BOOST_TEST(scores[19] == 4'096 * 15 * weight, target);
    }
  });
}

BOOST_AUTO_TEST_CASE(places_above_a_bound_are_all_and_ascending) {
  cairn::test::on_each_target([](const char* target) {
    std::mt19937 random(seed);
    for (std::size_t count = 0; count < 80; ++count) {
      std::vector<std::int32_t> scores(count);
      for (auto& score : scores) score = static_cast<std::int32_t>(random() % 7) - 3;
      for (const std::int32_t bound : {-4, 0, 2, 3, std::numeric_limits<std::int32_t>::min()}) {
        std::vector<std::uint32_t> wanted, found(count + 16);
        for (std::uint32_t i = 0; i < count; ++i)
          if (scores[i] > bound) wanted.push_back(i);
        found.resize(kernels::places_above(scores.data(), count, bound, found.data()));
        BOOST_TEST((found == wanted), target << ", " << count);
      }
    }
  });
}

BOOST_AUTO_TEST_CASE(products_are_rounded_alike_on_every_instruction_set) {
  std::mt19937 random(seed);
  for (const std::size_t count : std::vector<std::size_t>{0, 1, 15, 16, 17, 100, 771}) {
    std::vector<float> a(count), b(count);
    for (float& x : a) x = std::normal_distribution<float>(0, 3)(random);
    for (float& x : b) x = std::uniform_real_distribution<float>(0.01F, 1)(random);
    float greatest = 0;
    for (std::size_t i = 0; i < count; ++i) greatest = std::max(greatest, std::abs(a[i] * b[i]));
    const float times = 127 / std::max(greatest, 1e-6F);
    std::vector<std::int8_t> wanted;
    double squares = 0, errors = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const float number = a[i] * b[i] * times;
      const float whole = std::nearbyint(number);
      wanted.push_back(static_cast<std::int8_t>(whole));
      squares += double{number} * double{number};
      errors += double{number - whole} * double{number - whole};
    }
    cairn::test::on_each_target([&](const char* target) {
      BOOST_TEST(kernels::greatest_product(a.data(), b.data(), count) == greatest, target);
      std::vector<std::int8_t> rounded(count);
      const auto sums = kernels::round_products(a.data(), b.data(), times, count, rounded.data());
      BOOST_TEST((rounded == wanted), target << ", " << count);
      BOOST_TEST(std::abs(double{sums.squares} - squares) <= 1e-5 * squares, target);
      BOOST_TEST(std::abs(double{sums.errors} - errors) <= 1e-4 * errors, target);
    });
  }
}

BOOST_AUTO_TEST_CASE(the_nth_greatest_is_that_of_a_sorted_list) {
  std::mt19937 random(5);
  constexpr std::int32_t least = std::numeric_limits<std::int32_t>::min();
  constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
  for (const std::size_t count : std::vector<std::size_t>{1, 2, 15, 16, 17, 130, 400})
    for (const std::uint32_t values : {1U, 5U, 0U}) {
      std::vector<std::int32_t> scores(count);
      for (auto& score : scores)
        score = static_cast<std::int32_t>(values == 0 ? random() : random() % values);
      if (values == 0) scores[count / 2] = least, scores[0] = most;
      auto sorted = scores;
      std::ranges::sort(sorted, std::greater());
      cairn::test::on_each_target([&](const char* target) {
        for (const std::size_t nth : {std::size_t{1}, (count + 1) / 2, count})
          BOOST_TEST(kernels::nth_greatest(scores.data(), count, nth) == sorted[nth - 1],
                     target << ", " << nth << " of " << count);
      });
    }
}

BOOST_AUTO_TEST_CASE(the_nth_greatest_float_is_that_of_a_sorted_list) {
  std::mt19937 random(6);
  for (const std::size_t count : std::vector<std::size_t>{1, 17, 128, 256}) {
    std::vector<float> scores(count);
    for (float& score : scores) score = std::normal_distribution<float>(0, 1e10F)(random);
    scores[count / 2] = -std::numeric_limits<float>::infinity();
    scores[count - 1] = count > 1 ? 0.0F : scores[0];
    auto sorted = scores;
    std::ranges::sort(sorted, std::greater());
    cairn::test::on_each_target([&](const char* target) {
      for (std::size_t nth = 1; nth <= count; ++nth)
        BOOST_TEST(kernels::nth_greatest(scores.data(), count, nth) == sorted[nth - 1], target);
    });
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(byte_kernels)

namespace {

constexpr unsigned seed = 87;

using Bytes = std::vector<std::int8_t>;

Bytes make(std::mt19937& random, std::size_t size) {
  Bytes bytes(size);
  for (auto& byte : bytes) byte = static_cast<std::int8_t>(static_cast<int>(random() % 255) - 127);
  return bytes;
}

std::int32_t scalar(const Bytes& a, const Bytes& b) {
  std::int32_t sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

// Each array has its own allocation, so that the address sanitizer detects a read after its end.
BOOST_AUTO_TEST_CASE(every_instruction_set_gives_the_scalar_products_bit_for_bit) {
  cairn::test::on_each_target([](const char* target) {
    std::mt19937 random(seed);
    const auto kernels = kernels::byte_kernels();
    for (const std::size_t size : {4U, 8U, 12U, 28U, 32U, 60U, 64U, 68U, 100U, 384U, 1'036U}) {
      for (const std::size_t count : {1U, 3U, 4U, 7U, 8U, 33U}) {
        const Bytes query = make(random, size);
        std::vector<Bytes> arrays;
        std::vector<const std::int8_t*> rows;
        for (std::size_t i = 0; i < count; ++i) arrays.push_back(make(random, size));
        for (const Bytes& array : arrays) rows.push_back(array.data());
        std::vector<std::int32_t> found(count);
        kernels.rows(query.data(), rows.data(), count, size, found.data());
        for (std::size_t i = 0; i < count; ++i) {
          const std::int32_t wanted = scalar(query, arrays[i]);
          const std::int32_t pair = kernels.pair(query.data(), rows[i], size);
          if (found[i] != wanted || pair != wanted)
            BOOST_ERROR(target << ": size " << size << ", row " << i << " of " << count);
        }
      }
    }
  });
}

BOOST_AUTO_TEST_CASE(the_longest_arrays_do_not_overflow) {
  cairn::test::on_each_target([](const char* target) {
    for (const int sign : {1, -1}) {
      const Bytes a(65'536, 127), b(65'536, static_cast<std::int8_t>(127 * sign));
      const auto found = kernels::byte_kernels().pair(a.data(), b.data(), a.size());
      BOOST_TEST(found == 65'536 * 127 * 127 * sign, target);
    }
  });
}

BOOST_AUTO_TEST_SUITE_END()
