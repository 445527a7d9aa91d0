// Rows by the name of a column and as types of C++: what get() gives, what it refuses, and how a loop ends.
#include "tests/support/graph_builder.hpp"

#include <cairn/cairn.hpp>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::test {
namespace {

/// The rows of one statement over an empty database.
class Answer {
 public:
  explicit Answer(std::string_view text)
      : rows_(execute(*database_, text, {}, StatementOptions{}).value()) {}

  [[nodiscard]] Rows& rows() { return rows_; }
  /// The first row; valid until the next one is read.
  [[nodiscard]] Row first() { return rows_.next().value().value(); }

 private:
  TemporaryDatabase database_;
  Rows rows_;
};

template <class T>
std::string refusal(const Row& row, std::string_view column) {
  const auto content = row.get<T>(column);
  return content ? "none"
                 : std::string(to_string(content.error().code)) + ": " + content.error().message;
}

template <class T>
void check_range(std::int64_t least, std::int64_t most) {
  BOOST_TEST(value_as<T>(Value(least)).value() == std::numeric_limits<T>::min());
  BOOST_TEST(value_as<T>(Value(most)).value() == std::numeric_limits<T>::max());
  BOOST_TEST((value_as<T>(Value(least - 1)).error().code == ErrorCode::invalid_argument));
  BOOST_TEST((value_as<T>(Value(most + 1)).error().code == ErrorCode::invalid_argument));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(rows)

BOOST_AUTO_TEST_CASE(a_column_is_found_by_name_and_by_position) {
  Answer answer("RETURN 'Ada' AS name, 1815 AS born");
  const Row row = answer.first();
  BOOST_TEST(row.size() == 2);
  BOOST_TEST(row["name"].as_string() == "Ada");
  BOOST_TEST(row[1].as_integer() == 1815);
  BOOST_TEST(row.get<std::string>("name").value() == "Ada");
  BOOST_TEST(row.get<std::string_view>(0).value() == "Ada");
  BOOST_TEST(row.get<int>("born").value() == 1815);
  BOOST_TEST(row.columns() == (std::vector<std::string>{"name", "born"}),
             boost::test_tools::per_element());
  std::size_t values = 0;
  for (const Value& value : row) values += value.is_null() ? 0 : 1;
  BOOST_TEST(values == 2);
}

BOOST_AUTO_TEST_CASE(a_column_that_is_not_there_is_told_with_those_that_are) {
  Answer answer("RETURN 'Ada' AS name, 1815 AS born");
  const Row row = answer.first();
  BOOST_TEST(refusal<int>(row, "age") ==
             "not_found: there is no column \"age\"; the columns are name, born");
  BOOST_TEST(refusal<int>(row, "Name") ==
             "not_found: there is no column \"Name\"; the columns are name, born");
  BOOST_TEST(row.get<int>(2).error().message == "there is no column 2; the columns are name, born");
}

BOOST_AUTO_TEST_CASE(another_type_is_told_with_both_types_and_the_column) {
  Answer answer("RETURN 'Ada' AS name, 1815 AS born, null AS died, [1, 'b'] AS mixed");
  const Row row = answer.first();
  BOOST_TEST(refusal<int>(row, "name") ==
             "type_error: column \"name\": a string, expected an integer");
  BOOST_TEST(refusal<std::string>(row, "born") ==
             "type_error: column \"born\": an integer, expected a string");
  BOOST_TEST(refusal<int>(row, "died") == "type_error: column \"died\": null, expected an integer");
  BOOST_TEST(refusal<bool>(row, "born") ==
             "type_error: column \"born\": an integer, expected a boolean");
  BOOST_TEST(refusal<std::vector<int>>(row, "mixed") ==
             "type_error: column \"mixed\": element 1: a string, expected an integer");
  BOOST_TEST(refusal<std::int8_t>(row, "born") ==
             "invalid_argument: column \"born\": 1815 does not fit into the requested number type");
}

BOOST_AUTO_TEST_CASE(a_number_that_does_not_fit_is_no_other_number) {
  const std::int64_t large = (std::int64_t{1} << 53) + 1;
  BOOST_TEST(value_as<double>(Value(large - 1)).value() == 9'007'199'254'740'992.0);
  BOOST_TEST(!value_as<double>(Value(large)).has_value());
  BOOST_TEST(!value_as<double>(Value(std::numeric_limits<std::int64_t>::max())).has_value());
  BOOST_TEST(value_as<double>(Value(std::numeric_limits<std::int64_t>::min())).has_value());
  BOOST_TEST(!value_as<float>(Value(16'777'217)).has_value());
  BOOST_TEST(!value_as<float>(Value(1e300)).has_value());
  BOOST_TEST(value_as<float>(Value(0.1)).value() == 0.1F);
  BOOST_TEST(std::isinf(value_as<float>(Value(HUGE_VAL)).value()));
}

BOOST_AUTO_TEST_CASE(null_is_an_empty_optional_and_nothing_else_is) {
  Answer answer("RETURN null AS died, 1815 AS born, [1, null] AS years");
  const Row row = answer.first();
  BOOST_TEST(!row.get<std::optional<int>>("died").value().has_value());
  BOOST_TEST(row.get<std::optional<int>>("born").value().value() == 1815);
  BOOST_TEST(!row.get<std::optional<std::string>>("born").has_value());
  const auto years = row.get<std::vector<std::optional<int>>>("years").value();
  BOOST_TEST((years == std::vector<std::optional<int>>{1, std::nullopt}));
  BOOST_TEST(!row.get<std::vector<int>>("years").has_value());
}

BOOST_AUTO_TEST_CASE(containers_and_numbers_keep_their_content) {
  Answer answer(
      "RETURN ['a', 'b'] AS tags, {size: 2} AS map, 1 AS one, 0.5 AS half, "
      "[[1], [2, 3]] AS nested, date('2026-01-01') AS day");
  const Row row = answer.first();
  BOOST_TEST(
      row.get<std::vector<std::string>>("tags").value() == (std::vector<std::string>{"a", "b"}),
      boost::test_tools::per_element());
  BOOST_TEST(row.get<List>("tags").value().size() == 2);
  BOOST_TEST(row.get<Map>("map").value().at("size").as_integer() == 2);
  BOOST_TEST(row.get<double>("one").value() == 1.0);
  BOOST_TEST(row.get<float>("half").value() == 0.5F);
  BOOST_TEST(!row.get<int>("half").has_value());
  BOOST_TEST((row.get<std::vector<std::vector<int>>>("nested").value() ==
              std::vector<std::vector<int>>{{1}, {2, 3}}));
  BOOST_TEST(row.get<Date>("day").has_value());
  BOOST_TEST(!row.get<Duration>("day").has_value());
  BOOST_TEST((row.get<Value>("half").value() == Value(0.5)));
}

BOOST_AUTO_TEST_CASE(an_integer_is_given_only_where_it_fits) {
  check_range<std::int8_t>(-128, 127);
  check_range<std::uint8_t>(0, 255);
  check_range<std::int16_t>(-32768, 32767);
  check_range<std::uint32_t>(0, 4294967295);
  BOOST_TEST(!value_as<std::uint64_t>(Value(-1)).has_value());
  BOOST_TEST(value_as<std::int64_t>(Value(std::numeric_limits<std::int64_t>::min())).value() ==
             std::numeric_limits<std::int64_t>::min());
}

BOOST_AUTO_TEST_CASE(a_loop_goes_through_all_rows_once) {
  Answer answer("UNWIND range(1, 2500) AS number RETURN number");
  std::int64_t sum = 0;
  for (const Result<Row>& row : answer.rows())
    sum += row.value().get<std::int64_t>("number").value();
  BOOST_TEST(sum == 2500 * 2501 / 2);
  for (const Result<Row>& row : answer.rows()) BOOST_ERROR("read twice" + (*row)[0].to_text());
}

// The rows before it have been given by then.
BOOST_AUTO_TEST_CASE(an_error_is_the_last_element_of_a_loop) {
  Answer answer("UNWIND [2, 1, 0, 3] AS divisor RETURN 6 / divisor AS share");
  std::vector<std::string> told;
  for (const Result<Row>& row : answer.rows())
    told.push_back(row ? (*row)["share"].to_text() : std::string(to_string(row.error().code)));
  BOOST_TEST(!told.empty());
  BOOST_TEST(told.back() == "invalid_argument");
  BOOST_TEST(told.size() <= 3);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
