#include "codec/bitmap.hpp"
#include "tests/codec/bitmap_samples.hpp"

#include <boost/test/unit_test.hpp>

using namespace cairn::codec;
using namespace cairn::codec::samples;

BOOST_AUTO_TEST_SUITE(bitmap_builder)

BOOST_AUTO_TEST_CASE(a_builder_without_anything_gives_the_empty_set) {
  BOOST_TEST(BitmapBuilder().build().empty());
  BOOST_TEST(unite_all(std::vector<Bitmap>{}).empty());
}

BOOST_AUTO_TEST_CASE(single_ids_in_any_order_and_whole_sets_are_united) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      Random random(seed);
      BitmapBuilder builder;
      std::set<std::uint64_t> expected;
      for (std::uint64_t i = below(random, 4); i > 0; --i) {
        const Ids set = ids(random);
        builder.add(Bitmap::from_sorted(set));
        expected.insert(set.begin(), set.end());
      }
      for (std::uint64_t i = below(random, 2'000); i > 0; --i) {
        const std::uint64_t id = below(random, std::uint64_t{1} << 36);
        builder.add(id);
        builder.add(id);
        expected.insert(id);
      }
      BOOST_TEST((builder.build().to_vector() == Ids(expected.begin(), expected.end())));
      BOOST_TEST(builder.build().empty(), "the builder starts again from nothing");
    }
  }
}

BOOST_AUTO_TEST_CASE(a_union_of_many_sets_is_the_union_of_each_with_the_rest) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      Random random(seed);
      std::vector<Bitmap> sets;
      Bitmap expected;
      for (std::uint64_t i = 1 + below(random, 8); i > 0; --i) {
        sets.push_back(Bitmap::from_sorted(ids(random)));
        expected = unite(expected, sets.back());
      }
      BOOST_TEST((unite_all(sets) == expected));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_container_that_is_alone_in_its_chunk_is_shared_and_not_copied) {
  const Bitmap set = Bitmap::of_range(0, 65'536);
  BitmapBuilder builder;
  builder.add(set);
  BOOST_TEST((builder.build().chunks().front().container == set.chunks().front().container));
}

BOOST_AUTO_TEST_CASE(a_hundred_thousand_sets_of_one_id_are_united) {
  Random random(1);
  std::vector<Bitmap> sets;
  std::set<std::uint64_t> expected;
  for (int i = 0; i < 100'000; ++i) {
    const std::uint64_t id = below(random, 10'000'000);
    sets.push_back(Bitmap::from_sorted({&id, 1}));
    expected.insert(id);
  }
  BOOST_TEST((unite_all(sets).to_vector() == Ids(expected.begin(), expected.end())));
}

BOOST_AUTO_TEST_CASE(the_memory_of_a_builder_grows_with_what_it_holds) {
  BitmapBuilder builder;
  const std::size_t before = builder.memory_bytes();
  for (std::uint64_t id = 0; id < 10'000; ++id) builder.add(id);
  builder.add(Bitmap::from_sorted(Ids{1, 2, 3}));
  BOOST_TEST(builder.memory_bytes() >= before + 10'000 * sizeof(std::uint64_t));
}

BOOST_AUTO_TEST_SUITE_END()
