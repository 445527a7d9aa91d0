// Each kernel against a plain loop, for every instruction set that this processor has.

#include "codec/id_kernels.hpp"

#include "tests/codec/bitmap_samples.hpp"

#include <boost/test/unit_test.hpp>
#define HWY_WANT_AVX3_DL 1  // as where the kernels are compiled
#include <hwy/targets.h>

#include <bit>
#include <functional>

namespace kernels = cairn::codec::kernels;
using namespace cairn::codec::samples;

namespace {

using Words = std::vector<std::uint64_t>;
using Combine = std::uint32_t (*)(const std::uint64_t*, const std::uint64_t*, std::uint64_t*);
using Word = std::function<std::uint64_t(std::uint64_t, std::uint64_t)>;

template <class Check>
void on_every_target(Check&& check) {
  for (std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    BOOST_TEST_CONTEXT("target " << hwy::TargetName(target)) {
      for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        BOOST_TEST_CONTEXT("seed " << seed) {
          Random random(seed);
          check(random);
        }
      }
    }
  }
  hwy::SetSupportedTargetsForTest(0);
}

// Words of every density, from empty to full.
Words random_words(Random& random) {
  Words words(kernels::words_in_bitmap);
  for (std::uint64_t& word : words) {
    word = random();
    for (std::uint64_t i = below(random, 5); i > 0; --i) word &= random();
    if (below(random, 4) == 0) word = ~word;
  }
  return words;
}

std::uint32_t count(const Words& words) {
  std::uint32_t total = 0;
  for (std::uint64_t word : words) total += static_cast<std::uint32_t>(std::popcount(word));
  return total;
}

void check_combination(Combine kernel, const Word& plain) {
  on_every_target([&](Random& random) {
    Words a = random_words(random);
    const Words b = random_words(random);
    Words expected(kernels::words_in_bitmap);
    for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = plain(a[i], b[i]);
    Words out(kernels::words_in_bitmap);

    BOOST_TEST(kernel(a.data(), b.data(), out.data()) == count(expected));
    BOOST_TEST((out == expected));

    BOOST_TEST(kernel(a.data(), b.data(), a.data()) == count(expected));
    BOOST_TEST((a == expected), "in place");
  });
}

