// The accessors and the equality of <cairn/value.hpp> and <cairn/graph.hpp>.
#include "tests/support/value_generator.hpp"

#include <cairn/value.hpp>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>

using namespace cairn;

namespace {

Node loaded_node() {
  auto content = std::make_shared<Node::Content>();
  content->labels = {"Author", "Person"};
  content->properties = {{"name", "Ada"}};
  content->external_id = "ada";
  return Node(NodeId{7}, content);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(value)

BOOST_AUTO_TEST_CASE(every_type_has_a_name) {
  BOOST_TEST(to_string(ValueType::null) == "null");
  BOOST_TEST(to_string(ValueType::floating) == "float");
  BOOST_TEST(to_string(ValueType::path) == "path");
  BOOST_TEST(to_string(ValueType::vector) == "vector");
}

BOOST_AUTO_TEST_CASE(the_type_follows_from_what_was_given) {
  BOOST_TEST((Value().type() == ValueType::null));
  BOOST_TEST((Value(true).type() == ValueType::boolean));
  BOOST_TEST((Value(1).type() == ValueType::integer));
  BOOST_TEST((Value(1.0).type() == ValueType::floating));
  BOOST_TEST((Value("a").type() == ValueType::string));
  BOOST_TEST((list_of({1}).type() == ValueType::list));
  BOOST_TEST((map_of({{"a", 1}}).type() == ValueType::map));
  BOOST_TEST((Value(Path{}).type() == ValueType::path));
  BOOST_TEST((Value(Duration{}).type() == ValueType::duration));
}

BOOST_AUTO_TEST_CASE(content_of_another_type_is_null) {
  const Value text("a");
  BOOST_TEST(text.list() == nullptr);
  BOOST_TEST(text.map() == nullptr);
  BOOST_TEST(text.path() == nullptr);
  BOOST_TEST(*text.string() == "a");
}

BOOST_AUTO_TEST_CASE(one_and_one_point_zero_differ) {
  BOOST_TEST((Value(1) == Value(1)));
  BOOST_TEST(!(Value(1) == Value(1.0)));
  BOOST_TEST(!(Value(0) == Value(false)));
  BOOST_TEST(!(Value() == Value(0)));
}

BOOST_AUTO_TEST_CASE(not_a_number_equals_itself) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  BOOST_TEST((Value(nan) == Value(-nan)));
  BOOST_TEST((list_of({nan}) == list_of({nan})));
  BOOST_TEST((Value(Vector({std::nanf("")})) == Value(Vector({std::nanf("")}))));
}

BOOST_AUTO_TEST_CASE(containers_are_equal_item_by_item) {
  BOOST_TEST(
      (list_of({1, map_of({{"a", list_of({})}})}) == list_of({1, map_of({{"a", list_of({})}})})));
  BOOST_TEST(!(list_of({1, 2}) == list_of({2, 1})));
  BOOST_TEST(!(map_of({{"a", 1}}) == map_of({{"b", 1}})));
}

BOOST_AUTO_TEST_CASE(entities_are_equal_by_id) {
  BOOST_TEST((Value(loaded_node()) == Value(Node(NodeId{7}))));
  BOOST_TEST(!(Value(Node(NodeId{7})) == Value(Node(NodeId{8}))));
  BOOST_TEST(!(Value(Node(NodeId{7})) == Value(Relationship(RelationshipId{7}))));
}

BOOST_AUTO_TEST_CASE(every_value_equals_its_copy) {
  const std::uint64_t seed = test::test_seed();
  test::ValueGenerator random(seed);
  for (int i = 0; i < 2'000; ++i) {
    const Value value = random.any();
    const Value copy = value;
    BOOST_TEST_REQUIRE((copy == value), "seed " << seed << ": " << value.to_text());
  }
}

BOOST_AUTO_TEST_CASE(a_loaded_node_knows_its_content) {
  const Node node = loaded_node();
  BOOST_TEST(node.is_loaded());
  BOOST_TEST(node.has_label("Person"));
  BOOST_TEST(!node.has_label("Perso"));
  BOOST_TEST((node.property("name") == Value("Ada")));
  BOOST_TEST(node.property("age").is_null());
  BOOST_TEST(node.external_id() == "ada");
}

BOOST_AUTO_TEST_CASE(an_entity_that_nobody_has_read_is_empty) {
  const Node node(NodeId{7});
  BOOST_TEST(!node.is_loaded());
  BOOST_TEST(node.labels().empty());
  BOOST_TEST(node.property("name").is_null());
  const Relationship relationship(RelationshipId{3});
  BOOST_TEST(relationship.type().empty());
  BOOST_TEST(relationship.property("name").is_null());
}

BOOST_AUTO_TEST_SUITE_END()
