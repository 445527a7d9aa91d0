#include "query/functions/value_semantics.hpp"
#include "tests/query/functions/support.hpp"
#include "tests/support/value_generator.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>

using namespace cairn;
using namespace cairn::query;

namespace {

const Value null;
const double not_a_number = std::numeric_limits<double>::quiet_NaN();

}  // namespace

BOOST_AUTO_TEST_SUITE(equivalence)

BOOST_AUTO_TEST_CASE(null_and_nan_are_the_same_as_themselves) {
  BOOST_TEST(equivalent(null, null));
  BOOST_TEST(equivalent(not_a_number, -not_a_number));
  BOOST_TEST(equivalent(list_of({null, not_a_number}), list_of({null, not_a_number})));
  BOOST_TEST(equivalent(map_of({{"a", null}}), map_of({{"a", null}})));
  BOOST_TEST(!equivalent(null, false));
  BOOST_TEST(!equivalent(map_of({}), map_of({{"a", null}})));
}

BOOST_AUTO_TEST_CASE(values_that_differ_in_type_only_hash_alike) {
  const std::pair<Value, Value> pairs[] = {
      {1, 1.0},
      {0, -0.0},
      {std::numeric_limits<std::int64_t>::min(), -0x1p63},
      {not_a_number, -not_a_number},
      {Vector({1.0F, 0.5F}), list_of({1, 0.5})},
      {list_of({map_of({{"a", 1}})}), list_of({map_of({{"a", 1.0}})})},
  };
  for (const auto& [a, b] : pairs) {
    BOOST_TEST_CONTEXT(a.to_text() << " and " << b.to_text()) {
      BOOST_TEST(equivalent(a, b));
      BOOST_TEST(hash_value(a) == hash_value(b));
    }
  }
}

BOOST_AUTO_TEST_CASE(neighbours_hash_apart) {
  BOOST_TEST(hash_value(1) != hash_value(2));
  BOOST_TEST(hash_value("1") != hash_value(1));
  BOOST_TEST(hash_value(list_of({1, 2})) != hash_value(list_of({2, 1})));
  BOOST_TEST(hash_value(Date{1}) != hash_value(LocalTime{1}));
  BOOST_TEST(hash_value(Node(NodeId{1})) != hash_value(Relationship(RelationshipId{1})));
}

BOOST_AUTO_TEST_CASE(equivalence_is_reflexive_symmetric_and_agrees_with_the_hash) {
  const std::uint64_t seed = cairn::test::test_seed();
  cairn::test::ValueGenerator random(seed);
  for (int i = 0; i < 20'000; ++i) {
    const Value a = random.any();
    const Value b = random.any();
    const bool same = equivalent(a, b);
    BOOST_TEST_REQUIRE((equivalent(a, a) && same == equivalent(b, a)),
                       "seed " << seed << ": " << a.to_text() << " and " << b.to_text());
    BOOST_TEST_REQUIRE((!same || hash_value(a) == hash_value(b)),
                       "seed " << seed << ": " << a.to_text() << " and " << b.to_text());
  }
}

BOOST_AUTO_TEST_CASE(what_is_equal_is_equivalent_and_what_is_known_to_differ_is_not) {
  const std::uint64_t seed = cairn::test::test_seed();
  cairn::test::ValueGenerator random(seed);
  for (int i = 0; i < 20'000; ++i) {
    const Value a = random.any(2);
    const Value b = random.below(4) == 0 ? a : random.any(2);
    const auto equal = equals(a, b);
    if (!equal) continue;
    // NaN alone is equivalent without being equal, at any depth.
    const bool has_nan = a.to_text().find("NaN") != std::string::npos;
    BOOST_TEST_REQUIRE((*equal ? equivalent(a, b) : has_nan || !equivalent(a, b)),
                       "seed " << seed << ": " << a.to_text() << " and " << b.to_text());
  }
}

BOOST_AUTO_TEST_SUITE_END()
