#include "tests/query/functions/support.hpp"

#include <cairn/embedder.hpp>

#include <boost/test/unit_test.hpp>

#include <array>

using namespace cairn;
using namespace cairn::query::test;

namespace {

const Value right = list_of({1, 0});
const Value up = list_of({0, 1});

}  // namespace

BOOST_AUTO_TEST_SUITE(vector_similarity)

BOOST_AUTO_TEST_CASE(scores_are_those_of_a_search) {
  check_calls({{"vector.similarity.cosine", {right, right}, "1.0"},
               {"vector.similarity.cosine", {right, up}, "0.5"},
               {"vector.similarity.cosine", {right, list_of({-1, 0})}, "0.0"},
               {"vector.similarity.euclidean", {right, right}, "1.0"},
               {"vector.similarity.euclidean", {list_of({0}), list_of({3})}, "0.1"}});
}

BOOST_AUTO_TEST_CASE(raw_similarities_are_not_scaled) {
  check_calls({{"vector.cosine", {right, up}, "0.0"},
               {"vector.cosine", {right, list_of({-2.5, 0})}, "-1.0"},
               {"vector.dot", {list_of({1, 2}), Vector({3.0F, 4.0F})}, "11.0"}});
}

BOOST_AUTO_TEST_CASE(distances_have_a_metric_by_name) {
  const Value a = list_of({0, 0});
  const Value b = list_of({3, 4});
  check_calls({{"vector_distance", {a, b, "EUCLIDEAN"}, "5.0"},
               {"vector_distance", {a, b, "euclidean_squared"}, "25.0"},
               {"vector_distance", {a, b, "MANHATTAN"}, "7.0"},
               {"vector_distance", {a, b, "HAMMING"}, "2.0"},
               {"vector_distance", {b, b, "DOT"}, "-25.0"},
               {"vector_distance", {right, up, "COSINE"}, "1.0"},
               {"vector_distance", {a, b, "CHEBYSHEV"}, "error: invalid_argument"},
               {"vector_norm", {b}, "5.0"},
               {"vector_dimension_count", {Vector({1.0F})}, "1"}});
}

BOOST_AUTO_TEST_CASE(a_direction_does_not_depend_on_the_length) {
  check_calls({{"vector.cosine", {list_of({1e300}), list_of({1e300})}, "1.0"},
               {"vector.cosine", {list_of({1e-300, 0}), list_of({0, 1e300})}, "0.0"},
               {"vector.cosine", {list_of({-1e-200}), list_of({1e-200})}, "-1.0"},
               {"vector.cosine", {list_of({1e300}), list_of({0.0})}, "error: invalid_argument"}});
  const List large = {1e300, 1e300};
  const List opposite = {1e300, -1e300};
  BOOST_TEST(call("vector.dot", {large, opposite}).error().message.find("too large") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_measured_is_an_error) {
  check_calls({{"vector.cosine", {right, list_of({1})}, "error: invalid_argument"},
               {"vector.cosine", {list_of({}), list_of({})}, "error: invalid_argument"},
               {"vector.cosine", {right, list_of({0, 0})}, "error: invalid_argument"},
               {"vector.cosine", {right, list_of({"a", 0})}, "error: type_error"},
               {"vector.cosine", {right, Value()}, "null"}});
}

BOOST_AUTO_TEST_CASE(a_vector_is_made_of_numbers_and_its_dimension_is_checked) {
  check_calls({{"size", {call("vector", {list_of({1, 2.5})}).value()}, "2"},
               {"vector", {list_of({1}), 2}, "error: invalid_argument"},
               {"vector", {list_of({1}), 1, "FLOAT64"}, "error: invalid_argument"},
               {"vector", {"text"}, "error: type_error"}});
  BOOST_TEST((call("vector", {list_of({1, 2.5}), 2, "float32"})->type() == ValueType::vector));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(text_embedding)

BOOST_AUTO_TEST_CASE(a_text_has_the_vector_that_the_embedder_gives_it) {
  const auto given = call("embed", {"Rust and RocksDB"});
  const std::array<std::string_view, 1> texts{"Rust and RocksDB"};
  const auto expected = make_hashing_embedder()->embed(texts);
  BOOST_REQUIRE(given.has_value());
  BOOST_TEST((*given == Value((*expected)[0])));
  BOOST_TEST(given->get_if<Vector>()->dimension() == 256u);
}

BOOST_AUTO_TEST_CASE(the_dimension_may_be_chosen) {
  BOOST_TEST(call("embed", {"text", 1})->get_if<Vector>()->dimension() == 1u);
  BOOST_TEST(call("embed", {"text", 4'096})->get_if<Vector>()->dimension() == 4'096u);
}

BOOST_AUTO_TEST_CASE(other_dimensions_and_types_are_errors_and_null_is_null) {
  check_calls({{"embed", {"text", 0}, "error: invalid_argument"},
               {"embed", {"text", 4'097}, "error: invalid_argument"},
               {"embed", {1}, "error: type_error"},
               {"embed", {Value()}, "null"}});
}

BOOST_AUTO_TEST_SUITE_END()
