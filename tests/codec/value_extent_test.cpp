#include "codec/value_extent.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>

namespace cairn::codec {
namespace {

// By a walk over all of it.
std::uint64_t walked_bytes(const Value& value) {
  std::uint64_t bytes = sizeof(Value);
  if (value.list() != nullptr) bytes += list_bytes;
  if (value.map() != nullptr) bytes += map_bytes;
  if (const List* list = value.list())
    for (const Value& item : *list) bytes += walked_bytes(item);
  if (const Map* map = value.map())
    for (const auto& [key, item] : *map)
      bytes += map_entry_bytes - sizeof(Value) + key.size() + walked_bytes(item);
  if (const std::string* text = value.string()) bytes += text->size();
  return bytes;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(value_extent)

BOOST_AUTO_TEST_CASE(an_extent_is_what_a_walk_finds) {
  const Value value = list_of(
      {1, "a text", list_of({2.5, nullptr, list_of({})}), map_of({{"key", list_of({"x", "yz"})}})});
  BOOST_TEST(extent_of(value).bytes == walked_bytes(value));
  BOOST_TEST(extent_of(value).levels == 3U);
  BOOST_TEST(extent_of(Value(1)).levels == 0U);
  BOOST_TEST(extent_of(list_of({})).levels == 1U);
  BOOST_TEST(extent_of(map_of({{"a", map_of({})}})).levels == 2U);
}

BOOST_AUTO_TEST_CASE(shared_parts_count_each_time_until_the_number_is_full) {
  Value list = list_of({1});
  for (int i = 0; i < 10; ++i) list = list_of({list, list});
  BOOST_TEST(extent_of(list).bytes == walked_bytes(list));
  BOOST_TEST(extent_of(list).levels == 11U);
  for (int i = 0; i < 100; ++i) list = list_of({list, list});
  BOOST_TEST(extent_of(list).bytes == std::numeric_limits<std::uint64_t>::max());
}

BOOST_AUTO_TEST_CASE(a_value_whose_content_has_gone_has_none) {
  Value list = list_of({1, 2, 3});
  const Value taken = std::move(list);
  BOOST_TEST(extent_of(list).bytes == sizeof(Value));
  BOOST_TEST(extent_of(taken).bytes == list_bytes + 4 * sizeof(Value));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::codec
