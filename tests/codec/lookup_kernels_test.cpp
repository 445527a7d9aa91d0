#include "codec/lookup_kernels.hpp"

#include "tests/codec/on_each_target.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace kernels = cairn::codec::kernels;
using cairn::test::on_each_target;

namespace {

constexpr unsigned seed = 83;

std::uint16_t half_of(float value) {
  return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16);
}

struct Sample {
  Sample(std::size_t block_lines, std::size_t block_count, int most)
      : lines(block_lines), blocks(block_count) {
    std::mt19937 random(seed);
    codes.resize(blocks * lines * kernels::lookup_block);
    for (auto& byte : codes) byte = static_cast<std::uint8_t>(random());
    tables.resize(2 * lines * kernels::lookup_table_bytes);
    for (auto& value : tables)
      value = static_cast<std::uint8_t>(most - static_cast<int>(random() % 3));
    factors.assign(blocks * kernels::lookup_block, half_of(1));
  }
  [[nodiscard]] kernels::LookupBlocks view() const {
    return {codes.data(), lines, tables.data(), codes.data()};
  }
  [[nodiscard]] kernels::LookupScale scale() const {
    kernels::LookupScale plain;
    plain.factors = factors.data();
    return plain;
  }

  [[nodiscard]] float scalar(std::size_t vector) const {
    std::uint32_t sum = 0;
    const std::uint8_t* block =
        &codes[vector / kernels::lookup_block * lines * kernels::lookup_block];
    for (std::size_t line = 0; line < lines; ++line) {
      const unsigned both = block[line * kernels::lookup_block +
                                  kernels::lookup_byte(vector % kernels::lookup_block)];
      sum += tables[(2 * line) * kernels::lookup_table_bytes + (both & 15)];
      sum += tables[(2 * line + 1) * kernels::lookup_table_bytes + (both >> 4)];
    }
    return static_cast<float>(sum);
  }

  std::size_t lines, blocks;
  std::vector<std::uint8_t> codes, tables;
  std::vector<std::uint16_t> factors;  // upper halves of floats
};

/// Rows of one vector each, which are requested in any order.
struct RowSample {
  static constexpr std::size_t count = 200;

  explicit RowSample(std::size_t code_bytes)
      : bytes(code_bytes), pieces((bytes + 4 + kernels::lookup_piece - 1) / kernels::lookup_piece) {
    std::mt19937 random(seed);
    rows.resize(count * stride());
    for (auto& byte : rows) byte = static_cast<std::uint8_t>(random());
    tables.resize(2 * bytes * kernels::lookup_table_bytes);
    for (auto& value : tables)
      value = static_cast<std::uint8_t>(kernels::most_lookup_value - random() % 3);
    for (int i = 0; i < 150; ++i) asked.push_back(static_cast<std::uint32_t>(random() % count));
    for (std::uint32_t row = 0; row < count; ++row) {
      put_half((row + 1) * stride() - 2, factor(row));
      put_half((row + 1) * stride() - 4, loss(row));
    }
  }
  static float factor(std::uint32_t row) { return std::ldexp(1.0F, static_cast<int>(row % 5)); }
  static float loss(std::uint32_t row) { return std::ldexp(1.0F, static_cast<int>(row % 7)); }

  [[nodiscard]] std::size_t stride() const { return pieces * kernels::lookup_piece; }
  [[nodiscard]] kernels::LookupRows view() const {
    return {rows.data(), pieces, bytes, tables.data()};
  }
  [[nodiscard]] float sum(std::uint32_t row) const {
    std::uint32_t sum = 0;
    for (std::size_t b = 0; b < bytes; ++b) {
      const unsigned both = rows[row * stride() + b];
      sum += tables[2 * b * kernels::lookup_table_bytes + (both & 15)];
      sum += tables[(2 * b + 1) * kernels::lookup_table_bytes + (both >> 4)];
    }
    return static_cast<float>(sum);
  }
  void put_half(std::size_t at, float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    rows[at] = static_cast<std::uint8_t>(bits >> 16);
    rows[at + 1] = static_cast<std::uint8_t>(bits >> 24);
  }

