// ValueLog: values come out in the order in which they were added, packed as they were.
#include "query/execute/rows/value_log.hpp"

#include "tests/query/execute/small_budget.hpp"
#include "tests/support/graph_builder.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace cairn::query {
namespace {

using test::must;
using Form = BatchColumn::Form;
using GroupNumbers = std::vector<std::uint32_t>;
using Values = std::vector<Value>;

Values taken(ValueLog::Part& part, std::size_t first, std::size_t count) {
  const BatchColumn column = part.take(first, count);
  Values values;
  for (std::size_t row = 0; row < count; ++row) values.push_back(column.value(row));
  return values;
}
Values taken(ValueLog::Part& part) { return taken(part, 0, part.groups.size()); }

struct LogFixture : SmallBudget {
  ValueLog log{2, budget};
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(value_log, LogFixture)

// The values of one aggregate and one morsel are one part, as long as they are packed in the same
// way.
BOOST_AUTO_TEST_CASE(a_part_has_one_morsel_one_aggregate_and_one_packing) {
  must(log.add(1, 0, 5, Value(10)));
  must(log.add(1, 1, 5, Value(0.5)));
  must(log.add(1, 0, 6, Value(-11)));
  must(log.add(1, 0, 6, Value("text")));
  must(log.add(1, 0, 6, Value(12)));
  must(log.add(2, 0, 7, Value(13)));
  auto& parts = log.parts();
  BOOST_REQUIRE(parts.size() == 5U);
  BOOST_TEST((parts[0].groups == GroupNumbers{5, 6}));
  BOOST_TEST((taken(parts[0]) == Values{10, -11}));
  BOOST_TEST(parts[1].call == 1U);
  BOOST_TEST((taken(parts[1]) == Values{0.5}));
  BOOST_TEST((taken(parts[2]) == Values{"text"}));
  BOOST_TEST((taken(parts[3]) == Values{12}));
  BOOST_TEST(parts[4].morsel == 2U);
  BOOST_TEST((taken(parts[4]) == Values{13}));
}

BOOST_AUTO_TEST_CASE(wanted_rows_of_columns_are_taken_in_pieces) {
  const GroupNumbers groups = {1, 2, 3};
  const auto words = std::make_shared<const Values>(Values{"tea", "milk"});
  const std::vector<BatchColumn> columns = {
      BatchColumn::entities(codec::EntityKind::node, {7, 8, 9}),
      BatchColumn::entities(codec::EntityKind::relationship, {7, 8, 9}),
      BatchColumn::words(Form::integers, {~0ULL, 0, 5}, {}),
      BatchColumn::words(Form::codes, {1, 0, 1}, {}, words),
      BatchColumn::values({"a", List{1, 2}, true}),
      BatchColumn::constant("same")};
  for (const BatchColumn& column : columns) {
    const std::vector<std::uint32_t> rows = {2, 0};
    must(log.add(1, 0, groups, column, rows));
    ValueLog::Part& part = log.parts().back();
    const std::size_t first = part.groups.size() - 2;
    BOOST_TEST((GroupNumbers(part.groups.begin() + static_cast<std::ptrdiff_t>(first),
                             part.groups.end()) == GroupNumbers{3, 1}));
    BOOST_TEST((taken(part, first, 1) == Values{column.value(2)}));
    BOOST_TEST((taken(part, first + 1, 1) == Values{column.value(0)}));
  }
  BOOST_TEST(log.parts().size() == 5U);  // a constant and other values share a part
}

BOOST_AUTO_TEST_CASE(no_rows_add_no_values) {
  must(log.add(1, 0, GroupNumbers{1}, BatchColumn::words(Form::integers, {1}, {}), {}));
  for (const ValueLog::Part& part : log.parts()) BOOST_TEST(part.groups.empty());
}

BOOST_AUTO_TEST_CASE(memory_is_charged_before_it_is_taken) {
  Status added;
  std::size_t count = 0;
  for (; added; ++count) added = log.add(1, 0, 0, Value(1));
  BOOST_TEST((added.error().code == ErrorCode::resource_limit));
  BOOST_TEST(count > limit / 64);
  BOOST_TEST(used() <= limit);
  Status text = log.add(1, 1, 0, Value(std::string(limit, 'x')));
  BOOST_TEST((text.error().code == ErrorCode::resource_limit));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::query
