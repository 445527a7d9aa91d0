// compare_ordered; that it agrees with the encodings is shown in ordered_key_test.cpp.
#include "codec/ordered_key.hpp"
#include "tests/support/value_generator.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>
#include <vector>

using namespace cairn;
using namespace cairn::codec;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

Path path(std::vector<std::uint64_t> ids) {
  Path out;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (i % 2 == 0)
      out.nodes.emplace_back(NodeId{ids[i]});
    else
      out.relationships.emplace_back(RelationshipId{ids[i]});
  }
  return out;
}

void check_ascending(const std::vector<Value>& values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t j = 0; j < values.size(); ++j) {
      const int order = compare_ordered(values[i], values[j]);
      BOOST_TEST((order < 0) == (i < j), values[i].to_text() << " before " << values[j].to_text());
      BOOST_TEST((order == 0) == (i == j));
    }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(ordered_compare)

BOOST_AUTO_TEST_CASE(types_have_the_order_of_the_language) {
  check_ascending({map_of({}), Node(NodeId{9}), Relationship(RelationshipId{1}), list_of({}),
                   path({1}), DateTime{}, LocalDateTime{}, Date{}, Time{}, LocalTime{}, Duration{},
                   Vector(), "", false, -infinity, not_a_number, Value()});
}

BOOST_AUTO_TEST_CASE(numbers_stand_in_one_line) {
  check_ascending({-infinity, -1.5, -1, 0, std::numeric_limits<double>::denorm_min(), 0.5, 1,
                   9007199254740992.0, (std::int64_t{1} << 53) + 1, 9007199254740994.0,
                   std::numeric_limits<std::int64_t>::max(), std::ldexp(1, 63), infinity,
                   not_a_number});
}

BOOST_AUTO_TEST_CASE(strings_stand_in_code_point_order) {
  using namespace std::string_view_literals;
  check_ascending({"", "A", "a", "a\0"sv, "aa", "b", "\xc3\xa9", "\xf0\x9f\x98\x80"});
}

BOOST_AUTO_TEST_CASE(lists_compare_element_by_element_and_shorter_first) {
  check_ascending({list_of({}), list_of({"a"}), list_of({"a", 1}), list_of({"b"}), list_of({1}),
                   list_of({1, 2}), list_of({1, Value()}), list_of({2}), list_of({Value()})});
}

BOOST_AUTO_TEST_CASE(maps_compare_by_all_keys_and_then_by_values) {
  check_ascending({map_of({}), map_of({{"a", 1}}), map_of({{"a", 2}}), map_of({{"a", 0}, {"b", 0}}),
                   map_of({{"a", 0}, {"b", 1}}), map_of({{"b", 0}})});
}

BOOST_AUTO_TEST_CASE(paths_compare_step_by_step) {
  check_ascending({path({1}), path({1, 1, 2}), path({1, 1, 3}), path({1, 2, 1}), path({2})});
}

BOOST_AUTO_TEST_CASE(times_compare_as_instants_and_then_by_offset) {
  constexpr std::int64_t hour = 3'600'000'000'000;
  check_ascending({Time{1 * hour, 7'200}, Time{0, 0}, Time{1 * hour, 3'600}, Time{1 * hour, 0}});
  check_ascending({DateTime{-1, 999'999'999, 0, ""}, DateTime{0, 0, -3'600, ""},
                   DateTime{0, 0, 0, ""}, DateTime{0, 0, 0, "UTC"}, DateTime{0, 1, 0, ""}});
}

BOOST_AUTO_TEST_CASE(durations_compare_by_length) {
  check_ascending({Duration{0, -1, 0, 0}, Duration{}, Duration{0, 0, 0, 1},
                   Duration{0, 0, 86'400, 0}, Duration{0, 1, 0, 0}, Duration{0, 30, 0, 0},
                   Duration{1, 0, 0, 0}, Duration{0, 31, 0, 0}});
}

BOOST_AUTO_TEST_CASE(vectors_compare_by_dimension_and_then_by_components) {
  check_ascending({Vector(), Vector({2.0F}), Vector({std::nanf("")}), Vector({-1.0F, 5.0F}),
                   Vector({0.0F, 1.0F})});
  BOOST_TEST(compare_ordered(Vector({0.0F}), Vector({-0.0F})) == 0);
}

BOOST_AUTO_TEST_CASE(the_order_is_transitive) {
  const std::uint64_t seed = test::test_seed();
  test::ValueGenerator random(seed);
  for (int i = 0; i < 20'000; ++i) {
    const Value a = random.any(2);
    const Value b = random.any(2);
    const Value c = random.any(2);
    if (compare_ordered(a, b) > 0 || compare_ordered(b, c) > 0) continue;
    BOOST_TEST_REQUIRE(compare_ordered(a, c) <= 0, "seed " << seed);
  }
}

BOOST_AUTO_TEST_SUITE_END()
