// The names in the value of $(expression).
#include "query/functions/label_names.hpp"

#include <cairn/graph.hpp>

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace cairn::query {
namespace {

using Names = std::vector<std::string>;

ErrorCode error_of(const Value& value) { return label_names(value).error().code; }

}  // namespace

BOOST_AUTO_TEST_SUITE(label_names_by_value)

BOOST_AUTO_TEST_CASE(a_string_or_a_list_of_strings_has_names) {
  BOOST_TEST((label_names("Person").value() == Names{"Person"}));
  BOOST_TEST((label_names(List{"B", "A", "B"}).value() == Names{"B", "A", "B"}));
  BOOST_TEST((label_names("Ämter `x`\n").value() == Names{"Ämter `x`\n"}));
  BOOST_TEST(label_names(List{}).value().empty());
}

BOOST_AUTO_TEST_CASE(any_other_value_is_an_error) {
  for (const Value& value :
       {Value(), Value(1), Value(""), Value(List{"A", ""}), Value(List{"A", Value()}),
        Value(List{Value(List{"A"})}), Value(Map{{"A", "B"}}), Value(Node(NodeId{1}))})
    BOOST_TEST((error_of(value) == ErrorCode::type_error), value.to_text());
}

BOOST_AUTO_TEST_CASE(names_of_several_values_are_a_set) {
  BOOST_TEST((label_names(Names{"B", "A"}, List{"C", List{"A", "B"}, List{}}).value() ==
              Names{"A", "B", "C"}));
  BOOST_TEST(label_names(Names{}, List{}).value().empty());
  BOOST_TEST((label_names(Names{"A"}, List{"B", Value()}).error().code == ErrorCode::type_error));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::query
