// Compares every operation of the index with a plain comparison of all values, for random values,
// in a snapshot and inside a transaction that has its own changes.

#include "engine/index/property_index.hpp"

#include "codec/instant.hpp"
#include "codec/ordered_key.hpp"
#include "engine/database/access.hpp"
#include "engine/index/index_entries.hpp"
#include "engine/view/lookup_result.hpp"
#include "engine/view/view.hpp"
#include "engine/write/index_request.hpp"
#include "engine/write/writer.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/value_generator.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <map>

using namespace cairn;
using engine::IndexPredicate;
using engine::View;
using test::must;
using test::TemporaryDatabase;
using Operation = IndexPredicate::Operation;
using Values = std::map<std::uint64_t, Value>;

namespace {

bool is_nan(const Value& value) {
  return value.type() == ValueType::floating && std::isnan(value.as_float());
}

bool equals(const Value& a, const Value& b) {
  return !a.is_null() && !is_nan(a) && codec::compare_ordered(a, b) == 0;
}

bool is_container(const Value& value) { return value.list() != nullptr || value.map() != nullptr; }

bool same_type(const Value& a, const Value& b) {
  if (a.is_number() && b.is_number()) return true;
  if (a.list() != nullptr && b.list() != nullptr) return true;
  return engine::presence_tag(a) == engine::presence_tag(b);
}

bool in_range(const Value& value, const IndexPredicate& question) {
  const Value& typed = question.low.is_null() ? question.high : question.low;
  if (is_container(value) || is_nan(value) || is_nan(question.low) || is_nan(question.high) ||
      !same_type(value, typed)) {
    return false;
  }
  if (!question.low.is_null() && !same_type(question.high, typed) && !question.high.is_null()) {
    return false;
  }
  const auto inside = [](int order, bool inclusive) {
    return order > 0 || (inclusive && order == 0);
  };
  return (question.low.is_null() ||
          inside(codec::compare_ordered(value, question.low), question.low_inclusive)) &&
         (question.high.is_null() ||
          inside(codec::compare_ordered(question.high, value), question.high_inclusive));
}

bool has_element(const Value& value, const Value& wanted) {
  if (value.list() == nullptr) return false;
  return std::any_of(value.as_list().begin(), value.as_list().end(),
                     [&](const Value& element) { return equals(element, wanted); });
}

/// What the answer must be, without any index.
bool matches(const Value& value, const IndexPredicate& question) {
  switch (question.operation) {
    case Operation::present:
      return true;
    case Operation::of_type:
      return same_type(value, question.low);
    case Operation::equals:
      return equals(value, question.low);
    case Operation::element:
      return has_element(value, question.low);
    case Operation::range:
      return in_range(value, question);
    case Operation::starts_with:
      return value.string() != nullptr && question.low.string() != nullptr &&
             value.string()->starts_with(*question.low.string());
    case Operation::instant: {
      const auto instant =
          value.string() == nullptr ? std::nullopt : codec::parse_instant(*value.string());
      return instant && *instant >= question.low.as_integer() &&
             *instant < question.high.as_integer();
    }
  }
  return false;
}

void check(const View& view, const Values& values, const IndexPredicate& question) {
  codec::Bitmap expected;
  for (const auto& [id, value] : values) {
    if (matches(value, question)) expected.add(id);
  }
  const auto found = must(view.lookup(question));
  const auto text = "operation " + std::to_string(static_cast<int>(question.operation)) + " low " +
                    question.low.to_text() + " high " + question.high.to_text() + " seed " +
                    std::to_string(test::test_seed());
  if (found.exact)
    BOOST_TEST((found.ids == expected), text);
  else
    BOOST_TEST(codec::subtract(expected, found.ids).empty(), text);
  const auto estimate = must(view.estimate(question));
  BOOST_TEST(estimate.rows >= 0.0);
}

std::vector<IndexPredicate> questions(std::uint32_t path, const Value& a, const Value& b,
                                      test::ValueGenerator& random) {
  IndexPredicate question;
  question.path = path;
  std::vector<IndexPredicate> all;
  const auto ask = [&](Operation operation, const Value& low, const Value& high = Value()) {
    question.operation = operation;
    question.low = low;
    question.high = high;
    question.low_inclusive = random.boolean();
    question.high_inclusive = random.boolean();
    all.push_back(question);
  };
  ask(Operation::present, Value());
  ask(Operation::of_type, a);
  ask(Operation::equals, a);
  ask(Operation::element, a);
  if (a.list() != nullptr && !a.as_list().empty()) ask(Operation::element, a.as_list().front());
  if (!a.is_null()) {
    ask(Operation::range, a);
    ask(Operation::range, Value(), a);
    ask(Operation::range, a, b);
    ask(Operation::range, b, a);
  }
  if (a.string() != nullptr) {
    ask(Operation::starts_with, a);
    ask(Operation::starts_with, a.string()->substr(0, random.below(a.string()->size() + 1)));
  }
  return all;
}

Value random_value(test::ValueGenerator& random) {
  switch (random.below(8)) {
    case 0:
      return Value(static_cast<std::int64_t>(random.below(20)));
    case 1:
      return Value(static_cast<double>(random.below(40)) / 2);
    case 2:
      return Value(std::string(250 + random.below(12), 'a') + random.string());
    case 3:
      return Value(List(17 + random.below(3), Value(static_cast<int>(random.below(3)))));
    case 4:
      return Value("word" + std::to_string(random.below(30)));
    default:
      return random.storable(2);
  }
}

/// Set the property "p" of random nodes, in the database and in the model.
void write_some(Transaction& transaction, Values& values, test::ValueGenerator& random,
                std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const Value value = random_value(random);
    if (!values.empty() && random.below(3) == 0) {
      auto place = values.begin();
      std::advance(place, static_cast<std::ptrdiff_t>(random.below(values.size())));
      if (random.boolean()) {
        must(transaction.erase_node(NodeId{place->first}));
        values.erase(place);
      } else {
        must(transaction.set_property(NodeId{place->first}, "p", value));
        if (value.is_null())
          values.erase(place);
        else
          place->second = value;
      }
      continue;
    }
    const NodeId node = must(transaction.create_node({{"N"}, {{"p", value}}, ""}));
    if (!value.is_null()) values.emplace(node.value, value);
  }
}

