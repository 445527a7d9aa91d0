#include "query/execute/row_batch.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <utility>
#include <vector>

namespace cairn::query {

BOOST_AUTO_TEST_SUITE(row_batch)

BOOST_AUTO_TEST_CASE(a_row_is_cut_or_filled_up_to_the_width) {
  RowBatch batch(2);
  BOOST_TEST(batch.append(std::vector<Value>{1, 2, 3}).has_value());
  BOOST_TEST(batch.append(std::vector<Value>{4}).has_value());
  BOOST_TEST(batch.size() == 2U);
  BOOST_TEST((batch[0][1] == Value(2)));
  BOOST_TEST((batch[1][0] == Value(4)));
  BOOST_TEST(batch[1][1].is_null());
}

BOOST_AUTO_TEST_CASE(a_row_is_moved_in_cut_or_filled_up_to_the_width) {
  RowBatch batch(2);
  const std::string long_text(100, 'x');
  std::vector<Value> values = {long_text, 2, 3};
  BOOST_TEST(batch.append_moved(values).has_value());
  BOOST_TEST(batch.append_moved(std::span(values).last(1)).has_value());
  BOOST_TEST(batch.size() == 2U);
  BOOST_TEST((batch[0][0] == Value(long_text)));
  BOOST_TEST((batch[0][1] == Value(2)));
  BOOST_TEST((batch[1][0] == Value(3)));
  BOOST_TEST(batch[1][1].is_null());
  BOOST_TEST(values[0].as_string().empty());
}

BOOST_AUTO_TEST_CASE(keeping_leaves_the_flagged_rows_in_order) {
  RowBatch batch(1);
  for (int i = 0; i < 5; ++i) batch.append().value()[0] = i;
  batch.keep({false, true, false, true, true});
  BOOST_TEST(batch.size() == 3U);
  BOOST_TEST((batch[0][0] == Value(1)));
  BOOST_TEST((batch[1][0] == Value(3)));
  BOOST_TEST((batch[2][0] == Value(4)));
}

BOOST_AUTO_TEST_CASE(rows_without_columns_are_counted_all_the_same) {
  RowBatch batch(0);
  BOOST_TEST(batch.append().has_value());
  BOOST_TEST(batch.append().has_value());
  BOOST_TEST(batch.size() == 2U);
  BOOST_TEST(batch[1].empty());
  batch.truncate(1);
  BOOST_TEST(batch.size() == 1U);
}

namespace {

std::vector<BatchColumn> some_columns() {
  std::vector<BatchColumn> columns;
  columns.push_back(BatchColumn::constant(std::string(100, 'x')));
  columns.push_back(BatchColumn::entities(codec::EntityKind::node, {7, 8, 9}));
  columns.push_back(BatchColumn::words(BatchColumn::Form::integers, {1, 0, 3}, {0, 1, 0}));
  columns.push_back(BatchColumn::values({Value("a"), Value(), Value(2.5)}));
  return columns;
}

std::vector<std::string> texts_of(RowBatch& batch) {
  std::vector<std::string> texts;
  for (std::size_t row = 0; row < batch.size(); ++row) {
    texts.emplace_back();
    for (const Value& cell : batch[row])
      texts.back() += (cell.type() == ValueType::node ? std::to_string(cell.as_node().id().value)
                                                      : cell.to_text()) +
                      " ";
  }
  return texts;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_packed_batch_has_the_rows_of_its_columns) {
  RowBatch batch(4);
  BOOST_TEST(batch.pack(3, some_columns()).has_value());
  BOOST_TEST(batch.is_packed());
  BOOST_TEST(batch.full());
  BOOST_TEST((batch.cell(1, 1) == Value(Node(NodeId{8}))));
  const std::string x = "'" + std::string(100, 'x') + "'";
  const auto texts = texts_of(batch);
  BOOST_TEST(!batch.is_packed());
  BOOST_TEST(
      texts == (std::vector<std::string>{x + " 7 1 'a' ", x + " 8 null null ", x + " 9 3 2.5 "}),
      boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(packed_rows_are_dropped_like_others) {
  RowBatch packed(4);
  RowBatch rows(4);
  for (RowBatch* batch : {&packed, &rows}) BOOST_TEST(batch->pack(3, some_columns()).has_value());
  static_cast<void>(texts_of(rows));
  for (RowBatch* batch : {&packed, &rows}) batch->keep({true, false, true});
  BOOST_TEST(packed.is_packed());
  for (RowBatch* batch : {&packed, &rows}) batch->truncate(1);
  BOOST_TEST(texts_of(packed) == texts_of(rows), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(rows_can_be_packed_and_come_back) {
  RowBatch batch(4);
  BOOST_TEST(batch.pack(3, some_columns()).has_value());
  const auto before = texts_of(batch);
  batch.pack_rows();
  BOOST_TEST((batch.column(1).form() == BatchColumn::Form::nodes));
  BOOST_TEST((batch.column(3).form() == BatchColumn::Form::values));
  BOOST_TEST(texts_of(batch) == before, boost::test_tools::per_element());
  BOOST_TEST(batch.append(std::vector<Value>{1, 2, 3, 4}).has_value());
  BOOST_TEST(batch.size() == 4U);
}

// A move takes the charge of a batch along; the batch that was moved from can be used again.
BOOST_AUTO_TEST_CASE(a_moved_batch_takes_its_charge_along) {
  StatementOptions options;
  options.memory_bytes = std::size_t{1} << 24;
  Budget budget(options);
  const std::size_t free = budget.free_bytes();
  RowBatch batch(4, budget);
  for (int i = 0; i < 2; ++i) {
    BOOST_TEST(batch.pack(3, some_columns()).has_value());
    BOOST_TEST(free - budget.free_bytes() >= 3 * 4 * sizeof(Value));
    RowBatch moved = std::move(batch);
    batch.reset(4, budget);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::query
