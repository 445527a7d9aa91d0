#include "engine/index/posting_cache.hpp"

#include "tests/model/random.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace cairn;
using codec::Bitmap;
using engine::KeyRange;
using engine::PostingCache;
using engine::PostingWriteSet;
using Extent = PostingCache::Extent;

namespace {

KeyRange posting(const std::string& name) { return engine::range_of_prefix(name); }

Bitmap ids(std::vector<std::uint64_t> list) { return Bitmap::from_sorted(list); }

using Change = PostingWriteSet::Change;
using ChangeList = std::vector<std::pair<std::string_view, Change>>;

void advance(PostingCache& cache, std::uint64_t commit, const ChangeList& changes) {
  PostingWriteSet write_set;
  for (const auto& [name, change] : changes) write_set.change(name, change);
  cache.advance(commit, write_set.by_name());
}

/// A commit that adds id 99 to each of the postings.
void advance(PostingCache& cache, std::uint64_t commit,
             const std::vector<std::string_view>& names) {
  ChangeList changes;
  for (const std::string_view name : names) changes.push_back({name, {99, true}});
  advance(cache, commit, changes);
}

using Names = std::vector<std::string_view>;

}  // namespace

BOOST_AUTO_TEST_SUITE(posting_cache)

BOOST_AUTO_TEST_CASE(a_posting_follows_commits_and_keeps_its_versions) {
  PostingCache cache(1 << 20);
  advance(cache, 5, Names{});
  cache.insert(posting("a"), Extent::one_posting, 5, ids({1}));
  advance(cache, 6, Names{"b"});
  BOOST_TEST((cache.find(posting("a"), 6) == ids({1})));
  advance(cache, 7, ChangeList{{"a", {4, true}}, {"a", {1, true}}, {"a", {1, false}}});
  advance(cache, 8, ChangeList{{"a", {4, true}}, {"a", {9, false}}});  // changes nothing
  BOOST_TEST((cache.find(posting("a"), 8) == ids({4})));
  BOOST_TEST((cache.find(posting("a"), 7) == ids({4})));
  BOOST_TEST((cache.find(posting("a"), 6) == ids({1})));  // a held snapshot
  BOOST_TEST(!cache.find(posting("a"), 4).has_value());
  BOOST_TEST(!cache.find(posting("a"), 9).has_value());
}

BOOST_AUTO_TEST_CASE(a_range_follows_additions_and_ends_when_an_id_leaves_a_posting) {
  PostingCache cache(1 << 20);
  const KeyRange range{"b", "d"};
  cache.insert(range, Extent::many_postings, 0, ids({1, 2}));
  cache.insert(posting("b"), Extent::one_posting, 0, ids({1}));
  advance(cache, 1, ChangeList{{"a", {1, false}}, {"d", {1, false}}, {"c", {7, false}}});
  advance(cache, 2, ChangeList{{"bb", {1, false}}, {"c", {1, true}}, {"c", {3, true}}});
  BOOST_TEST((cache.find(range, 2) == ids({1, 2, 3})));
  BOOST_TEST((cache.find(range, 1) == ids({1, 2})));
  advance(cache, 3, ChangeList{{"c", {2, false}}});  // another posting may have it
  BOOST_TEST(!cache.find(range, 3).has_value());
  BOOST_TEST((cache.find(range, 2) == ids({1, 2, 3})));
  BOOST_TEST(cache.find(posting("b"), 3).has_value());
}

BOOST_AUTO_TEST_CASE(a_range_that_looks_like_a_posting_is_still_a_range) {
  PostingCache cache(1 << 20);
  cache.insert(posting("a"), Extent::many_postings, 0, ids({1}));
  advance(cache, 1, ChangeList{{"a", {1, false}}, {"ab", {2, false}}});
  BOOST_TEST(!cache.find(posting("a"), 1).has_value());
}

