#include "tests/query/functions/support.hpp"

#include <cairn/embedder.hpp>

#include <boost/test/unit_test.hpp>

#include <array>

using namespace cairn;
using namespace cairn::query::test;

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
