#include "engine/index/sorted_column.hpp"
#include "tests/support/value_generator.hpp"

#include <boost/test/unit_test.hpp>

#include <random>
#include <set>

using namespace cairn;
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