BOOST_AUTO_TEST_CASE(what_nobody_reads_is_left_behind_at_last) {
  PostingCache cache(1 << 20);
  cache.insert(posting("a"), Extent::one_posting, 0, ids({1}));
  cache.insert(posting("b"), Extent::one_posting, 0, ids({1}));
  for (std::uint64_t commit = 1; commit <= 1'000; ++commit) {
    advance(cache, commit, ChangeList{{"a", {commit, true}}, {"b", {commit, true}}});
    if (commit % 100 == 0) BOOST_TEST(cache.find(posting("a"), commit).has_value());
  }
  BOOST_TEST(!cache.find(posting("b"), 1'000).has_value());
  BOOST_TEST(cache.find(posting("a"), 1'000)->cardinality() == 1'000U);
}

// Readers would wait while the changes of a bulk load are applied.
BOOST_AUTO_TEST_CASE(commits_of_many_ids_are_not_followed_for_long) {
  PostingCache cache(1 << 20);
  const auto load = [&](std::uint64_t commit, std::uint64_t size) {
    ChangeList changes;
    for (std::uint64_t id = 0; id < size; ++id)
      changes.push_back({"a", {commit * 100'000 + id, true}});
    advance(cache, commit, changes);
  };
  cache.insert(posting("a"), Extent::one_posting, 0, ids({1}));
  for (std::uint64_t commit = 1; commit <= 20; ++commit) {
    load(commit, 1'000);
    if (commit <= 10)
      BOOST_TEST(cache.find(posting("a"), commit)->cardinality() == commit * 1'000 + 1);
  }
  BOOST_TEST(!cache.find(posting("a"), 20).has_value());
  cache.insert(posting("a"), Extent::one_posting, 20, ids({1}));
  load(21, 20'000);
  BOOST_TEST(!cache.find(posting("a"), 21).has_value());
  BOOST_TEST((cache.find(posting("a"), 20) == ids({1})));  // a held snapshot
}

// Against a plain model: what is found is right as of its commit, and the newest state is found after it was read once.
BOOST_AUTO_TEST_CASE(each_commit_is_found_as_it_was) {
  using Model = std::map<std::string, std::set<std::uint64_t>>;
  const std::vector<std::string> names{"a", "b1", "b2", "b3", "c"};
  const KeyRange range{"b", "c"};
  test::Random random(20);
  PostingCache cache(1 << 20);
  std::vector<Model> models(1);
  const auto united = [&](const Model& model) {
    std::set<std::uint64_t> all;
    for (const auto& [name, own] : model)
      if (range.contains(name)) all.insert(own.begin(), own.end());
    return ids({all.begin(), all.end()});
  };
  const auto alone = [](const Model& model, const std::string& name) {
    const auto own = model.find(name);
    return own == model.end() ? ids({}) : ids({own->second.begin(), own->second.end()});
  };
  std::size_t found = 0;
  for (std::uint64_t commit = 1; commit <= 2'000; ++commit) {
    Model model = models.back();
    ChangeList changes;
    for (std::size_t i = random.below(6); i > 0; --i) {
      const std::string& name = names[random.below(names.size())];
      const Change change{random.below(300'000) / 60'000 * 60'000 + random.below(5),
                          !random.one_in(4)};
      changes.push_back({name, change});
      if (change.added)
        model[name].insert(change.id);
      else
        model[name].erase(change.id);
    }
    models.push_back(model);
    advance(cache, commit, changes);
    for (const std::string& name : names)
      if (random.one_in(9))
        cache.insert(posting(name), Extent::one_posting, commit, alone(model, name));
    if (random.one_in(9)) cache.insert(range, Extent::many_postings, commit, united(model));
    const std::uint64_t asked = commit - random.below(std::min<std::uint64_t>(commit, 20));
    for (const std::string& name : names) {
      const auto own = cache.find(posting(name), asked);
      if (own) BOOST_TEST_REQUIRE((*own == alone(models[asked], name)));
      found += own ? 1 : 0;
    }
    const auto all = cache.find(range, asked);
    if (all) BOOST_TEST_REQUIRE((*all == united(models[asked])));
    found += all ? 1 : 0;
  }
  BOOST_TEST(found > 3'000U);
}

// A facet's values.
BOOST_AUTO_TEST_CASE(a_short_list_of_names_takes_new_ones) {
  PostingCache cache(1 << 20);
  advance(cache, 5, Names{});
  const KeyRange range{"b", "d"};
  cache.insert_names(range, 5, {"b1", "c"});
  const std::size_t before = cache.memory_bytes();
  advance(cache, 6, Names{"a", "b1", "c", "d"});
  BOOST_REQUIRE(cache.find_names(range, 6) != nullptr);
  BOOST_TEST(cache.find_names(range, 6)->size() == 2U);
  BOOST_TEST(cache.memory_bytes() == before);
  advance(cache, 7, Names{"b1", "b2"});
  BOOST_REQUIRE(cache.find_names(range, 7) != nullptr);
  BOOST_TEST((*cache.find_names(range, 7) == std::vector<std::string>{"b1", "b2", "c"}));
  BOOST_TEST((cache.find_names(range, 6) != nullptr));  // a held snapshot
  BOOST_TEST(cache.memory_bytes() > before);
  BOOST_TEST((cache.find_names(range, 4) == nullptr));
  BOOST_TEST((cache.find_names(range, 8) == nullptr));  // not published yet
}

BOOST_AUTO_TEST_CASE(a_long_list_of_names_ends_with_a_new_one) {
  PostingCache cache(1 << 22);
  const KeyRange range{"b", "d"};
  std::vector<std::string> names;
  for (int i = 1'000; i < 3'000; ++i) names.push_back("b" + std::to_string(i));
  cache.insert_names(range, 0, names);
  advance(cache, 1, Names{"b1500"});
  BOOST_TEST((cache.find_names(range, 1) != nullptr));
  advance(cache, 2, Names{"b15"});
  BOOST_TEST((cache.find_names(range, 2) == nullptr));
  BOOST_TEST((cache.find_names(range, 1) != nullptr));
  cache.insert_names(range, 1, {});  // of an older commit
  BOOST_TEST((cache.find_names(range, 2) == nullptr));
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
  advance(cache, 3, Names{"a"});
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
