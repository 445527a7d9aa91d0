#include "engine/index/posting_cache.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using namespace cairn;
using codec::Bitmap;
using engine::KeyRange;
using engine::PostingCache;
using Extent = PostingCache::Extent;

namespace {

KeyRange posting(const std::string& name) { return engine::range_of_prefix(name); }

Bitmap ids(std::vector<std::uint64_t> list) { return Bitmap::from_sorted(list); }

void advance(PostingCache& cache, std::uint64_t commit, std::vector<std::string_view> changed) {
  cache.advance(commit, changed);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(posting_cache)

BOOST_AUTO_TEST_CASE(an_entry_holds_until_its_posting_changes) {
  PostingCache cache(1 << 20);
  advance(cache, 5, {});
  cache.insert(posting("a"), Extent::one_posting, 5, ids({1}));
  advance(cache, 6, {"b"});
  BOOST_TEST((cache.find(posting("a"), 6) == ids({1})));
  advance(cache, 7, {"a"});
  BOOST_TEST(!cache.find(posting("a"), 7).has_value());
  BOOST_TEST((cache.find(posting("a"), 6) == ids({1})));  // a held snapshot
  BOOST_TEST(!cache.find(posting("a"), 4).has_value());
}

BOOST_AUTO_TEST_CASE(a_range_ends_with_a_change_inside_it_and_outlives_one_beside_it) {
  PostingCache cache(1 << 20);
  const KeyRange range{"b", "d"};
  cache.insert(range, Extent::many_postings, 0, ids({1, 2}));
  cache.insert(posting("b"), Extent::one_posting, 0, ids({1}));
  advance(cache, 1, {"a", "d"});
  BOOST_TEST(cache.find(range, 1).has_value());
  advance(cache, 2, {"a", "c"});
  BOOST_TEST(!cache.find(range, 2).has_value());
  BOOST_TEST(cache.find(posting("b"), 2).has_value());
}

BOOST_AUTO_TEST_CASE(a_range_that_looks_like_a_posting_is_still_a_range) {
  PostingCache cache(1 << 20);
  cache.insert(posting("a"), Extent::many_postings, 0, ids({1}));
  advance(cache, 1, {"ab"});
  BOOST_TEST(!cache.find(posting("a"), 1).has_value());
}

// A facet's values: changes of known postings keep the list, a new name ends it.
BOOST_AUTO_TEST_CASE(names_hold_until_another_name_comes_into_their_range) {
  PostingCache cache(1 << 20);
  advance(cache, 5, {});
  const KeyRange range{"b", "d"};
  cache.insert_names(range, 5, {"b1", "c"});
  advance(cache, 6, {"a", "b1", "c", "d"});
  BOOST_REQUIRE(cache.find_names(range, 6) != nullptr);
  BOOST_TEST(cache.find_names(range, 6)->size() == 2U);
  advance(cache, 7, {"b1", "b2"});
  BOOST_TEST((cache.find_names(range, 7) == nullptr));
  BOOST_TEST((cache.find_names(range, 6) != nullptr));  // a held snapshot
  BOOST_TEST((cache.find_names(range, 4) == nullptr));
  BOOST_TEST((cache.find_names(range, 8) == nullptr));  // not published yet
  cache.insert_names(range, 6, {});                     // of an older commit
  BOOST_TEST((cache.find_names(range, 7) == nullptr));
}

BOOST_AUTO_TEST_CASE(names_count_as_memory_and_are_not_kept_without_end) {
  PostingCache cache(1 << 16);
  cache.insert_names({"a", "b"}, 0, std::vector<std::string>(10'000, std::string(100, 'x')));
  BOOST_TEST(cache.memory_bytes() == 0U);
  for (int i = 0; i < 100; ++i) cache.insert_names({std::to_string(i), "x"}, 0, {"name"});
  BOOST_TEST(cache.memory_bytes() < (1U << 16));
  BOOST_TEST((cache.find_names({"0", "x"}, 0) == nullptr));
  BOOST_TEST((cache.find_names({"99", "x"}, 0) != nullptr));
}

BOOST_AUTO_TEST_CASE(what_an_old_snapshot_read_is_not_taken_for_new) {
  PostingCache cache(1 << 20);
  advance(cache, 3, {"a"});
  cache.insert(posting("a"), Extent::one_posting, 2, ids({1}));
  BOOST_TEST(!cache.find(posting("a"), 3).has_value());
}

BOOST_AUTO_TEST_CASE(a_commit_that_is_published_but_not_noted_finds_nothing) {
  PostingCache cache(1 << 20);
  cache.insert(posting("a"), Extent::one_posting, 0, ids({1}));
  BOOST_TEST(!cache.find(posting("a"), 1).has_value());
}

BOOST_AUTO_TEST_CASE(the_parts_share_one_budget) {
  for (const std::size_t budget : {std::size_t{0}, std::size_t{7}, std::size_t{1} << 20}) {
    PostingCache cache(budget);
    const std::size_t columns = cache.columns().budget_bytes() + cache.orders().budget_bytes();
    BOOST_TEST(columns + cache.budget_bytes() == budget);
  }
}

BOOST_AUTO_TEST_CASE(the_least_recently_used_make_room) {
  PostingCache cache(4'000);
  for (int i = 0; i < 100; ++i) {
    const std::string name = "p" + std::to_string(100 + i);
    cache.insert(posting(name), Extent::one_posting, 0, ids({1, 2, 3}));
    BOOST_TEST(cache.memory_bytes() <= 4'000u);
    if (i > 0) BOOST_TEST(cache.find(posting("p100"), 0).has_value());
  }
  BOOST_TEST(!cache.find(posting("p150"), 0).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
