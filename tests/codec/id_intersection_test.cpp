#include "codec/sorted_ids.hpp"
#include "tests/codec/bitmap_samples.hpp"

#include <boost/test/unit_test.hpp>

#include <memory>

using namespace cairn::codec;
using namespace cairn::codec::samples;

namespace {

// Some chunks as runs, where that is smaller.
Bitmap optimized(const Bitmap& set) {
  Bitmap result;
  for (const auto& [key, container] : set.chunks())
    result.append_chunk(key, std::make_shared<const Container>(container->optimized()));
  return result;
}

void expect(const std::vector<Bitmap>& sets, const Ids& expected) {
  const Bitmap made = intersect_all(sets);
  BOOST_TEST((made.to_vector() == expected));
  BOOST_TEST(intersection_cardinality(sets) == expected.size());
  // No chunk is empty: sets rest on that.
  for (const Bitmap::Chunk& chunk : made.chunks()) BOOST_TEST(!chunk.container->empty());
}

// Ids of one chunk, so that every set has something to do with the others.
Bitmap of_chunk(const Lows& lows) { return Bitmap::from_sorted(Ids(lows.begin(), lows.end())); }

}  // namespace

BOOST_AUTO_TEST_SUITE(id_intersection)

BOOST_AUTO_TEST_CASE(what_all_sets_have_is_what_the_library_finds) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      Random random(seed);
      Ids expected = ids(random);
      std::vector<Bitmap> sets = {Bitmap::from_sorted(expected)};
      expect(sets, expected);
      for (std::uint64_t more = 1 + below(random, 4); more > 0; --more) {
        const Ids other = ids(random);
        expected = both(expected, other);
        const Bitmap set = Bitmap::from_sorted(other);
        sets.insert(sets.begin() + static_cast<std::ptrdiff_t>(below(random, sets.size() + 1)),
                    more % 2 == 0 ? optimized(set) : set);
        expect(sets, expected);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(three_containers_of_every_shape) {
  Random random(7);
  const auto a = shapes(random);
  const auto b = shapes(random);
  const auto c = shapes(random);
  std::vector<Bitmap> c_sets;
  for (const Lows& third : c) c_sets.push_back(of_chunk(third));
  for (const Lows& one : a) {
    const Bitmap one_set = of_chunk(one);
    for (const Lows& other : b) {
      const Bitmap other_set = optimized(of_chunk(other));
      const Lows common = both(one, other);
      for (std::size_t i = 0; i < c.size(); ++i) {
        const Lows expected = both(common, c[i]);
        const std::vector<Bitmap> sets = {one_set, other_set, c_sets[i]};
        if (intersect_all(sets) != of_chunk(expected) ||
            intersection_cardinality(sets) != expected.size())
          BOOST_ERROR("sizes " << one.size() << " " << other.size() << " " << c[i].size());
      }
    }
  }
}

// Bitmaps that have little in common become an array of it.
BOOST_AUTO_TEST_CASE(few_of_many_are_listed) {
  for (const std::uint32_t step : {150U, 250U, 256U, 300U, 20'000U}) {
    Lows even, odd, expected;
    for (std::uint32_t value = 0; value < 65'536; ++value) {
      const bool is_common = value % step == step - 1;
      if (is_common) expected.push_back(static_cast<std::uint16_t>(value));
      if (is_common || value % 2 == 0) even.push_back(static_cast<std::uint16_t>(value));
      if (is_common || value % 2 == 1) odd.push_back(static_cast<std::uint16_t>(value));
    }
    const Bitmap one = of_chunk(even);
    const Bitmap other = of_chunk(odd);
    Lows common = both(even, odd);
    BOOST_TEST((intersect_all(std::vector{one, other}) == of_chunk(common)));
    BOOST_TEST((intersect(one, other).to_vector() == Ids(common.begin(), common.end())));
    BOOST_TEST(intersection_cardinality(std::vector{one, other, one}) == common.size());
  }
}

BOOST_AUTO_TEST_CASE(whole_and_equal_sets_are_shared) {
  const Bitmap few = Bitmap::from_sorted(Ids{5, 70'000, 70'001, 200'000});
  const Bitmap all = Bitmap::of_range(0, 400'000);
  const Bitmap made = intersect_all(std::vector{all, few, few, all});
  BOOST_TEST((made == few));
  for (std::size_t i = 0; i < made.chunks().size(); ++i)
    BOOST_TEST((made.chunks()[i].container == few.chunks()[i].container));
  BOOST_TEST(intersection_cardinality(std::vector{all, all, all}) == 400'000U);
  BOOST_TEST(intersect_all(std::vector{few, Bitmap(), all}).empty());
}

BOOST_AUTO_TEST_SUITE_END()
