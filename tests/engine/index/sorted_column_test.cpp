// Every answer of an order against a plain map of values.

#include "engine/index/sorted_column.hpp"

#include "tests/support/value_generator.hpp"

#include <boost/test/unit_test.hpp>

#include <map>
#include <random>
#include <set>

using namespace cairn;
using codec::Bitmap;
using engine::SortedColumn;
using End = SortedColumn::End;
using Ties = SortedColumn::Ties;
using Values = std::map<std::string, std::set<std::uint64_t>>;

namespace {

Bitmap ids_of(const std::set<std::uint64_t>& ids) {
  return Bitmap::from_sorted(std::vector<std::uint64_t>(ids.begin(), ids.end()));
}

SortedColumn::Ptr order_of(const Values& values) {
  SortedColumn::Builder builder;
  for (const auto& [value, ids] : values) builder.add(value, ids_of(ids));
  return builder.build();
}

std::string name_of(std::uint64_t number) { return std::to_string(1'000'000 + number); }

/// One value an id, ids with gaps over several chunks.
Values draw(std::mt19937_64& random, std::size_t count, std::uint64_t distinct,
            std::uint64_t most_step = 8) {
  Values values;
  std::uint64_t id = 70'000;
  for (std::size_t i = 0; i < count; ++i)
    values[name_of(random() % distinct)].insert(id += 1 + random() % most_step);
  return values;
}

/// Ids from the first to 400,000, each up to a step behind the one before.
Bitmap scattered(std::uint64_t first, std::uint64_t most_step, std::mt19937_64& random) {
  std::vector<std::uint64_t> ids;
  for (std::uint64_t id = first; id < 400'000; id += 1 + random() % most_step) ids.push_back(id);
  return Bitmap::from_sorted(ids);
}

Bitmap between(const Values& values, const std::string& first,
               const std::optional<std::string>& last) {
  std::vector<std::uint64_t> found;
  for (const auto& [value, ids] : values)
    if (value >= first && (!last || value < *last))
      found.insert(found.end(), ids.begin(), ids.end());
  return Bitmap::from_unsorted(std::move(found));
}

Bitmap first_of(const Values& values, const Bitmap& among, std::size_t wanted, End end, Ties ties) {
  std::vector<std::uint64_t> found;  // an id has one value here
  const auto take = [&](const std::set<std::uint64_t>& ids) {
    for (const std::uint64_t id : ids)
      if (among.contains(id) && (ties == Ties::all || found.size() < wanted)) found.push_back(id);
  };
  if (end == End::least)
    for (auto at = values.begin(); at != values.end() && found.size() < wanted; ++at)
      take(at->second);
  else
    for (auto at = values.rbegin(); at != values.rend() && found.size() < wanted; ++at)
      take(at->second);
  return Bitmap::from_unsorted(std::move(found));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(sorted_column)

BOOST_AUTO_TEST_CASE(a_range_of_values_gives_their_ids) {
  std::mt19937_64 random(test::test_seed());
  // Few, many of few values, many of many: sorted, by bits, by the difference of marks.
  for (const auto& [count, distinct] : {std::pair{50U, 20U}, {60'000U, 9U}, {60'000U, 50'000U}}) {
    const Values values = draw(random, count, distinct);
    const auto order = order_of(values);
    BOOST_TEST(order->size() == count);
    BOOST_TEST(order->single_valued());
    for (int i = 0; i < 60; ++i) {
      const std::string first = i % 5 == 0 ? "" : name_of(random() % distinct);
      std::optional<std::string> last;
      if (i % 7 != 0) last = name_of(random() % distinct);
      const Bitmap expected = between(values, first, last);
      BOOST_TEST((order->between(first, last) == expected));
      BOOST_TEST(order->count(first, last) == expected.cardinality());
    }
  }
}

BOOST_AUTO_TEST_CASE(the_first_ones_come_with_all_or_the_lowest_that_equal_the_last) {
  std::mt19937_64 random(test::test_seed());
  for (const std::uint64_t distinct : {5U, 300U, 20'000U}) {
    const Values values = draw(random, 20'000, distinct, 2);
    const auto order = order_of(values);
    for (const std::uint64_t step : {1U, 3U, 500U, 20'000U}) {
      // Ids without a value, and chunks that the order has none of, among them.
      const Bitmap among = scattered(random() % 1'000, step, random);
      for (const std::size_t wanted : {0U, 1U, 20U, 100'000U})
        for (const End end : {End::least, End::greatest})
          for (const Ties ties : {Ties::all, Ties::lowest_ids})
            BOOST_TEST((order->first_of(among, wanted, end, ties) ==
                        first_of(values, among, wanted, end, ties)));
    }
  }
}

BOOST_AUTO_TEST_CASE(the_first_of_several_sets_are_those_of_their_intersection) {
  std::mt19937_64 random(test::test_seed());
  for (const std::uint64_t distinct : {5U, 300U, 20'000U}) {
    const Values values = draw(random, 20'000, distinct, 16);
    const auto order = order_of(values);
    for (int i = 0; i < 20; ++i) {
      // Bitmaps, arrays, whole chunks and chunks that one of them lacks; below the order and behind it.
      std::vector<Bitmap> sets = {
          Bitmap::of_range(random() % 90'000, 200'000 + random() % 300'000)};
      for (const std::uint64_t step : {2U, 3U, 40U}) {
        const Bitmap some = scattered(random() % 150'000, step, random);
        if (random() % 4 != 0) sets.push_back(some);
      }
      Bitmap among = sets.front();
      for (const Bitmap& set : sets) among = codec::intersect(among, set);
      for (const std::size_t wanted : {0U, 1U, 20U, 100'000U})
        for (const End end : {End::least, End::greatest})
          for (const Ties ties : {Ties::all, Ties::lowest_ids})
            BOOST_TEST((order->first_common(sets, wanted, end, ties) ==
                        first_of(values, among, wanted, end, ties)));
    }
  }
}

BOOST_AUTO_TEST_CASE(each_id_has_its_value) {
  std::mt19937_64 random(test::test_seed());
  for (const std::uint64_t distinct : {5U, 3'000U}) {
    const Values values = draw(random, 20'000, distinct, 2);
    const auto order = order_of(values);
    std::map<std::uint64_t, std::string> by_id;
    for (const auto& [value, ids] : values)
      for (const std::uint64_t id : ids) by_id[id] = value;
    std::string value = "of another id";
    for (std::uint64_t id = 0; id < 110'000; ++id) {
      const bool is_found = order->read_value(id, value);
      const auto expected = by_id.find(id);
      if (is_found != (expected != by_id.end()) || (is_found && value != expected->second))
        BOOST_ERROR("id " << id);
    }
  }
  // Of two values it has none to tell, and of ids far apart, two of three not here, it keeps none.
  std::string value;
  BOOST_TEST(!order_of({{"a", {1}}, {"b", {1}}})->read_value(1, value));
  BOOST_TEST(!order_of({{"a", {1}}, {"b", {60'000}}})->read_value(1, value));
}

BOOST_AUTO_TEST_CASE(changes_give_what_rebuilding_it_gives) {
  std::mt19937_64 random(test::test_seed());
  Values values = draw(random, 9'000, 500);
  const auto before = order_of(values);
  std::set<std::string> changed;
  for (int i = 0; i < 300; ++i) {
    const auto from = std::next(values.begin(), static_cast<std::ptrdiff_t>(random() % 400));
    if (from->second.empty()) continue;
    const std::uint64_t id = *from->second.begin();
    from->second.erase(id);
    const std::string to = name_of(random() % 700);
    values[to].insert(id);
    changed.insert({from->first, to});
  }
  std::vector<SortedColumn::Change> changes;
  for (const std::string& value : changed) changes.push_back({value, ids_of(values[value])});
  const auto after = before->changed(changes);
  BOOST_TEST(after->size() == 9'000U);
  for (int i = 0; i < 50; ++i) {
    const std::string first = name_of(random() % 700);
    BOOST_TEST((after->between(first, name_of(600)) == between(values, first, name_of(600))));
  }
}

BOOST_AUTO_TEST_CASE(an_id_with_two_values_is_found_by_both) {
  std::mt19937_64 random(test::test_seed());
  Values values = draw(random, 60'000, 1'000);
  values[name_of(10)].insert(70'001);
  values[name_of(990)].insert(70'001);
  const auto order = order_of(values);
  BOOST_TEST(!order->single_valued());
  for (const std::uint64_t first : {0U, 5U, 500U})
    BOOST_TEST((order->between(name_of(first), std::nullopt) ==
                between(values, name_of(first), std::nullopt)));
}

BOOST_AUTO_TEST_CASE(nothing_and_ids_spread_too_widely_are_no_trouble) {
  const auto empty = order_of({});
  BOOST_TEST(empty->between("", std::nullopt).empty());
  BOOST_TEST(empty->first_of(ids_of({1, 2}), 5, End::least, Ties::all).empty());
  BOOST_TEST((order_of({{"a", {1}}, {"b", {std::uint64_t{1} << 40}}}) == nullptr));
}

BOOST_AUTO_TEST_SUITE_END()

using engine::ValueList;

namespace {

ValueList list_of(const std::set<std::string>& values) {
  ValueList list;
  for (const std::string& value : values) list.add(value);
  list.shrink_to_fit();
  return list;
}

std::size_t rank(const std::set<std::string>& values, const std::string& bound) {
  return static_cast<std::size_t>(std::distance(values.begin(), values.lower_bound(bound)));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(value_list)

BOOST_AUTO_TEST_CASE(a_bound_is_found_as_in_a_sorted_set) {
  test::ValueGenerator random(test::test_seed());
  for (const std::size_t size : {0U, 1U, 15U, 16U, 17U, 400U}) {
    std::set<std::string> values;
    for (std::size_t i = 0; i < size; ++i) values.insert(random.string());
    const ValueList list = list_of(values);
    BOOST_TEST(list.size() == values.size());
    std::size_t place = 0;
    std::string found;
    for (const std::string& value : values) {
      list.read(place++, found);
      BOOST_TEST(found == value);
    }
    for (const std::string& value : values) {
      BOOST_TEST(list.lower_bound(value) == rank(values, value));
      BOOST_TEST(list.lower_bound(value + '\0') == rank(values, value + '\0'));
    }
    for (int i = 0; i < 100; ++i) {
      const std::string bound = random.string();
      BOOST_TEST(list.lower_bound(bound) == rank(values, bound));
    }
  }
}

BOOST_AUTO_TEST_CASE(values_come_back_in_order_however_much_they_share) {
  std::set<std::string> values;
  for (int i = 0; i < 100; ++i) values.insert(std::string(300, 'x') + std::to_string(i));
  values.insert(std::string(1'000, 'x'));
  values.insert("");
  const ValueList list = list_of(values);
  std::set<std::string> read;
  list.for_each([&](std::string_view value) { read.emplace_hint(read.end(), value); });
  BOOST_TEST((read == values));
  BOOST_TEST(list.memory_bytes() < 100 * 300);
}

BOOST_AUTO_TEST_SUITE_END()
