// The shape of a plan: how many parts, and which of them must be rechecked. That the parts find the
// right ids is property_index_test's.
#include "engine/index/index_entries.hpp"
#include "engine/index/property_index.hpp"
#include "engine/view/view.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>

using namespace cairn;
using engine::IndexPredicate;
using engine::LookupPlan;
using Operation = IndexPredicate::Operation;

namespace {

constexpr std::size_t kind_and_path = 1 + sizeof(std::uint32_t);

LookupPlan plan(Operation operation, const Value& low, const Value& high = {}) {
  IndexPredicate question;
  question.path = 70;
  question.operation = operation;
  question.low = low;
  question.high = high;
  return engine::plan_lookup(question);
}

bool is_exact(const LookupPlan& parts) {
  return std::all_of(parts.begin(), parts.end(), [](const auto& part) { return part.exact; });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(lookup_plan)

BOOST_AUTO_TEST_CASE(a_short_scalar_is_one_posting) {
  for (const Value& value : {Value(7), Value(7.5), Value("text"), Value(true)}) {
    const LookupPlan parts = plan(Operation::equals, value);
    BOOST_REQUIRE(parts.size() == 1u);
    BOOST_TEST(parts[0].single);
    BOOST_TEST(parts[0].exact);
  }
}

BOOST_AUTO_TEST_CASE(a_number_has_one_key_whatever_its_type) {
  BOOST_TEST(
      (plan(Operation::equals, 7)[0].range.first == plan(Operation::equals, 7.0)[0].range.first));
}

BOOST_AUTO_TEST_CASE(null_and_nan_equal_nothing) {
  BOOST_TEST(plan(Operation::equals, Value()).empty());
  BOOST_TEST(plan(Operation::equals, std::nan("")).empty());
}

BOOST_AUTO_TEST_CASE(lists_with_a_null_are_one_posting) {
  const LookupPlan parts = plan(Operation::element, Value());
  BOOST_REQUIRE(parts.size() == 1u);
  BOOST_TEST(parts[0].single);
  BOOST_TEST(parts[0].exact);
  const std::string name = engine::presence_posting(
      codec::EntityKind::node, 70, codec::EntryKind::element_presence, codec::OrderedTag::null);
  BOOST_TEST((parts[0].range.first == name));
  BOOST_TEST(plan(Operation::element, std::nan("")).empty());
}

BOOST_AUTO_TEST_CASE(what_is_cut_or_hashed_is_compared_again) {
  BOOST_TEST(!is_exact(plan(Operation::equals, std::string(5'000, 'x'))));
  BOOST_TEST(!is_exact(plan(Operation::equals, list_of({"a", "b"}))));
}

BOOST_AUTO_TEST_CASE(a_list_of_numbers_may_be_a_vector) {
  BOOST_TEST(plan(Operation::equals, list_of({1, 2})).size() == 2u);
  BOOST_TEST(plan(Operation::equals, list_of({"a", "b"})).size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_range_is_one_scan_and_a_crossed_one_none) {
  const LookupPlan parts = plan(Operation::range, 3, 9);
  BOOST_REQUIRE(parts.size() == 1u);
  BOOST_TEST(!parts[0].single);
  BOOST_TEST(plan(Operation::range, 9, 3).empty());
}

BOOST_AUTO_TEST_CASE(bounds_of_two_types_have_nothing_between_them) {
  BOOST_TEST(plan(Operation::range, 3, "z").empty());
}

BOOST_AUTO_TEST_CASE(every_range_of_a_plan_is_of_its_path) {
  for (const auto operation : {Operation::present, Operation::of_type, Operation::equals,
                               Operation::element, Operation::range, Operation::starts_with}) {
    for (const auto& part : plan(operation, "a", "b")) {
      const auto prefix =
          codec::index_prefix(codec::EntityKind::node, 70, codec::EntryKind::scalar, "");
      BOOST_TEST(part.range.first.starts_with(prefix.substr(0, kind_and_path)));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
