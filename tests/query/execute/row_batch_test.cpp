#include "query/execute/row_batch.hpp"

#include <boost/test/unit_test.hpp>

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

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::query