void check_intersection(const Lows& a, const Lows& b) {
  const Lows expected = both(a, b);
  Lows out(std::min(a.size(), b.size()) + kernels::array_slack);
  out.resize(kernels::intersect_arrays(a, b, out.data()));
  BOOST_TEST((out == expected), "arrays of " << a.size() << " and " << b.size());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(id_kernels)

BOOST_AUTO_TEST_CASE(more_than_one_target_is_tested_on_this_processor) {
  BOOST_TEST(hwy::SupportedAndGeneratedTargets().size() > 1);
}

BOOST_AUTO_TEST_CASE(and_of_words_is_that_of_a_plain_loop) {
  check_combination(kernels::and_words, std::bit_and<>{});
}

BOOST_AUTO_TEST_CASE(or_of_words_is_that_of_a_plain_loop) {
  check_combination(kernels::or_words, std::bit_or<>{});
}

BOOST_AUTO_TEST_CASE(and_not_of_words_is_that_of_a_plain_loop) {
  check_combination(kernels::and_not_words, [](auto a, auto b) { return a & ~b; });
}

BOOST_AUTO_TEST_CASE(counting_the_common_bits_is_that_of_a_plain_loop) {
  on_every_target([](Random& random) {
    const Words a = random_words(random);
    const Words b = random_words(random);
    Words common(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) common[i] = a[i] & b[i];
    BOOST_TEST(kernels::count_and_words(a.data(), b.data()) == count(common));
  });
}

BOOST_AUTO_TEST_CASE(listing_words_gives_the_positions_of_their_bits) {
  on_every_target([](Random& random) {
    for (const Lows& values : shapes(random)) {
      Words words(kernels::words_in_bitmap);
      for (std::uint16_t value : values) words[value / 64] |= std::uint64_t{1} << (value % 64);
      Lows out(values.size() + kernels::array_slack);
      out.resize(kernels::list_words(words.data(), out.data()));
      BOOST_TEST((out == values), values.size() << " values");
    }
  });
}

BOOST_AUTO_TEST_CASE(listing_some_words_gives_the_same_positions_further_on) {
  on_every_target([](Random& random) {
    for (const Lows& values : shapes(random)) {
      Words words(kernels::words_in_bitmap);
      for (std::uint16_t value : values) words[value / 64] |= std::uint64_t{1} << (value % 64);
      std::vector<std::uint32_t> wanted, out(values.size() + kernels::array_slack);
      for (std::uint16_t value : values)
        if (value / 64 >= 3 && value / 64 < 1'000) wanted.push_back(value + 500'000U - 192);
      out.resize(kernels::list_bits(words.data() + 3, 997, 500'000, out.data()));
      BOOST_TEST((out == wanted), values.size() << " values");
    }
  });
}

BOOST_AUTO_TEST_CASE(positions_are_kept_by_their_group) {
  on_every_target([](Random& random) {
    constexpr std::size_t count = 37;
    std::vector<std::uint64_t> words(count), out(count);
    for (std::uint64_t& word : words) word = random() & random();
    std::vector<std::uint8_t> bytes(64 * count), bits(64 * count), groups(kernels::group_bytes);
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
    for (std::uint8_t& bit : bits) bit = static_cast<std::uint8_t>(1U << random() % 8);
    for (std::uint8_t& group : groups) group = static_cast<std::uint8_t>(random() & random());
    const std::size_t kept = kernels::keep_groups(words.data(), count, {bytes.data(), bits.data()},
                                                  groups.data(), out.data());
    std::size_t wanted = 0;
    for (std::size_t at = 0; at < 64 * count; ++at) {
      const bool was_there = (words[at / 64] >> at % 64 & 1) != 0;
      const bool is_kept = was_there && (groups[bytes[at]] & bits[at]) != 0;
      BOOST_TEST_REQUIRE(is_kept == ((out[at / 64] >> at % 64 & 1) != 0), "position " << at);
      wanted += is_kept;
    }
    BOOST_TEST(kept == wanted);
  });
}

BOOST_AUTO_TEST_CASE(arrays_are_widened_and_shifted_by_any_number) {
  on_every_target([](Random& random) {
    for (const Lows& values : shapes(random))
      for (const std::uint32_t add : {0U, 70'000U, ~0U - 40}) {
        std::vector<std::uint32_t> wanted, out(values.size());
        for (const std::uint16_t value : values) wanted.push_back(value + add);
        kernels::widen_array(values, add, out.data());
        BOOST_TEST((out == wanted), values.size() << " values");
      }
  });
}

BOOST_AUTO_TEST_CASE(intersecting_arrays_gives_what_both_have) {
  on_every_target([](Random& random) {
    for (const Lows& a : shapes(random))
      for (const Lows& b : shapes(random))
        if (a.size() <= 5'000 && b.size() <= 5'000) check_intersection(a, b);
  });
}

// Blocks have eight or sixteen values, so that lengths around them leave every kind of remainder.
BOOST_AUTO_TEST_CASE(arrays_of_every_short_length_are_intersected) {
  on_every_target([](Random& random) {
    for (std::size_t a = 0; a <= 40; ++a)
      for (std::size_t b = 0; b <= 40; ++b)
        check_intersection(pick(random, a, 0, 60), pick(random, b, 0, 60));
  });
}

BOOST_AUTO_TEST_CASE(an_array_and_itself_have_everything_in_common) {
  on_every_target([](Random& random) {
    const Lows values = pick(random, 1'000 + below(random, 3'000), 0, 65'535);
    check_intersection(values, values);
  });
}

BOOST_AUTO_TEST_SUITE_END()
