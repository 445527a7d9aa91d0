// Compares ranges by a cached order with a plain comparison of all values, while the values change.

#include "engine/index/path_column.hpp"

#include "codec/ordered_key.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/database/access.hpp"
#include "engine/view/lookup_result.hpp"
#include "engine/view/view.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/value_generator.hpp"

#include <boost/test/unit_test.hpp>

#include <map>

using namespace cairn;
using engine::IndexPredicate;
using test::must;

namespace {

using Values = std::map<std::uint64_t, Value>;
constexpr double much = 1e9;
constexpr auto node = codec::EntityKind::node;

// Numbers of many values, and some texts, short and long.
Value draw(test::ValueGenerator& random) {
  if (random.below(10) == 0) return random.string();
  if (random.below(30) == 0) return std::string(300, 'l') + random.string();
  return random.below(2) == 0 ? Value(static_cast<std::int64_t>(random.below(1'000)))
                              : Value(static_cast<double>(random.below(100'000)) / 100);
}

struct Fixture {
  Fixture() {
    Transaction transaction = must(database->begin());
    for (int i = 0; i < 1'500; ++i) {
      Value value = draw(random);
      const NodeId id = must(transaction.create_node({{"N"}, {{"p", value}, {"q", i}}}));
      values[id.value] = std::move(value);
    }
    must(transaction.commit());
  }

  std::shared_ptr<const engine::View> view() { return Access::view(must(database->snapshot())); }

  // Some records get another value, some lose theirs, some are gone, in one commit.
  void change() {
    Transaction transaction = must(database->begin());
    for (int i = 0; i < 20; ++i) {
      const auto at =
          std::next(values.begin(), static_cast<std::ptrdiff_t>(random.below(values.size())));
      const std::uint64_t kind = random.below(4);
      if (kind == 0) must(transaction.erase_node(NodeId{at->first}));
      if (kind == 1) must(transaction.set_property(NodeId{at->first}, "p", Value()));
      if (kind <= 1) {
        values.erase(at);
        continue;
      }
      at->second = draw(random);
      must(transaction.set_property(NodeId{at->first}, "p", at->second));
    }
    must(transaction.commit());
  }

  static void check(const engine::View& view, const Values& expected,
                    const IndexPredicate& question) {
    std::vector<std::uint64_t> ids;
    for (const auto& [id, value] : expected) {
      if (!value.is_number()) continue;
      const int low = question.low.is_null() ? 1 : codec::compare_ordered(value, question.low);
      const int high = question.high.is_null() ? 1 : codec::compare_ordered(question.high, value);
      if ((low > 0 || (low == 0 && question.low_inclusive)) &&
          (high > 0 || (high == 0 && question.high_inclusive)))
        ids.push_back(id);
    }
    const auto found = must(view.lookup(question));
    BOOST_TEST((found.ids == codec::Bitmap::from_sorted(ids)));
    BOOST_TEST(found.exact);
    if (engine::path_column(view, node, question.path, 0).value() == nullptr) return;
    BOOST_TEST(must(view.estimate(question)).rows == static_cast<double>(ids.size()));
  }

  void check(const engine::View& view, const Values& expected) {
    IndexPredicate question;
    question.path = *view.catalog().find_path(node, "p");
    question.operation = IndexPredicate::Operation::range;
    for (int i = 0; i < 20; ++i) {
      question.low = i % 3 == 0 ? Value() : Value(static_cast<std::int64_t>(random.below(1'000)));
      question.high = i % 3 == 1 ? Value() : Value(static_cast<double>(random.below(1'000)) + 0.5);
      if (question.low.is_null() && question.high.is_null()) continue;
      question.low_inclusive = random.boolean();
      question.high_inclusive = random.boolean();
      check(view, expected, question);
    }
  }

  test::ValueGenerator random{test::test_seed()};
  test::TemporaryDatabase database;
  Values values;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(path_column, Fixture)

BOOST_AUTO_TEST_CASE(ranges_are_right_before_and_with_an_order_and_after_each_change) {
  const std::uint32_t path = *view()->catalog().find_path(node, "p");
  const auto held = view();
  const Values before = values;
  check(*held, before);
  BOOST_TEST((must(engine::path_column(*held, node, path, much)) != nullptr));
  check(*held, before);
  for (int i = 0; i < 8; ++i) {
    change();
    const auto now = view();
    // The order follows.
    BOOST_TEST((must(engine::path_column(*now, node, path, 0)) != nullptr));
    check(*now, values);
  }
  check(*held, before);
}

BOOST_AUTO_TEST_CASE(an_order_comes_when_scans_have_cost_as_much) {
  const auto now = view();
  const std::uint32_t path = *now->catalog().find_path(node, "p");
  IndexPredicate question;
  question.path = path;
  question.operation = IndexPredicate::Operation::range;
  for (int i = 0; i < 200; ++i) {
    question.low = i;
    BOOST_TEST(must(now->lookup(question)).exact);
  }
  BOOST_TEST((must(engine::path_column(*now, node, path, 0)) != nullptr));
}

BOOST_AUTO_TEST_CASE(a_writing_transaction_sees_its_own_changes_and_no_order) {
  const std::uint32_t path = *view()->catalog().find_path(node, "p");
  BOOST_TEST((must(engine::path_column(*view(), node, path, much)) != nullptr));
  Transaction transaction = must(database->begin());
  const std::uint64_t id = values.begin()->first;
  must(transaction.set_property(NodeId{id}, "p", 5'000));
  values[id] = 5'000;
  const engine::View& own = Access::view(transaction);
  BOOST_TEST((must(engine::path_column(own, node, path, much)) == nullptr));
  check(own, values);
}

BOOST_AUTO_TEST_CASE(what_has_no_place_in_the_order_is_told) {
  Transaction transaction = must(database->begin());
  std::vector<std::uint64_t> odd;
  for (const Value& value : {Value(list_of({1, 2})), Value(Map{{"a", 1}}),
                             Value(std::string(300, 'x')), Value(Vector({1.0F, 2.0F}))})
    odd.push_back(must(transaction.create_node({{"N"}, {{"r", value}}})).value);
  must(transaction.create_node({{"N"}, {{"r", "short"}}}));
  must(transaction.commit());
  const auto now = view();
  const auto found =
      must(engine::unordered_at_path(*now, node, *now->catalog().find_path(node, "r")));
  BOOST_TEST((found == codec::Bitmap::from_sorted(odd)));
}

BOOST_AUTO_TEST_SUITE_END()