void check_all(const View& view, const Values& values, test::ValueGenerator& random,
               std::size_t count) {
  const auto path = view.catalog().find_path(codec::EntityKind::node, "p");
  BOOST_REQUIRE(path.has_value());
  const auto pick = [&]() -> Value {
    if (values.empty() || random.below(4) == 0) return random_value(random);
    auto place = values.begin();
    std::advance(place, static_cast<std::ptrdiff_t>(random.below(values.size())));
    return place->second;
  };
  for (std::size_t i = 0; i < count; ++i) {
    for (const IndexPredicate& question : questions(*path, pick(), pick(), random)) {
      check(view, values, question);
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(property_index)

BOOST_AUTO_TEST_CASE(every_operation_agrees_with_a_plain_comparison) {
  test::ValueGenerator random(test::test_seed());
  TemporaryDatabase db;
  Values committed;
  for (int round = 0; round < 4; ++round) {
    Values own = committed;
    Transaction transaction = must(db->begin());
    write_some(transaction, own, random, 120);
    check_all(Access::view(transaction), own, random, 15);
    if (round == 2) {
      transaction.rollback();
    } else {
      must(transaction.commit());
      committed = own;
    }
    if (round == 1) db.reopen();
    const Snapshot snapshot = must(db->snapshot());
    check_all(*Access::view(snapshot), committed, random, 15);
  }
  const auto findings = must(db->check());
  BOOST_TEST(findings.empty(), (findings.empty() ? "" : findings[0].place + findings[0].problem));
}

BOOST_AUTO_TEST_CASE(dates_in_strings_are_found_by_their_instant) {
  TemporaryDatabase db;
  Transaction transaction = must(db->begin());
  Values values;
  for (const char* text : {"2026-02-14", "2026-02-14T10:30:00Z", "2026-02-14T10:30:00+02:00",
                           "2025-12-31T23:59:59.5", "soon", ""}) {
    values.emplace(must(transaction.create_node({{"N"}, {{"p", text}}, ""})).value, Value(text));
  }
  must(transaction.commit());
  const Snapshot snapshot = must(db->snapshot());
  const auto view = Access::view(snapshot);
  IndexPredicate question;
  question.path = *view->catalog().find_path(codec::EntityKind::node, "p");
  question.operation = Operation::instant;
  question.low = *codec::parse_instant("2026-02-14T09:00:00Z");
  question.high = *codec::parse_instant("2026-02-15T00:00:00Z");
  question.high_inclusive = false;
  check(*view, values, question);
  BOOST_TEST(must(view->lookup(question)).ids.cardinality() == 1u);
}

BOOST_AUTO_TEST_CASE(a_nested_path_is_exact_until_a_list_of_maps_runs_through_it) {
  TemporaryDatabase db;
  Transaction transaction = must(db->begin());
  const NodeId plain = must(transaction.create_node({{"N"}, {{"a", map_of({{"b", 1}})}}, ""}));
  must(transaction.commit());
  IndexPredicate question;
  question.operation = Operation::equals;
  question.low = 1;
  {
    const Snapshot snapshot = must(db->snapshot());
    const auto view = Access::view(snapshot);
    question.path = *view->catalog().find_path(codec::EntityKind::node, "a.b");
    const auto found = must(view->lookup(question));
    BOOST_TEST(found.exact);
    BOOST_TEST(found.ids.contains(plain.value));
  }
  Transaction second = must(db->begin());
  const NodeId listed = must(
      second.create_node({{"N"}, {{"a", list_of({map_of({{"b", 1}}), map_of({{"b", 2}})})}}, ""}));
  must(second.commit());
  const Snapshot snapshot = must(db->snapshot());
  const auto found = must(Access::view(snapshot)->lookup(question));
  BOOST_TEST(!found.exact);
  BOOST_TEST(found.ids.contains(listed.value));
}

BOOST_AUTO_TEST_CASE(paths_beyond_the_limit_are_left_out_until_an_index_is_made) {
  Options options;
  options.max_paths = 1;
  TemporaryDatabase db(options);
  Transaction first = must(db->begin());
  const NodeId node = must(first.create_node({{"N"}, {{"a", 1}, {"b", 2}}, ""}));
  must(first.commit());
  {
    const Snapshot snapshot = must(db->snapshot());
    const auto& catalog = Access::view(snapshot)->catalog();
    BOOST_TEST(!catalog.has_all_paths());
    BOOST_TEST(!catalog.find_path(codec::EntityKind::node, "b").has_value());
  }
  Transaction second = must(db->begin());
  engine::IndexRequest request;
  request.name = "by_b";
  request.labels_or_types = {"N"};
  request.properties = {"b"};
  must(Access::writer(second)->create_index(request));
  must(second.commit());
  db.reopen();
  const Snapshot snapshot = must(db->snapshot());
  const auto view = Access::view(snapshot);
  BOOST_TEST(!view->catalog().has_all_paths());
  IndexPredicate question;
  question.path = *view->catalog().find_path(codec::EntityKind::node, "b");
  question.operation = Operation::equals;
  question.low = 2;
  BOOST_TEST(must(view->lookup(question)).ids.contains(node.value));
  BOOST_TEST(must(db->check()).empty());
}

// Every plan requests estimates, and keys with unmerged changes are slow to read.
BOOST_AUTO_TEST_CASE(an_estimate_that_saw_a_whole_range_keeps_it) {
  TemporaryDatabase db;
  Transaction transaction = must(db->begin());
  for (int i = 0; i < 50; ++i) must(transaction.create_node({{}, {{"p", i % 3 == 0}}}));
  must(transaction.commit());
  const Snapshot snapshot = must(db->snapshot());
  const auto view = Access::view(snapshot);
  IndexPredicate question;
  question.path = *view->catalog().find_path(codec::EntityKind::node, "p");
  const auto first = must(view->estimate(question));
  BOOST_TEST(first.rows == 50);
  BOOST_TEST(first.keys > 0);
  const auto second = must(view->estimate(question));
  BOOST_TEST(second.rows == 50);
  BOOST_TEST(second.keys == 0);
}

BOOST_AUTO_TEST_SUITE_END()

// Tests the shape of a plan: how many parts it has, and which of them must be rechecked. The tests
// above check that the parts find the right ids.

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
