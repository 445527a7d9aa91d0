// Columns of a batch, compared with the plain values of their rows.
#include "query/execute/batch_column.hpp"

#include "tests/support/value_generator.hpp"

#include <boost/test/unit_test.hpp>

#include <bit>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace cairn::query {
namespace {

using Form = BatchColumn::Form;
using Values = std::vector<Value>;

const auto dictionary = std::make_shared<const Values>(Values{"tea", "", "a longer text", true});

/// A column and the values that it stands for.
struct Sample {
  BatchColumn column;
  Values values;
};

Sample integers() {
  return {BatchColumn::words(Form::integers, {1, static_cast<std::uint64_t>(-2), 3, 4, 5},
                             {0, 0, 1, 0, 0}),
          {1, -2, Value(), 4, 5}};
}

Sample codes() {
  return {BatchColumn::words(Form::codes, {2, 0, 1, 3, 0}, {0, 1, 0, 0, 0}, dictionary),
          {"a longer text", Value(), "", true, "tea"}};
}

std::vector<Sample> samples() {
  std::vector<Sample> all;
  all.push_back({BatchColumn(), Values(5)});
  all.push_back({BatchColumn::constant("same"), Values(5, Value("same"))});
  all.push_back(
      {BatchColumn::entities(codec::EntityKind::node, {5, 4, 3, 2, 1}),
       {Node(NodeId{5}), Node(NodeId{4}), Node(NodeId{3}), Node(NodeId{2}), Node(NodeId{1})}});
  all.push_back(integers());
  all.push_back(
      {BatchColumn::words(Form::floats,
                          {std::bit_cast<std::uint64_t>(0.5), std::bit_cast<std::uint64_t>(-1.0), 0,
                           0, std::bit_cast<std::uint64_t>(1e300)},
                          {}),
       {0.5, -1.0, 0.0, 0.0, 1e300}});
  all.push_back(codes());
  all.push_back(
      {BatchColumn::values({1, "two", Value(), List{3}, 4.0}), {1, "two", Value(), List{3}, 4.0}});
  return all;
}

Values rows_of(const BatchColumn& column, std::size_t rows) {
  Values values;
  for (std::size_t row = 0; row < rows; ++row) values.push_back(column.value(row));
  return values;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(batch_column)

BOOST_AUTO_TEST_CASE(each_form_has_the_values_of_its_rows) {
  for (const Sample& sample : samples()) {
    BOOST_TEST((rows_of(sample.column, 5) == sample.values));
    Values cells(15);
    sample.column.copy_to(&cells[1], 5, 3);
    for (std::size_t row = 0; row < 5; ++row) {
      BOOST_TEST((cells[3 * row + 1] == sample.values[row]));
      BOOST_TEST((cells[3 * row].is_null() && cells[3 * row + 2].is_null()));
    }
  }
}

BOOST_AUTO_TEST_CASE(rows_are_gathered_kept_and_cut) {
  const std::vector<std::uint32_t> gathered{4, 1, 1, 2}, kept{1, 2, 4};
  for (const Sample& sample : samples()) {
    const Values& all = sample.values;
    BOOST_TEST(
        (rows_of(sample.column.gather(gathered), 4) == Values{all[4], all[1], all[1], all[2]}));
    BatchColumn column = sample.column;
    column.keep(kept);
    BOOST_TEST((rows_of(column, 3) == Values{all[1], all[2], all[4]}));
    column.truncate(2);
    BOOST_TEST((rows_of(column, 2) == Values{all[1], all[2]}));
    column.truncate(5);
    BOOST_TEST((rows_of(column, 2) == Values{all[1], all[2]}));
    column.keep({});
    BOOST_TEST(column.words().empty());
    BOOST_TEST(column.all().empty());
  }
}

BOOST_AUTO_TEST_CASE(only_values_of_one_packable_kind_are_packed) {
  const auto form_of = [](Values values) {
    const BatchColumn column = BatchColumn::packed(values);
    BOOST_TEST((rows_of(column, values.size()) == values));
    return column.form();
  };
  BOOST_TEST((form_of({1, 2}) == Form::integers));
  BOOST_TEST((form_of({Node(NodeId{1}), Node(NodeId{2})}) == Form::nodes));
  BOOST_TEST((form_of({Relationship(RelationshipId{1})}) == Form::relationships));
  BOOST_TEST((form_of({Node(NodeId{1}), Relationship(RelationshipId{1})}) == Form::values));
  BOOST_TEST((form_of({1, 2.0}) == Form::values));
  BOOST_TEST((form_of({1, Value()}) == Form::values));
  BOOST_TEST((form_of({Value(), 1}) == Form::values));
  BOOST_TEST((form_of({Value(), Value()}) == Form::constant));
  BOOST_TEST((form_of({"text"}) == Form::values));
  BOOST_TEST((form_of({}) == Form::values));
}

BOOST_AUTO_TEST_CASE(a_value_is_put_where_the_column_can_encode_it) {
  Sample numbers = integers();
  BOOST_TEST(numbers.column.put(2, 33));
  BOOST_TEST(numbers.column.put(0, Value()));
  BOOST_TEST(!numbers.column.put(1, 2.0));
  BOOST_TEST(!numbers.column.put(1, "text"));
  BOOST_TEST((rows_of(numbers.column, 5) == Values{Value(), -2, 33, 4, 5}));
  Sample texts = codes();
  BOOST_TEST(texts.column.put(1, "tea"));
  BOOST_TEST(!texts.column.put(0, "a new text"));
  BOOST_TEST(texts.column.put(4, Value()));
  BOOST_TEST((rows_of(texts.column, 5) == Values{"a longer text", "tea", "", true, Value()}));
  BatchColumn whole = BatchColumn::words(Form::floats, {0, 0}, {});
  BOOST_TEST(whole.put(1, 2.5));
  BOOST_TEST(!whole.put(1, 2));
  BOOST_TEST(!whole.has_missing());
  BOOST_TEST((rows_of(whole, 2) == Values{0.0, 2.5}));
  BatchColumn nodes = BatchColumn::entities(codec::EntityKind::node, {1});
  BOOST_TEST(!nodes.put(0, Node(NodeId{2})));
}

BOOST_AUTO_TEST_CASE(texts_of_a_dictionary_are_counted_for_each_row_that_has_one) {
  BOOST_TEST(codes().column.text_bytes() == std::string("a longer texttea").size());
  BOOST_TEST(integers().column.text_bytes() == 0U);
  BOOST_TEST(BatchColumn::values({"text"}).text_bytes() == 0U);
}

BOOST_AUTO_TEST_CASE(integers_of_any_size_survive_packing) {
  test::ValueGenerator random(test::test_seed());
  for (int round = 0; round < 50; ++round) {
    Values values;
    for (std::uint64_t i = 1 + random.below(40); i > 0; --i) values.emplace_back(random.integer());
    const BatchColumn column = BatchColumn::packed(values);
    BOOST_TEST((column.form() == Form::integers));
    BOOST_TEST((rows_of(column, values.size()) == values), "seed " << test::test_seed());
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::query
