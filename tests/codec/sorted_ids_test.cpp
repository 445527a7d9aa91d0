#include "codec/sorted_ids.hpp"

#include "tests/codec/bitmap_samples.hpp"

#include <boost/test/unit_test.hpp>

#include <memory>

using namespace cairn::codec;
using namespace cairn::codec::samples;

namespace {

/// The same ids, chunks in turn as runs and in the form that fits.
Bitmap set_of(const Ids& ids) {
  const Bitmap plain = Bitmap::from_sorted(ids);
  Bitmap set;
  for (const Bitmap::Chunk& chunk : plain.chunks()) {
    const bool is_second = set.chunks().size() % 2 == 1;
    set.append_chunk(chunk.key, is_second ? std::make_shared<const Container>(
                                                as_runs(values_of(*chunk.container)))
                                          : chunk.container);
  }
  return set;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(id_seeker)

BOOST_AUTO_TEST_CASE(of_an_empty_set_there_is_no_next_id) {
  const Bitmap none;
  IdSeeker seeker(none);
  BOOST_TEST(seeker.seek(0) == IdSeeker::end);
  BOOST_TEST(!seeker.contains(70'000));
}

BOOST_AUTO_TEST_CASE(the_next_id_is_that_of_a_binary_search_whatever_the_steps) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    Random random(seed);
    const Ids all = ids(random);
    const Bitmap set = set_of(all);
    for (const std::uint64_t longest : {2U, 300U, 100'000U, 50'000'000U}) {
      IdSeeker seeker(set);
      std::uint64_t wrong = 0;
      std::uint64_t id = below(random, longest);
      for (int step = 0; step < 3'000; ++step, id += below(random, longest)) {
        const auto next = std::ranges::lower_bound(all, id);
        const std::uint64_t expected = next == all.end() ? IdSeeker::end : *next;
        if (seeker.seek(id) != expected || seeker.contains(id) != (expected == id)) ++wrong;
      }
      BOOST_TEST(wrong == 0U, "seed " << seed << ", steps up to " << longest);
    }
  }
}

BOOST_AUTO_TEST_CASE(from_member_to_member_every_one_is_found) {
  Random random(1);
  const Ids all = ids(random);
  const Bitmap set = set_of(all);
  IdSeeker seeker(set);
  Ids found;
  for (std::uint64_t id = seeker.seek(0); id != IdSeeker::end; id = seeker.seek(id + 1))
    found.push_back(id);
  BOOST_TEST((found == all));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(id_membership)

BOOST_AUTO_TEST_CASE(membership_is_that_of_the_set_in_any_order) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    Random random(seed);
    const Ids all = ids(random);
    const Bitmap set = set_of(all);
    IdMembership members(set);
    std::uint64_t wrong = 0;
    for (int step = 0; step < 5'000; ++step) {
      const bool is_near = !all.empty() && below(random, 2) == 0;
      const std::uint64_t near = is_near ? all[below(random, all.size())] : below(random, 300'000);
      const std::uint64_t id = near + below(random, 3);
      if (members.contains(id) != set.contains(id)) ++wrong;
    }
    BOOST_TEST(wrong == 0U, "seed " << seed);
  }
  const Bitmap none;
  BOOST_TEST(!IdMembership(none).contains(0));
  const Bitmap whole = Bitmap::of_range(0, 65'536);
  IdMembership members(whole);
  BOOST_TEST(members.contains(65'535));
  BOOST_TEST(!members.contains(65'536));
  BOOST_TEST(members.contains(0));
}

BOOST_AUTO_TEST_CASE(arrays_that_are_spread_stay_those_of_their_set) {
  Random random(3);
  SpreadArrays spread;
  for (int round = 0; round < 20; ++round) {
    BitmapBuilder builder;
    for (std::uint64_t id = below(random, 50); id < 200'000; id += 1 + below(random, 90))
      builder.add(id);
    const Bitmap set = builder.build();
    for (int batch = 0; batch < 3; ++batch) {
      IdMembership members(set, &spread);
      std::uint64_t wrong = 0;
      for (int step = 0; step < 20'000; ++step) {
        const std::uint64_t id = below(random, 200'100);
        if (members.contains(id) != set.contains(id)) ++wrong;
      }
      BOOST_TEST(wrong == 0U);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

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

BOOST_AUTO_TEST_SUITE(sort_ids)

BOOST_AUTO_TEST_CASE(ids_come_out_ascending_and_each_one_once) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      Random random(seed);
      const std::uint64_t bound = ~std::uint64_t{0} >> below(random, 60);
      std::vector<std::uint64_t> ids(below(random, 2'000));
      for (std::uint64_t& id : ids) id = bound - below(random, bound);
      const std::set<std::uint64_t> expected(ids.begin(), ids.end());

      cairn::codec::sort_ids(ids);

      BOOST_TEST((ids == Ids(expected.begin(), expected.end())));
    }
  }
}

BOOST_AUTO_TEST_CASE(ids_that_are_sorted_already_lose_their_repetitions) {
  std::vector<std::uint64_t> ids;
  for (std::uint64_t i = 0; i < 1'000; ++i) ids.insert(ids.end(), 2, i);
  cairn::codec::sort_ids(ids);
  BOOST_TEST(ids.size() == 1'000U);
}

BOOST_AUTO_TEST_SUITE_END()
