#include "engine/index/instant_column.hpp"

#include "codec/byte_io.hpp"
#include "engine/index/posting_cache.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>
#include <map>
#include <random>
#include <set>

using namespace cairn;
using codec::Bitmap;
using engine::InstantColumn;
using engine::InstantColumnCache;
using engine::KeyRange;
using engine::PostingWriteSet;

namespace {

constexpr auto least = std::numeric_limits<std::int64_t>::min();
constexpr auto most = std::numeric_limits<std::int64_t>::max();
const KeyRange range{"b", "d"};

InstantColumn::Ptr column_of(std::vector<InstantColumn::Entry> entries) {
  return std::make_shared<const InstantColumn>(std::move(entries));
}

Bitmap ids(std::vector<std::uint64_t> list) { return Bitmap::from_sorted(list); }

/// A commit that adds an id to each of the postings.
void advance(InstantColumnCache& cache, std::uint64_t commit,
             const std::vector<std::string>& changed) {
  PostingWriteSet changes;
  for (const std::string& name : changed) changes.change(name, {99, true});
  cache.advance(commit, changes.by_name());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(instant_column)

BOOST_AUTO_TEST_CASE(an_id_is_found_by_any_of_its_instants) {
  const auto column = column_of({{7, 50}, {3, 10}, {7, 5}, {9, most}, {1, least}});
  BOOST_TEST((column->among(ids({3, 7, 8, 9}), 5, 10) == ids({3, 7})));
  BOOST_TEST((column->among(ids({1, 3, 7, 8, 9}), least, most) == ids({1, 3, 7, 9})));
  BOOST_TEST((column->among(ids({8, 9, 10})) == ids({9})));
  BOOST_TEST(column->among(Bitmap(), least, most).empty());
}

BOOST_AUTO_TEST_CASE(few_and_many_ids_are_looked_up_alike) {
  std::mt19937_64 random(5);
  std::vector<InstantColumn::Entry> entries;
  std::map<std::uint64_t, std::int64_t> dated;
  for (std::uint64_t id = 1; id < 200'000; id += 1 + random() % 5) {
    dated[id] = static_cast<std::int64_t>(random() % 1'000);
    entries.push_back({id, dated[id]});
  }
  const InstantColumn column(entries);
  for (const std::uint64_t step : {1U, 7U, 1'000U, 66'000U}) {
    std::vector<std::uint64_t> asked;
    std::vector<std::uint64_t> expected;
    for (std::uint64_t id = random() % step; id < 210'000; id += step) {
      asked.push_back(id);
      if (dated.contains(id) && dated[id] >= 200 && dated[id] <= 700) expected.push_back(id);
    }
    BOOST_TEST((column.among(ids(asked), 200, 700) == ids(expected)));
  }
  const double share = column.estimate(200, 699) / static_cast<double>(column.size());
  BOOST_TEST(std::abs(share - 0.5) < 0.05);
}

BOOST_AUTO_TEST_CASE(changes_replace_the_entries_of_their_instants) {
  const auto column = column_of({{1, 10}, {2, 10}, {3, 20}});
  const std::vector<std::int64_t> without{10, 30};
  const auto later = column->changed(without, {{5, 30}, {2, 10}});
  BOOST_TEST((later->among(ids({1, 2, 3, 5})) == ids({2, 3, 5})));
  BOOST_TEST((later->among(ids({1, 2, 3, 5}), 10, 10) == ids({2})));
  BOOST_TEST((column->among(ids({1, 2, 3, 5})) == ids({1, 2, 3})));
}

BOOST_AUTO_TEST_CASE(a_kept_column_holds_until_one_of_its_postings_changes) {
  InstantColumnCache cache(1 << 20);
  advance(cache, 4, {});
  cache.insert(range, 4, column_of({{1, 10}}));
  advance(cache, 5, {"a", "d"});
  BOOST_TEST(cache.find(range, 5) != nullptr);
  BOOST_TEST(cache.find(range, 6) == nullptr);  // not noted yet
  advance(cache, 6, {"c", "ca"});
  advance(cache, 7, {"ba", "c"});
  BOOST_TEST(cache.find(range, 7) == nullptr);
  BOOST_TEST(cache.find(range, 5) != nullptr);  // a held snapshot
  BOOST_TEST(cache.find(range, 3) == nullptr);
  BOOST_TEST(cache.note(range, 7, 2).changed.empty());  // less than the changes would cost
  const auto lack = cache.note(range, 7, 20);
  BOOST_TEST((lack.changed == std::vector<std::string>{"ba", "c", "ca"}));
  BOOST_TEST(lack.base != nullptr);
}

// As the names of postings end.
std::string posting(std::int64_t instant) {
  std::string name = "c";
  codec::append_big(name, codec::flip_sign(instant));
  return name;
}

BOOST_AUTO_TEST_CASE(a_column_follows_commits) {
  InstantColumnCache cache(1 << 20);
  cache.insert(range, 0, column_of({{1, 10}, {1, 20}, {2, 10}, {5, 30}}));
  PostingWriteSet changes;
  changes.change(posting(10), {1, false});
  changes.change(posting(-7), {3, true});
  changes.change(posting(40), {5, true});
  cache.advance(1, changes.by_name());
  PostingWriteSet later;
  later.change(posting(10), {2, false});
  cache.advance(2, later.by_name());
  const Bitmap all = ids({1, 2, 3, 5});
  const auto dates_of = [&](std::uint64_t commit) {
    std::map<std::uint64_t, std::vector<std::int64_t>> dates;
    std::uint64_t last = 0;
    cache.find(range, commit)
        ->visit(all, [&](std::uint64_t id, std::span<const InstantColumn::Entry> entries) {
          BOOST_TEST(id > last);
          last = id;
          for (const auto& entry : entries) dates[id].push_back(entry.instant);
        });
    return dates;
  };
  using Dates = std::map<std::uint64_t, std::vector<std::int64_t>>;
  BOOST_TEST((dates_of(0) == Dates{{1, {10, 20}}, {2, {10}}, {5, {30}}}));
  BOOST_TEST((dates_of(1) == Dates{{1, {20}}, {2, {10}}, {3, {-7}}, {5, {30, 40}}}));
  BOOST_TEST((dates_of(2) == Dates{{1, {20}}, {3, {-7}}, {5, {30, 40}}}));
  BOOST_TEST((cache.find(range, 2)->among(all, 35, 45) == ids({5})));
  BOOST_TEST((cache.find(range, 2)->among(all) == ids({1, 3, 5})));
}

BOOST_AUTO_TEST_CASE(what_was_spent_adds_up_until_there_is_a_column) {
  InstantColumnCache cache(1 << 20);
  BOOST_TEST(cache.note(range, 0, 2).spent == 2);
  BOOST_TEST(cache.note(range, 0, 3).spent == 5);
  BOOST_TEST(cache.note(range, 1, 3).spent == 0);  // a commit that is not noted yet
  cache.insert(range, 0, column_of({{1, 10}}));
  advance(cache, 1, {"c"});
  BOOST_TEST(cache.note(range, 1, 4).spent == 0);  // less than the change would cost
  BOOST_TEST(cache.note(range, 1, 4).spent == 8);
  BOOST_TEST(cache.note(range, 0, 4).spent == 0);  // an older one lacks it for good
}

BOOST_AUTO_TEST_CASE(columns_that_do_not_fit_are_not_kept_and_the_oldest_makes_room) {
  InstantColumnCache cache(100 * sizeof(InstantColumn::Entry));
  BOOST_TEST(cache.fits(100));
  BOOST_TEST(!cache.fits(101));
  cache.insert(range, 0, column_of(std::vector<InstantColumn::Entry>(101)));
  BOOST_TEST(cache.find(range, 0) == nullptr);
  cache.insert(range, 0, column_of(std::vector<InstantColumn::Entry>(40)));
  cache.insert({"e", "f"}, 0, column_of(std::vector<InstantColumn::Entry>(40)));
  BOOST_TEST(cache.find(range, 0) == nullptr);
  BOOST_TEST(cache.find({"e", "f"}, 0) != nullptr);
  BOOST_TEST(cache.memory_bytes() > 0);
}

BOOST_AUTO_TEST_CASE(a_column_with_too_many_changes_is_given_up) {
  InstantColumnCache cache(1 << 20);
  cache.insert(range, 0, column_of({{1, 10}}));
  std::vector<std::string> names;
  for (int i = 0; i < 5'000; ++i) names.push_back("c" + std::to_string(10'000 + i));
  advance(cache, 1, names);
  BOOST_TEST(cache.note(range, 1, 1).base == nullptr);
}

BOOST_AUTO_TEST_SUITE_END()
