#include "query/execute/rows/groups.hpp"

#include "tests/support/graph_builder.hpp"

#include <boost/test/unit_test.hpp>

#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

using test::must;
using Form = BatchColumn::Form;

struct Fixture {
  StatementOptions options;
  Budget budget{options};
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(group_keys, Fixture)

BOOST_AUTO_TEST_CASE(keys_are_numbered_as_they_come) {
  std::mt19937_64 random(3);
  for (const std::size_t words : {1U, 2U, 5U}) {
    WordKeys keys(words, budget);
    std::map<std::vector<std::uint64_t>, std::uint32_t> expected;
    for (int i = 0; i < 5'000; ++i) {
      std::vector<std::uint64_t> key;
      for (std::size_t word = 0; word < words; ++word)
        key.push_back((random() % 20) << (random() % 2 * 40));
      must(keys.reserve(1));
      const auto known =
          expected.try_emplace(key, static_cast<std::uint32_t>(expected.size())).first;
      BOOST_REQUIRE(keys.number(key) == known->second);
    }
    BOOST_TEST(keys.size() == expected.size());
    for (const auto& [key, number] : expected)
      BOOST_REQUIRE(
          (std::vector<std::uint64_t>(keys.key(number).begin(), keys.key(number).end()) == key));
  }
}

BOOST_AUTO_TEST_CASE(what_is_held_is_charged) {
  const std::size_t free = budget.free_bytes();
  {
    WordKeys keys(1, budget);
    must(keys.reserve(1'000));
    BOOST_TEST(free - budget.free_bytes() >= 1'000 * (sizeof(std::uint64_t) + 4));
  }
  BOOST_TEST(budget.free_bytes() == free);
  StatementOptions little;
  little.memory_bytes = 10'000;
  Budget small(little);
  WordKeys keys(1, small);
  BOOST_TEST(!keys.reserve(1'000).has_value());
}

// 1 and 1.0 are one key, and so are all nulls, whether rows come as words or as values.
BOOST_AUTO_TEST_CASE(groups_are_the_same_as_words_and_as_values) {
  Groups groups(1, budget);
  const auto integers = BatchColumn::words(Form::integers, {1, 2, 0, 1}, {0, 0, 1, 0});
  const auto floats = BatchColumn::words(
      Form::floats, {std::bit_cast<std::uint64_t>(1.0), std::bit_cast<std::uint64_t>(0.5)}, {});
  std::vector<std::uint32_t> numbers;
  const BatchColumn* column = &integers;
  must(groups.number_rows({&column, 1}, 4, numbers));
  BOOST_TEST(numbers == (std::vector<std::uint32_t>{0, 1, 2, 0}), boost::test_tools::per_element());
  BOOST_TEST(!groups.is_boxed());
  column = &floats;
  must(groups.number_rows({&column, 1}, 2, numbers));
  BOOST_TEST(groups.is_boxed());
  BOOST_TEST(numbers == (std::vector<std::uint32_t>{0, 3}), boost::test_tools::per_element());
  column = &integers;
  must(groups.number_rows({&column, 1}, 4, numbers));
  BOOST_TEST(numbers == (std::vector<std::uint32_t>{0, 1, 2, 0}), boost::test_tools::per_element());
  BOOST_TEST((groups.key(0) == RowKey{Value(1)}));
  BOOST_TEST((groups.key(2) == RowKey{Value()}));
}

// Batches with and without nulls, and words of any size, give the same keys the same numbers.
BOOST_AUTO_TEST_CASE(small_and_large_words_are_numbered_as_they_come) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    std::mt19937_64 random(seed);
    Groups groups(1, budget);
    std::map<std::pair<bool, std::uint64_t>, std::uint32_t> expected;
    for (int batch = 0; batch < 30; ++batch) {
      std::vector<std::uint64_t> words;
      std::vector<std::uint8_t> missing;
      const std::uint64_t bound = std::uint64_t{1} << random() % 20;
      for (std::size_t row = 0; row < 100; ++row) words.push_back(random() % bound);
      if (random() % 3 == 0)
        for (std::size_t row = 0; row < words.size(); ++row) missing.push_back(random() % 2);
      const auto integers = BatchColumn::words(Form::integers, words, missing);
      const BatchColumn* const column = &integers;
      std::vector<std::uint32_t> numbers;
      must(groups.number_rows({&column, 1}, words.size(), numbers));
      for (std::size_t row = 0; row < words.size(); ++row) {
        const bool is_null = integers.is_missing(row);
        const std::pair key{is_null, is_null ? 0 : words[row]};
        const auto next = static_cast<std::uint32_t>(expected.size());
        BOOST_REQUIRE(numbers[row] == expected.try_emplace(key, next).first->second);
      }
    }
    BOOST_TEST(groups.size() == expected.size());
    for (const auto& [key, number] : expected) {
      const Value value = key.first ? Value() : Value(static_cast<std::int64_t>(key.second));
      BOOST_REQUIRE((groups.key(number) == RowKey{value}));
    }
  }
}

// The same code stands for different texts in two dictionaries.
BOOST_AUTO_TEST_CASE(another_dictionary_is_another_meaning) {
  const auto dictionary_of = [](std::vector<Value> values) {
    return std::make_shared<const std::vector<Value>>(std::move(values));
  };
  Groups groups(1, budget);
  const auto first = BatchColumn::words(Form::codes, {0, 1}, {}, dictionary_of({"a", "b"}));
  const auto second = BatchColumn::words(Form::codes, {0, 1}, {}, dictionary_of({"b", "c"}));
  std::vector<std::uint32_t> numbers;
  const BatchColumn* column = &first;
  must(groups.number_rows({&column, 1}, 2, numbers));
  column = &second;
  must(groups.number_rows({&column, 1}, 2, numbers));
  BOOST_TEST(numbers == (std::vector<std::uint32_t>{1, 2}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::query
