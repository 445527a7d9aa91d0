#include "codec/bitmap.hpp"

#include "tests/codec/bitmap_samples.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <iostream>
#include <string_view>

using namespace cairn::codec;
using namespace cairn::codec::samples;

namespace {

// Two sets of ids that share some chunks and some ids, and the draws that follow them.
struct Pair {
  std::uint64_t seed = 0;
  Random random;
  Ids a, b;
};

// Made once for all cases.
const std::vector<Pair>& pairs() {
  static const std::vector<Pair> all = [] {
    std::vector<Pair> made;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Pair pair{seed, Random(seed), {}, {}};
      pair.a = ids(pair.random);
      pair.b = ids(pair.random);
      made.push_back(std::move(pair));
    }
    return made;
  }();
  return all;
}

template <class Check>
void with_pairs(Check&& check) {
  for (const Pair& pair : pairs()) {
    BOOST_TEST_CONTEXT("seed " << pair.seed) {
      Random random = pair.random;
      check(random, pair.a, pair.b);
    }
  }
}

void expect(const Bitmap& set, const Ids& expected) {
  BOOST_TEST((set.to_vector() == expected));
  BOOST_TEST(set.cardinality() == expected.size());
  BOOST_TEST(set.empty() == expected.empty());
}

// Some chunks as runs, where that is smaller.
Bitmap optimized(const Bitmap& set) {
  Bitmap result;
  for (const auto& [key, container] : set.chunks())
    result.append_chunk(key, std::make_shared<const Container>(container->optimized()));
  return result;
}

Ids drawn(Random& random, std::size_t count, std::uint64_t universe) {
  Ids ids;
  while (ids.size() < count) {
    while (ids.size() < count) ids.push_back(below(random, universe));
    std::ranges::sort(ids);
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  }
  return ids;
}