  std::size_t bytes, pieces;
  std::vector<std::uint8_t> rows, tables;
  std::vector<std::uint32_t> asked;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(lookup_kernels)

// 513 lines and more do not fit one sum of 16 bits, 1,025 neither two.
BOOST_AUTO_TEST_CASE(every_instruction_set_gives_the_scalar_sums_bit_for_bit) {
  for (const std::size_t lines : std::vector<std::size_t>{1, 2, 7, 25, 512, 513, 1'025}) {
    const Sample sample(lines, 3, kernels::most_lookup_value);
    std::vector<float> wanted, found(2 * kernels::lookup_block);
    for (std::size_t i = kernels::lookup_block; i < 3 * kernels::lookup_block; ++i)
      wanted.push_back(sample.scalar(i));
    on_each_target([&](const char* target) {
      kernels::score_blocks(sample.view(), 1, 2, sample.scale(), found.data());
      BOOST_TEST(found == wanted, target << ", " << lines << " lines, seed " << seed);
    });
  }
}

BOOST_AUTO_TEST_CASE(tables_of_signs_are_those_of_scalar_code_bit_for_bit) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal(0, 25);  // some tables are wider than their values
  std::vector<float> weights(4 * 27);
  for (float& weight : weights) weight = random() % 5 == 0 ? 0 : normal(random);
  std::vector<std::uint8_t> wanted;
  for (std::size_t table = 0; table < weights.size() / 4; ++table)
    for (unsigned code = 0; code < kernels::lookup_table_bytes; ++code) {
      float sum = 0.5F;
      for (std::size_t t = 0; t < 4; ++t) sum += std::max(-weights[4 * table + t], 0.0F);
      for (std::size_t t = 0; t < 4; ++t)
        if ((code >> t & 1) != 0) sum += weights[4 * table + t];
      wanted.push_back(
          static_cast<std::uint8_t>(std::clamp(sum, 0.0F, float{kernels::most_lookup_value})));
    }
  BOOST_TEST(std::ranges::count(wanted, kernels::most_lookup_value) > 0);
  on_each_target([&](const char* target) {
    std::vector<std::uint8_t> found(wanted.size() + 1, 255);
    kernels::fill_binary_tables(weights.data(), weights.size() / 4, found.data());
    BOOST_TEST(found.back() == 255, target << " writes beyond");
    found.pop_back();
    BOOST_TEST(found == wanted, target << ", seed " << seed);
  });
}

BOOST_AUTO_TEST_CASE(a_score_is_made_of_base_factor_and_loss) {
  Sample sample(3, 2, 40);
  std::vector<float> losses(2 * kernels::lookup_block), found(2 * kernels::lookup_block);
  for (std::size_t i = 0; i < losses.size(); ++i) {
    sample.factors[i] = half_of(0.25F * static_cast<float>(i));  // of seven bits: nothing is lost
    losses[i] = 2.0F * static_cast<float>(i % 7);
  }
  kernels::LookupScale scale = sample.scale();
  scale.base = 5;
  scale.unit = 0.5F;
  scale.offset = -3;
  scale.loss_unit = 4;
  scale.losses = losses.data();
  on_each_target([&](const char* target) {
    kernels::score_blocks(sample.view(), 0, 2, scale, found.data());
    for (std::size_t i = 0; i < found.size(); ++i) {
      const float wanted =
          5 + 0.25F * static_cast<float>(i) * (0.5F * sample.scalar(i) - 3) - 4 * losses[i];
      BOOST_TEST(std::abs(found[i] - wanted) <= 1e-4F * std::max(1.0F, std::abs(wanted)), target);
    }
  });
}

// Factors and losses are powers of two, and all other numbers are integers, so that every result is
// exact.
BOOST_AUTO_TEST_CASE(rows_that_lie_apart_have_the_scores_of_their_codes) {
  for (const std::size_t bytes : std::vector<std::size_t>{1, 12, 13, 14, 17, 48, 512}) {
    const RowSample sample(bytes);
    for (const float loss_unit : {0.0F, 4.0F}) {
      kernels::LookupScale scale;
      scale.base = 5;
      scale.unit = 0.5F;
      scale.offset = -3;
      scale.loss_unit = loss_unit;
      std::vector<float> wanted, found(sample.asked.size());
      for (const std::uint32_t row : sample.asked)
        wanted.push_back(5 + RowSample::factor(row) * (0.5F * sample.sum(row) - 3) -
                         loss_unit * RowSample::loss(row));
      on_each_target([&](const char* target) {
        kernels::score_lookup_rows(sample.view(), sample.asked.data(), sample.asked.size(), scale,
                                   found.data());
        BOOST_TEST(found == wanted, target << ", " << bytes << " bytes, seed " << seed);
      });
    }
  }
}

BOOST_AUTO_TEST_CASE(places_above_a_bound_are_all_and_only_those) {
  std::mt19937_64 random(seed);
  const std::vector<std::uint64_t> some = {random(), random(), random(), random()};
  for (const std::size_t count : std::vector<std::size_t>{0, 1, 15, 16, 17, 64, 250, 256}) {
    std::vector<float> scores(count);
    for (float& score : scores) score = static_cast<float>(random() % 100);
    for (const float bound :
         {-1.0F, 50.0F, 98.0F, 99.0F, -std::numeric_limits<float>::infinity()}) {
      for (const std::uint64_t* among : {static_cast<const std::uint64_t*>(nullptr), some.data()}) {
        std::vector<std::uint32_t> wanted;
        for (std::uint32_t i = 0; i < count; ++i)
          if (scores[i] > bound && (among == nullptr || (among[i / 64] >> i % 64 & 1) != 0))
            wanted.push_back(i);
        on_each_target([&](const char* target) {
          std::vector<std::uint32_t> found(count + 16);
          found.resize(kernels::places_above(scores.data(), count, bound, found.data(), among));
          BOOST_TEST(found == wanted, target << ", " << count << " scores, seed " << seed);
        });
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
