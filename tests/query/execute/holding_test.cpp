#include "query/execute/holding.hpp"

#include "query/execute/row_batch.hpp"
#include "tests/query/execute/small_budget.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace cairn::query {
namespace {

Value list_of_numbers(std::size_t count) { return List(count, Value(1)); }

}  // namespace

BOOST_FIXTURE_TEST_SUITE(holding, SmallBudget)

BOOST_AUTO_TEST_CASE(what_is_held_is_given_back) {
  {
    Holding held(budget);
    BOOST_TEST(held.add_bytes(10'000).has_value());
    BOOST_TEST(used() >= 10'000U);
    BOOST_TEST(used() < 12'000U);
    held.give_back(10'000);
    BOOST_TEST(used() < 5'000U);
    BOOST_TEST(held.add_bytes(50'000).has_value());
  }
  BOOST_TEST(used() == 0U);
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_is_refused_before_it_is_made) {
  Holding held(budget);
  BOOST_TEST(held.add_bytes(limit / 2).has_value());
  const Status refused = held.add_bytes(limit);
  BOOST_TEST((refused.error().code == ErrorCode::resource_limit));
  BOOST_TEST(used() <= limit);
}

BOOST_AUTO_TEST_CASE(a_large_list_counts_once_for_all_keepers) {
  const Value list = list_of_numbers(1'000);
  Holding first(budget);
  Holding second(budget);
  BOOST_TEST(first.add_one(list).has_value());
  const std::size_t once = used();
  BOOST_TEST(once >= 1'000 * sizeof(Value));
  for (int i = 0; i < 100; ++i) BOOST_TEST(second.add_one(list).has_value());
  BOOST_TEST(used() == once);
  first.clear();
  BOOST_TEST(used() == once);
  second.clear();
  BOOST_TEST(used() == 0U);
}

BOOST_AUTO_TEST_CASE(a_list_at_the_place_of_one_that_died_counts_as_itself) {
  constexpr std::size_t items = 100;
  Holding first(budget);
  Holding second(budget);
  const void* place = nullptr;
  {
    const Value small = list_of_numbers(items);
    place = small.list();
    BOOST_TEST(first.add_one(small).has_value());
  }
  // The allocator reuses the released address, though not always at once.
  std::vector<Value> made;
  do {
    made.emplace_back(List(items, Value(std::string(1'000, 'x'))));
  } while (made.back().list() != place && made.size() < items);
  BOOST_TEST(second.add_one(made.back()).has_value());
  BOOST_TEST(used() >= items * 1'000);
  first.clear();
  BOOST_TEST(used() >= items * 1'000);
  second.clear();
  BOOST_TEST(used() == 0U);
}

BOOST_AUTO_TEST_CASE(texts_and_small_lists_count_with_each_keeper) {
  const Value text = std::string(1'000, 'x');
  const Value list = List(10, text);
  Holding held(budget);
  BOOST_TEST(held.add_one(text).has_value());
  BOOST_TEST(held.bytes() >= 1'000U);
  BOOST_TEST(held.add_one(list).has_value());
  BOOST_TEST(held.bytes() >= 11'000U);
}

BOOST_AUTO_TEST_CASE(a_charge_moves_with_its_holder) {
  Holding held(budget);
  BOOST_TEST(held.add_bytes(1'000).has_value());
  const std::size_t before = used();
  {
    const Holding taken = std::move(held);
    BOOST_TEST(used() == before);
  }
  BOOST_TEST(used() == 0U);
}

BOOST_AUTO_TEST_CASE(a_batch_is_full_at_its_bytes_and_long_rows_are_few) {
  RowBatch batch(1, budget);
  const std::vector<Value> row = {std::string(RowBatch::most_bytes / 4, 'x')};
  std::size_t rows = 0;
  for (; !batch.full() && batch.append(row).has_value(); ++rows) {
  }
  BOOST_TEST(rows <= 4U);
  RowBatch wide(500, budget);
  BOOST_TEST(wide.room_for({}) == 1U);
  RowBatch narrow(2, budget);
  BOOST_TEST(narrow.room_for({}) == RowBatch::capacity);
}

BOOST_AUTO_TEST_CASE(a_row_that_does_not_fit_is_refused) {
  RowBatch batch(1, budget);
  const std::vector<Value> row = {std::string(2 * limit, 'x')};
  BOOST_TEST(!batch.append(row).has_value());
  BOOST_TEST(batch.empty());
  batch.reset(1, budget);
  BOOST_TEST(batch.append(std::vector<Value>{1}).has_value());
}

BOOST_AUTO_TEST_CASE(a_batch_with_other_rows_gives_back_what_the_last_ones_held) {
  RowBatch batch(1, budget);
  for (int i = 0; i < 50; ++i) {
    batch.reset(1, budget);
    const std::vector<Value> row = {std::string(limit / 4, 'x')};
    BOOST_TEST(batch.append(row).has_value());
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(value_size)

BOOST_AUTO_TEST_CASE(long_texts_and_lists_count_what_they_hold) {
  BOOST_TEST(memory_bytes(Value(1)) == sizeof(Value));
  BOOST_TEST(memory_bytes(Value(std::string(1'000, 'x'))) >= 1'000U);
  BOOST_TEST(memory_bytes(Value(List(100))) >= 100 * sizeof(Value));
  Map map;
  map.emplace("key", List(100));
  BOOST_TEST(memory_bytes(Value(std::move(map))) >= 100 * sizeof(Value));
}

BOOST_AUTO_TEST_CASE(content_that_others_hold_too_is_theirs) {
  const Value first = List(100);
  const Value second = first;
  BOOST_TEST(memory_bytes(second) == sizeof(Value));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::query
