#include "query/functions/value_semantics.hpp"
#include "tests/query/functions/support.hpp"

#include <boost/test/unit_test.hpp>

using namespace cairn;
using namespace cairn::query;
using cairn::query::test::text_of;

namespace {

const Value null;
const Value numbers = list_of({1, 2, 3});

std::string sliced(const Value& list, std::optional<Value> from, std::optional<Value> to) {
  return text_of(slice(list, from ? &*from : nullptr, to ? &*to : nullptr));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(value_access)

BOOST_AUTO_TEST_CASE(a_list_is_read_by_positions_from_either_end) {
  BOOST_TEST(text_of(subscript(numbers, 0)) == "1");
  BOOST_TEST(text_of(subscript(numbers, -1)) == "3");
  BOOST_TEST(text_of(subscript(numbers, 3)) == "null");
  BOOST_TEST(text_of(subscript(numbers, -4)) == "null");
  BOOST_TEST(text_of(subscript(numbers, null)) == "null");
  BOOST_TEST(text_of(subscript(Vector({0.5F, 1.0F}), 1)) == "1.0");
}

BOOST_AUTO_TEST_CASE(a_map_is_read_by_keys_in_their_case) {
  const Value map = map_of({{"name", 1}, {"null", 2}});
  BOOST_TEST(text_of(subscript(map, "name")) == "1");
  BOOST_TEST(text_of(subscript(map, "Name")) == "null");
  BOOST_TEST(text_of(subscript(map, "null")) == "2");
  BOOST_TEST(text_of(subscript(map, null)) == "null");
  BOOST_TEST(text_of(member(map, "name")) == "1");
  BOOST_TEST(text_of(member(map, "missing")) == "null");
  BOOST_TEST(text_of(member(null, "name")) == "null");
}

BOOST_AUTO_TEST_CASE(the_wrong_kind_of_key_or_container_is_a_type_error) {
  const std::string expected = "error: type_error";
  BOOST_TEST(text_of(subscript(numbers, "0")) == expected);
  BOOST_TEST(text_of(subscript(numbers, 0.5)) == expected);
  BOOST_TEST(text_of(subscript(map_of({}), 0)) == expected);
  BOOST_TEST(text_of(subscript("text", 0)) == expected);
  BOOST_TEST(text_of(member(1, "num")) == expected);
  BOOST_TEST(sliced("text", 0, 1) == expected);
  BOOST_TEST(sliced(numbers, "0", 1) == expected);
  BOOST_TEST(sliced(numbers, 0, 1.5) == expected);
}

BOOST_AUTO_TEST_CASE(whole_floats_are_positions) {
  BOOST_TEST(text_of(subscript(numbers, 0.0)) == "1");
  BOOST_TEST(text_of(subscript(numbers, -1.0)) == "3");
  BOOST_TEST(sliced(numbers, 1.0, 3.0) == "[2, 3]");
}

BOOST_AUTO_TEST_CASE(a_slice_is_what_its_bounds_and_the_list_have_in_common) {
  BOOST_TEST(sliced(numbers, 1, 3) == "[2, 3]");
  BOOST_TEST(sliced(numbers, 1, std::nullopt) == "[2, 3]");
  BOOST_TEST(sliced(numbers, std::nullopt, 2) == "[1, 2]");
  BOOST_TEST(sliced(numbers, -3, -1) == "[1, 2]");
  BOOST_TEST(sliced(numbers, 3, 1) == "[]");
  BOOST_TEST(sliced(numbers, -5, 5) == "[1, 2, 3]");
  BOOST_TEST(sliced(Vector({1.0F, 2.0F}), 1, std::nullopt) == "[2.0]");
}

BOOST_AUTO_TEST_CASE(a_slice_with_an_unknown_bound_is_unknown) {
  BOOST_TEST(sliced(numbers, null, 1) == "null");
  BOOST_TEST(sliced(numbers, std::nullopt, null) == "null");
  BOOST_TEST(sliced(null, 0, 1) == "null");
}

BOOST_AUTO_TEST_SUITE_END()
