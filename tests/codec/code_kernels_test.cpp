#include "codec/code_kernels.hpp"

#include "tests/codec/on_each_target.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace kernels = cairn::codec::kernels;

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

BOOST_AUTO_TEST_SUITE(code_kernels)

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

BOOST_AUTO_TEST_SUITE_END()
