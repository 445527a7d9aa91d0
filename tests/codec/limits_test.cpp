#include "codec/limits.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>

using namespace cairn;
using namespace cairn::codec;

namespace {

Value nested_list(std::uint32_t levels) {
  Value value;
  for (std::uint32_t i = 0; i < levels; ++i) value = list_of({value});
  return value;
}

bool fails_with(const Status& status, ErrorCode code) {
  return !status.has_value() && status.error().code == code;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(limits)

BOOST_AUTO_TEST_CASE(nesting_is_limited_at_its_edge) {
  BOOST_TEST(check_storable(nested_list(max_nesting_levels)).has_value());
  BOOST_TEST(
      fails_with(check_storable(nested_list(max_nesting_levels + 1)), ErrorCode::resource_limit));
  BOOST_TEST(fails_with(check_storable(nested_list(5'000)), ErrorCode::resource_limit));
}

BOOST_AUTO_TEST_CASE(items_are_limited_at_their_edge) {
  BOOST_TEST(check_storable(List(max_container_items)).has_value());
  const Status status = check_storable(list_of({List(max_container_items + 1)}));
  BOOST_TEST(fails_with(status, ErrorCode::resource_limit));
  BOOST_TEST(status.error().message == "items of a list or map: 65537; the limit is 65536");
}

BOOST_AUTO_TEST_CASE(map_keys_are_limited_at_their_edge) {
  BOOST_TEST(check_storable(map_of({{std::string(max_name_bytes, 'k'), 1}})).has_value());
  BOOST_TEST(fails_with(check_storable(map_of({{std::string(max_name_bytes + 1, 'k'), 1}})),
                        ErrorCode::resource_limit));
}

BOOST_AUTO_TEST_CASE(bytes_are_limited_at_their_edge) {
  const std::size_t overhead = counted_bytes(Value(""));
  BOOST_TEST(check_storable(std::string(max_value_bytes - overhead, 'x')).has_value());
  BOOST_TEST(fails_with(check_storable(std::string(max_value_bytes - overhead + 1, 'x')),
                        ErrorCode::resource_limit));
}

BOOST_AUTO_TEST_CASE(a_vector_stands_alone_and_has_a_largest_dimension) {
  BOOST_TEST(check_storable(Vector(std::vector<float>(max_dimension))).has_value());
  BOOST_TEST(fails_with(check_storable(Vector(std::vector<float>(max_dimension + 1))),
                        ErrorCode::resource_limit));
  BOOST_TEST(fails_with(check_storable(list_of({Vector({1.0F})})), ErrorCode::type_error));
}

BOOST_AUTO_TEST_CASE(graph_elements_are_refused_by_name) {
  const Status status = check_storable(Node(NodeId{1}));
  BOOST_TEST(fails_with(status, ErrorCode::type_error));
  BOOST_TEST(status.error().message == "a node cannot be stored in a property");
  BOOST_TEST(fails_with(check_storable(list_of({Path{}})), ErrorCode::type_error));
  BOOST_TEST(fails_with(check_storable(map_of({{"r", Relationship()}})), ErrorCode::type_error));
}

BOOST_AUTO_TEST_CASE(a_temporal_value_out_of_range_is_refused_before_it_is_written) {
  BOOST_TEST(check_storable(Date{0}).has_value());
  const Status status = check_storable(list_of({Date{std::numeric_limits<std::int64_t>::max()}}));
  BOOST_TEST(fails_with(status, ErrorCode::invalid_argument));
  BOOST_TEST(status.error().message == "a date is out of range");
  BOOST_TEST(!check_storable(LocalTime{-1}).has_value());
  BOOST_TEST(!check_storable(Duration{0, 0, 0, -1}).has_value());
}

BOOST_AUTO_TEST_CASE(bytes_count_strings_keys_and_values) {
  BOOST_TEST(counted_bytes(Value(1)) == 9U);
  BOOST_TEST(counted_bytes(Value("abc")) == 12U);
  BOOST_TEST(counted_bytes(map_of({{"key", list_of({1, "x"})}})) == 9U + 3 + 9 + 9 + 10);
}

BOOST_AUTO_TEST_SUITE_END()
