#include "codec/ordered_key.hpp"

#include "codec/keys.hpp"
#include "codec/limits.hpp"
#include "tests/support/value_generator.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>

using namespace cairn;
using namespace cairn::codec;
using namespace std::string_view_literals;

namespace {

std::string ordered(const Value& value) {
  std::string bytes;
  append_ordered(bytes, value);
  return bytes;
}

std::string index_value(const Value& value) {
  std::string bytes;
  append_index_value(bytes, value);
  return bytes;
}

std::string string_prefix(OrderedTag tag, std::string_view text) {
  std::string bytes;
  append_string_prefix(bytes, tag, text);
  return bytes;
}

bool is_corruption(std::string_view bytes) {
  const auto result = read_ordered(bytes);
  return !result.has_value() && result.error().code == ErrorCode::corruption;
}

Value nested_list(std::uint32_t levels) {
  Value value;
  for (std::uint32_t i = 0; i < levels; ++i) value = list_of({value});
  return value;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(ordered_key)

BOOST_AUTO_TEST_CASE(bytes_compare_as_the_values_do) {
  const std::uint64_t seed = test::test_seed();
  test::ValueGenerator random(seed);
  for (int i = 0; i < 30'000; ++i) {
    const Value a = random.any();
    const Value b = random.any();
    const int bytes = ordered(a).compare(ordered(b));
    const int values = compare_ordered(a, b);
    BOOST_TEST_REQUIRE(((bytes < 0) == (values < 0) && (bytes > 0) == (values > 0)),
                       "seed " << seed << ": " << a.to_text() << " and " << b.to_text());
  }
}

BOOST_AUTO_TEST_CASE(a_value_reads_back_as_its_equal) {
  const std::uint64_t seed = test::test_seed() + 1;
  test::ValueGenerator random(seed);
  for (int i = 0; i < 20'000; ++i) {
    const Value value = random.any();
    const std::string bytes = ordered(value);
    std::string_view rest = bytes;
    const auto read = read_ordered(rest);
    BOOST_TEST_REQUIRE(read.has_value(), "seed " << seed << ": " << value.to_text());
    BOOST_TEST_REQUIRE(compare_ordered(*read, value) == 0);
    BOOST_TEST_REQUIRE(rest.empty());
    BOOST_TEST_REQUIRE(ordered(*read) == bytes);
  }
}

BOOST_AUTO_TEST_CASE(an_encoding_ends_itself) {
  test::ValueGenerator random(test::test_seed() + 2);
  for (int i = 0; i < 5'000; ++i) {
    const std::string bytes = ordered(random.any());
    const std::string more = random.bytes(12);
    const std::string both = bytes + more;
    std::string_view rest = both;
    BOOST_TEST_REQUIRE(read_ordered(rest).has_value());
    BOOST_TEST_REQUIRE(rest == more);
    for (std::size_t cut = 0; cut < bytes.size(); ++cut)
      BOOST_TEST_REQUIRE(is_corruption(std::string_view(bytes).substr(0, cut)));
  }
}

BOOST_AUTO_TEST_CASE(damaged_bytes_give_an_error_or_the_one_value_they_encode) {
  test::ValueGenerator random(test::test_seed() + 3);
  for (int i = 0; i < 30'000; ++i) {
    const std::string bytes = random.damaged(ordered(random.any()));
    std::string_view rest = bytes;
    const auto read = read_ordered(rest);
    if (read) BOOST_TEST_REQUIRE(ordered(*read) + std::string(rest) == bytes);
  }
}

BOOST_AUTO_TEST_CASE(whole_floats_and_integers_share_one_encoding) {
  BOOST_TEST(ordered(1) == ordered(1.0));
  BOOST_TEST(ordered(0) == ordered(-0.0));
  BOOST_TEST(ordered(std::int64_t{1} << 53) == ordered(9007199254740992.0));
  BOOST_TEST(ordered((std::int64_t{1} << 53) + 1) != ordered(9007199254740992.0));
}

BOOST_AUTO_TEST_CASE(zero_bytes_in_strings_neither_end_nor_reorder_them) {
  BOOST_TEST(ordered("a\0b"sv) ==
             "\x50"
             "a\0\xff"
             "b\0\0"sv);
  BOOST_TEST((ordered("a"sv) < ordered("a\0"sv)));
  BOOST_TEST((ordered("a\0\0"sv) < ordered("a\1"sv)));
}

BOOST_AUTO_TEST_CASE(nesting_is_limited_on_both_sides_of_the_edge) {
  const std::string deepest = ordered(nested_list(max_nesting_levels));
  std::string_view rest = deepest;
  BOOST_TEST(read_ordered(rest).has_value());
  BOOST_TEST(is_corruption(ordered(nested_list(max_nesting_levels + 1))));
  BOOST_TEST(is_corruption(std::string(1'000'000, '\x28')));
}

BOOST_AUTO_TEST_CASE(impossible_bytes_are_corruption) {
  BOOST_TEST(is_corruption(""));
  BOOST_TEST(is_corruption("\x7e"sv));    // no such tag
  BOOST_TEST(is_corruption("\x58\2"sv));  // boolean
  BOOST_TEST(
      is_corruption("\x50"
                    "a\0\1"sv));  // escape
  BOOST_TEST(
      is_corruption("\x10\x50"
                    "b\0\0\x50"
                    "a\0\0\0\x70\x70"sv));  // keys descend
  BOOST_TEST(is_corruption("\x30\2"sv));    // path
  BOOST_TEST(
      is_corruption("\x48\xff\xff\xff\xff"
                    "aaaa"sv));                                             // dimension
  BOOST_TEST(is_corruption(std::string("\x3a") + std::string(8, '\xff')));  // date
}

BOOST_AUTO_TEST_CASE(a_long_string_is_indexed_by_prefix_and_hash) {
  const std::string edge(max_indexed_string_bytes, 'x');
  const std::string longer = edge + "y";
  BOOST_TEST(index_value(edge) == ordered(edge));
  BOOST_TEST(!index_value_needs_recheck(edge));
  BOOST_TEST(index_value(longer).size() == 1 + long_string_prefix_bytes + 2 + 16);
  BOOST_TEST(index_value_needs_recheck(longer));
  BOOST_TEST(index_value(longer) != index_value(edge + "z"));
  BOOST_TEST(index_value(longer).substr(0, 66) == index_value(edge + "z").substr(0, 66));
}

BOOST_AUTO_TEST_CASE(a_string_prefix_begins_all_strings_that_start_with_it) {
  const std::string zeros("a\0"sv);
  BOOST_TEST(ordered(zeros + "b").starts_with(string_prefix(OrderedTag::string, zeros)));
  BOOST_TEST(ordered(zeros).starts_with(string_prefix(OrderedTag::string, zeros)));
  BOOST_TEST(!ordered("ab").starts_with(string_prefix(OrderedTag::string, zeros)));
  const std::string text(300, 'q');
  BOOST_TEST(index_value(text).starts_with(string_prefix(OrderedTag::long_string, "qqq")));
  BOOST_TEST(
      index_value(text).starts_with(string_prefix(OrderedTag::long_string, text.substr(0, 100))));
}

BOOST_AUTO_TEST_CASE(equal_containers_have_equal_hashes) {
  BOOST_TEST(container_hash(list_of({1, "a"})) == container_hash(list_of({1.0, "a"})));
  BOOST_TEST(container_hash(list_of({1, 2})) != container_hash(list_of({2, 1})));
  BOOST_TEST(container_hash(list_of({})) != container_hash(map_of({})));
  BOOST_TEST(container_hash(list_of({})).size() == 16U);
  BOOST_TEST(index_value_needs_recheck(list_of({})));
  BOOST_TEST(index_value_needs_recheck(map_of({})));
}

BOOST_AUTO_TEST_CASE(the_tag_says_the_type) {
  BOOST_TEST((ordered_tag(1) == OrderedTag::number));
  BOOST_TEST((ordered_tag(1.5) == OrderedTag::number));
  BOOST_TEST((ordered_tag(std::numeric_limits<double>::quiet_NaN()) == OrderedTag::not_a_number));
  BOOST_TEST((ordered_tag(std::string(500, 'x')) == OrderedTag::string));
}

BOOST_AUTO_TEST_SUITE_END()