// The best of some runs, because others use the machine too.
template <class Work>
void print_time(std::string_view what, Work&& work) {
  auto best = std::chrono::nanoseconds::max();
  for (int i = 0; i < 6; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    best = std::min<std::chrono::nanoseconds>(best, std::chrono::steady_clock::now() - begin);
  }
  std::cout << what << ": " << best.count() / 1'000 << " us\n";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(bitmap)

BOOST_AUTO_TEST_CASE(a_set_holds_the_ids_it_was_made_from) {
  with_pairs([](Random& random, const Ids& a, const Ids&) {
    expect(Bitmap::from_sorted(a), a);
    Ids shuffled = a;
    shuffled.insert(shuffled.end(), a.begin(),
                    a.begin() + static_cast<std::ptrdiff_t>(a.size() / 2));
    std::ranges::shuffle(shuffled, random);
    expect(Bitmap::from_unsorted(shuffled), a);
  });
}

BOOST_AUTO_TEST_CASE(ids_of_all_64_bits_are_kept_and_ordered) {
  const Ids ids = {0, 0xffff, 0x1'0000, std::uint64_t{1} << 63, ~std::uint64_t{0}};
  const Bitmap set = Bitmap::from_unsorted({ids.rbegin(), ids.rend()});
  expect(set, ids);
  BOOST_TEST(set.last().value() == ~std::uint64_t{0});
}

BOOST_AUTO_TEST_CASE(intersecting_gives_what_both_have) {
  with_pairs([](Random&, const Ids& a, const Ids& b) {
    const Bitmap a_set = Bitmap::from_sorted(a);
    const Bitmap b_set = Bitmap::from_sorted(b);
    const Ids wanted = both(a, b);
    expect(intersect(a_set, b_set), wanted);
    expect(intersect(optimized(a_set), b_set), wanted);
    BOOST_TEST(intersection_cardinality(a_set, b_set) == wanted.size());
    BOOST_TEST(intersection_cardinality(a_set, optimized(b_set)) == wanted.size());
  });
}

BOOST_AUTO_TEST_CASE(uniting_gives_what_either_has) {
  with_pairs([](Random&, const Ids& a, const Ids& b) {
    const Bitmap a_set = Bitmap::from_sorted(a);
    const Bitmap b_set = Bitmap::from_sorted(b);
    const Ids wanted = either(a, b);
    expect(unite(a_set, b_set), wanted);
    expect(unite(optimized(a_set), optimized(b_set)), wanted);
  });
}

BOOST_AUTO_TEST_CASE(subtracting_leaves_what_the_second_has_not) {
  with_pairs([](Random&, const Ids& a, const Ids& b) {
    const Bitmap a_set = Bitmap::from_sorted(a);
    const Bitmap b_set = Bitmap::from_sorted(b);
    const Ids wanted = without(a, b);
    expect(subtract(a_set, b_set), wanted);
    expect(subtract(a_set, optimized(b_set)), wanted);
  });
}

BOOST_AUTO_TEST_CASE(a_set_and_itself_behave_as_in_any_algebra) {
  with_pairs([](Random&, const Ids& a, const Ids&) {
    const Bitmap set = Bitmap::from_sorted(a);
    BOOST_TEST((intersect(set, set) == set));
    BOOST_TEST((unite(set, set) == set));
    BOOST_TEST(subtract(set, set).empty());
    BOOST_TEST((unite(set, {}) == set));
    BOOST_TEST(intersect(set, {}).empty());
    BOOST_TEST((subtract(set, {}) == set));
  });
}

BOOST_AUTO_TEST_CASE(a_set_is_neutral_against_everything) {
  Random random(1);
  const Bitmap everything = Bitmap::of_range(0, 4 << 16);
  const Ids ids = drawn(random, 50'000, 4 << 16);
  const Bitmap set = Bitmap::from_sorted(ids);
  expect(intersect(everything, set), ids);
  expect(intersect(set, everything), ids);
  BOOST_TEST(intersection_cardinality(everything, set) == ids.size());
  BOOST_TEST(intersection_cardinality(set, everything) == ids.size());
  BOOST_TEST((unite(everything, set) == everything));
  BOOST_TEST((unite(set, everything) == everything));
  BOOST_TEST(subtract(set, everything).empty());
}

BOOST_AUTO_TEST_CASE(de_morgan_holds_within_a_universe) {
  const Bitmap everything = Bitmap::of_range(0, 4 << 16);
  const auto inverse = [&](const Bitmap& set) { return subtract(everything, set); };
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      Random random(seed);
      const Bitmap a = Bitmap::from_sorted(drawn(random, 30'000, 4 << 16));
      const Bitmap b = Bitmap::from_sorted(drawn(random, 1 + below(random, 90'000), 4 << 16));
      BOOST_TEST((inverse(intersect(a, b)) == unite(inverse(a), inverse(b))));
      BOOST_TEST((inverse(unite(a, b)) == intersect(inverse(a), inverse(b))));
      BOOST_TEST((inverse(inverse(a)) == a));
      BOOST_TEST((unite(a, inverse(a)) == everything));
    }
  }
}

BOOST_AUTO_TEST_CASE(few_chunks_and_very_many_are_combined_rightly) {
  Ids many;
  for (std::uint64_t key = 0; key < 3'000; ++key) many.push_back(key << 16 | key);
  Ids few = {5, std::uint64_t{7} << 16 | 7, std::uint64_t{2'999} << 16 | 2'999,
             std::uint64_t{1} << 40};
  const Bitmap many_set = Bitmap::from_sorted(many);
  const Bitmap few_set = Bitmap::from_sorted(few);
  expect(intersect(many_set, few_set), both(many, few));
  expect(intersect(few_set, many_set), both(many, few));
  expect(subtract(few_set, many_set), without(few, many));
  expect(subtract(many_set, few_set), without(many, few));
}

BOOST_AUTO_TEST_CASE(sets_are_equal_exactly_when_their_ids_are) {
  with_pairs([](Random&, const Ids& a, const Ids& b) {
    const Bitmap a_set = Bitmap::from_sorted(a);
    BOOST_TEST((a_set == Bitmap::from_sorted(b)) == (a == b));
    BOOST_TEST((a_set == optimized(a_set)));
  });
}

BOOST_AUTO_TEST_CASE(contains_first_and_last_follow_the_ids) {
  with_pairs([](Random& random, const Ids& a, const Ids& b) {
    const Bitmap set = Bitmap::from_sorted(a);
    for (int i = 0; i < 500; ++i) {
      const std::uint64_t id = b.empty() || i % 2 == 0 ? below(random, std::uint64_t{200'000} << 16)
                                                       : b[below(random, b.size())];
      BOOST_TEST(set.contains(id) == std::ranges::binary_search(a, id));
    }
    BOOST_TEST((set.first() == (a.empty() ? std::nullopt : std::optional(a.front()))));
    BOOST_TEST((set.last() == (a.empty() ? std::nullopt : std::optional(a.back()))));
  });
}

BOOST_AUTO_TEST_CASE(adding_and_removing_follow_a_set) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      Random random(seed);
      Bitmap set;
      std::set<std::uint64_t> model;
      for (int step = 0; step < 3'000; ++step) {
        const std::uint64_t id = below(random, 40) << 16 | below(random, 20);
        if (below(random, 2) == 0) {
          set.add(id);
          model.insert(id);
        } else {
          set.remove(id);
          model.erase(id);
        }
      }
      expect(set, {model.begin(), model.end()});
      for (std::uint64_t id : Ids(model.begin(), model.end())) set.remove(id);
      BOOST_TEST(set.chunks().empty());
    }
  }
}

BOOST_AUTO_TEST_CASE(changing_a_set_leaves_its_copies_as_they_were) {
  with_pairs([](Random&, const Ids& a, const Ids& b) {
    const Bitmap original = Bitmap::from_sorted(a);
    Bitmap changed = original;
    if (!b.empty()) changed.add(b.front());
    if (!a.empty()) changed.remove(a.front());
    expect(original, a);
  });
}

BOOST_AUTO_TEST_CASE(a_range_holds_all_ids_from_its_first_to_before_its_last) {
  const std::uint64_t edges[] = {0, 1, 65'535, 65'536, 65'537, 131'071, 131'072, 200'000};
  for (std::uint64_t first : edges)
    for (std::uint64_t last : edges) {
      BOOST_TEST_CONTEXT("from " << first << " to " << last) {
        Ids expected;
        for (std::uint64_t id = first; id < last; ++id) expected.push_back(id);
        expect(Bitmap::of_range(first, last), expected);
      }
    }
}

BOOST_AUTO_TEST_CASE(a_cursor_gives_every_id_once_whatever_the_size_of_the_pieces) {
  with_pairs([](Random& random, const Ids& a, const Ids&) {
    const Bitmap set = optimized(Bitmap::from_sorted(a));
    IdCursor cursor(set);
    Ids seen;
    for (;;) {
      Ids piece(1 + below(random, 5'000));
      const std::size_t count = cursor.next(piece);
      if (count == 0) break;
      seen.insert(seen.end(), piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(count));
    }
    BOOST_TEST((seen == a));
    Ids piece(1);
    BOOST_TEST(cursor.next(piece) == 0U);
  });
}

BOOST_AUTO_TEST_CASE(sets_of_300000_ids_are_intersected_rightly_and_fast) {
  Random random(1);
  for (const std::uint64_t universe : {std::uint64_t{10'000'000}, std::uint64_t{600'000}}) {
    const Ids a = drawn(random, 300'000, universe);
    const Ids b = drawn(random, 300'000, universe);
    const Bitmap a_set = Bitmap::from_sorted(a);
    const Bitmap b_set = Bitmap::from_sorted(b);
    expect(intersect(a_set, b_set), both(a, b));
    print_time("and of 300,000 of " + std::to_string(universe),
               [&] { return intersect(a_set, b_set).empty(); });
  }
}

BOOST_AUTO_TEST_SUITE_END()

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
