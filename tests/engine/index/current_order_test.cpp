#include "engine/index/current_order.hpp"

#include "engine/index/column_cache.hpp"
#include "tests/model/random.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

using namespace cairn;
using codec::Bitmap;
using engine::ColumnChange;
using engine::CurrentOrder;
using engine::KeyRange;
using engine::PostingWriteSet;
using engine::SortedColumn;
using engine::SortedColumnCache;
using End = SortedColumn::End;
using Ties = SortedColumn::Ties;

namespace {

const std::string path = "path..";  // six bytes, like kind, path and entry

/// By id.
using Model = std::map<std::uint64_t, std::string>;

Bitmap bitmap(std::vector<std::uint64_t> ids) { return Bitmap::from_unsorted(std::move(ids)); }

std::map<std::string, std::vector<std::uint64_t>> by_value(const Model& model) {
  std::map<std::string, std::vector<std::uint64_t>> values;
  for (const auto& [id, value] : model) values[value].push_back(id);
  return values;
}

SortedColumn::Ptr column_of(const Model& model) {
  SortedColumn::Builder builder;
  for (const auto& [value, ids] : by_value(model)) builder.add(value, bitmap(ids));
  return builder.build();
}

Bitmap between(const Model& model, const std::string& first,
               const std::optional<std::string>& last) {
  std::vector<std::uint64_t> ids;
  for (const auto& [id, value] : model)
    if (value >= first && (!last || value < *last)) ids.push_back(id);
  return bitmap(ids);
}

/// The first of `ids` in the order.
Bitmap first_of(const Model& model, const Bitmap& ids, std::uint64_t wanted, End end, Ties ties) {
  std::vector<std::uint64_t> found;
  auto values = by_value(model);
  const auto take = [&](const auto& entry) {
    if (found.size() >= wanted) return;
    for (const std::uint64_t id : entry.second)
      if (ids.contains(id) && (ties == Ties::all || found.size() < wanted)) found.push_back(id);
  };
  if (end == End::least)
    std::for_each(values.begin(), values.end(), take);
  else
    std::for_each(values.rbegin(), values.rend(), take);
  return bitmap(found);
}

bool has_all(const Bitmap& ids, const Bitmap& wanted) {
  return codec::subtract(wanted, ids).empty();
}

void require_equal(const CurrentOrder& order, const Model& model, test::Random& random) {
  std::vector<std::uint64_t> all;
  for (const auto& [id, value] : model) all.push_back(id);
  BOOST_TEST_REQUIRE((order.all() == bitmap(all)));
  const std::string first(1, static_cast<char>('a' + random.below(8)));
  const std::string last(1, static_cast<char>('a' + random.below(12)));
  const auto end = random.one_in(4) ? std::nullopt : std::optional(last);
  BOOST_TEST_REQUIRE((order.between(first, end) == between(model, first, end)));
  BOOST_TEST_REQUIRE(order.count(first, end) == between(model, first, end).cardinality());
  std::vector<std::uint64_t> some, others;
  for (std::uint64_t id = 0; id < 300; ++id) {
    if (random.one_in(2)) some.push_back(id);
    if (!random.one_in(3)) others.push_back(id);
    std::string value;
    const auto own = model.find(id);
    BOOST_TEST_REQUIRE(order.read_value(id, value) == (own != model.end()));
    if (own != model.end()) BOOST_TEST_REQUIRE(value == own->second);
  }
  const std::vector<Bitmap> sets{bitmap(some), bitmap(others)};
  const Bitmap common = codec::intersect(sets[0], sets[1]);
  for (const End from : {End::least, End::greatest}) {
    const std::uint64_t wanted = random.below(20) + 1;
    const Ties ties = random.one_in(2) ? Ties::all : Ties::lowest_ids;
    const Bitmap expected = first_of(model, common, wanted, from, ties);
    for (const Bitmap& found : {order.first_of(common, wanted, from, ties),
                                order.first_common(sets, wanted, from, ties)}) {
      BOOST_TEST_REQUIRE(has_all(found, expected));
      BOOST_TEST_REQUIRE(has_all(common, found));
      BOOST_TEST_REQUIRE(has_all(order.all(), found));
    }
    const auto extremes = order.extremes(common, from);
    const auto best = first_of(model, common, 1, from, Ties::all).first();
    BOOST_TEST_REQUIRE(extremes.empty() == !best.has_value());
    if (best) BOOST_TEST_REQUIRE(std::ranges::count(extremes, *best) == 1);
  }
}

/// Changes the value of some ids, as a commit does.
void change(Model& model, PostingWriteSet& changes, test::Random& random) {
  for (std::size_t i = random.below(4); i > 0; --i) {
    const std::uint64_t id = random.below(300);
    const auto old = model.find(id);
    const bool is_gone = random.one_in(3);
    std::string value(1, static_cast<char>('a' + random.below(9)));
    if (!is_gone) changes.change(path + value, {id, true});
    if (old != model.end() && (is_gone || old->second != value))
      changes.change(path + old->second, {id, false});
    if (is_gone)
      model.erase(id);
    else
      model[id] = std::move(value);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(current_order)

BOOST_AUTO_TEST_CASE(a_column_follows_commits_as_a_model_does) {
  test::Random random(8);
  SortedColumnCache cache(1 << 22);
  const KeyRange range = engine::range_of_prefix(path);
  std::vector<Model> models(1);
  for (std::uint64_t id = 0; id < 250; ++id) models[0][id] = static_cast<char>('a' + id % 7);
  cache.insert(range, 0, column_of(models[0]));
  std::size_t found = 0, updates = 0;
  for (std::uint64_t commit = 1; commit <= 1'500; ++commit) {
    Model model = models.back();
    PostingWriteSet changes;
    change(model, changes, random);
    models.push_back(model);
    cache.advance(commit, changes.by_name());
    const std::uint64_t asked = commit - random.below(std::min<std::uint64_t>(commit, 5));
    if (const auto order = cache.find(range, asked)) {
      require_equal(*order, models[asked], random);
      ++found;
    }
    // Made of an older state, while commits went on.
    const auto old = cache.long_log(range, asked);
    if (old.base != nullptr) {
      cache.insert(range, asked, column_of(models[asked]));
      ++updates;
    }
  }
  BOOST_TEST(found > 1'400U);
  BOOST_TEST(updates > 3U);
}

BOOST_AUTO_TEST_CASE(a_column_that_is_made_while_commits_go_on_misses_nothing) {
  SortedColumnCache cache(1 << 20);
  const KeyRange range = engine::range_of_prefix(path);
  const auto add = [&](std::uint64_t commit, std::uint64_t id) {
    PostingWriteSet changes;
    changes.change(path + "b", {id, true});
    cache.advance(commit, changes.by_name());
  };
  add(1, 1);
  cache.insert(range, 0, column_of({{0, "a"}}));  // nobody logged what came since
  BOOST_TEST(cache.find(range, 1) == nullptr);
  cache.begin(range, 1, 2);
  add(2, 2);
  cache.insert(range, 1, column_of({{0, "a"}, {1, "b"}}));
  BOOST_REQUIRE(cache.find(range, 2) != nullptr);
  BOOST_TEST((cache.find(range, 2)->all() == bitmap({0, 1, 2})));
  BOOST_TEST((cache.find(range, 1)->all() == bitmap({0, 1})));
  BOOST_TEST(cache.find(range, 0) == nullptr);
}

// Several readers make the same column, each as of another commit.
BOOST_AUTO_TEST_CASE(a_reader_who_begins_later_does_not_hinder_the_first_one) {
  SortedColumnCache cache(1 << 20);
  const KeyRange range = engine::range_of_prefix(path);
  cache.begin(range, 0, 1);
  PostingWriteSet changes;
  changes.change(path + "b", {1, true});
  cache.advance(1, changes.by_name());
  cache.begin(range, 1, 2);
  PostingWriteSet later;
  later.change(path + "b", {2, true});
  cache.advance(2, later.by_name());
  cache.insert(range, 0, column_of({{0, "a"}}));
  BOOST_REQUIRE(cache.find(range, 2) != nullptr);
  BOOST_TEST((cache.find(range, 2)->all() == bitmap({0, 1, 2})));
  cache.insert(range, 1, column_of({{0, "a"}, {1, "b"}}));
  BOOST_TEST((cache.find(range, 2)->all() == bitmap({0, 1, 2})));
  BOOST_TEST((cache.find(range, 1)->all() == bitmap({0, 1})));
}

BOOST_AUTO_TEST_CASE(a_column_that_was_made_in_vain_is_paid_for_again) {
  SortedColumnCache cache(1 << 20);
  const KeyRange range = engine::range_of_prefix(path);
  BOOST_TEST(cache.note(range, 0, 100).spent == 100);
  PostingWriteSet changes;
  changes.change(path + "b", {1, true});
  cache.advance(1, changes.by_name());
  cache.insert(range, 0, column_of({{0, "a"}}));  // nobody logged the change
  BOOST_TEST(cache.find(range, 1) == nullptr);
  BOOST_TEST(cache.note(range, 1, 3).spent == 3);
}

BOOST_AUTO_TEST_CASE(a_large_column_may_take_long_to_make) {
  const KeyRange range = engine::range_of_prefix(path);
  PostingWriteSet changes;
  for (std::uint64_t id = 0; id < 5'000; ++id) changes.change(path + "b", {id, true});
  for (const std::size_t entries : {1'000U, 1'000'000U}) {
    SortedColumnCache cache(1 << 20);
    cache.begin(range, 0, entries);
    cache.advance(1, changes.by_name());
    cache.insert(range, 0, column_of({{0, "a"}}));
    BOOST_TEST((cache.find(range, 0) != nullptr) == (entries == 1'000'000U));
  }
}

// Making a new one takes as long as applying many changes.
BOOST_AUTO_TEST_CASE(a_large_column_is_made_again_less_often) {
  const KeyRange range = engine::range_of_prefix(path);
  for (const std::uint64_t size : {100U, 250'000U}) {
    SortedColumnCache cache(1 << 24);
    Model model;
    for (std::uint64_t id = 0; id < size; ++id) model[id] = "a";
    cache.insert(range, 0, column_of(model));
    std::uint64_t commit = 0;
    while (cache.long_log(range, commit).base == nullptr && commit < 2'000) {
      PostingWriteSet changes;
      changes.change(path + "b", {++commit, true});
      cache.advance(commit, changes.by_name());
    }
    BOOST_TEST(commit == (size == 100 ? 128U : 316U));
  }
}

// As of a list of two values.
BOOST_AUTO_TEST_CASE(a_second_value_of_an_id_is_not_followed) {
  const auto column = column_of({{0, "a"}, {1, "b"}});
  BOOST_TEST(with_changes(column, std::vector<ColumnChange>{{1, path + "c", 1, true}}) == nullptr);
  BOOST_TEST(with_changes(column, std::vector<ColumnChange>{{1, path + "b", 1, true}}) != nullptr);
  BOOST_TEST(with_changes(column, std::vector<ColumnChange>{{1, path + "a", 1, true},
                                                            {1, path + "b", 1, false}}) != nullptr);
}

BOOST_AUTO_TEST_SUITE_END()
