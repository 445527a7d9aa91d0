// Texts of scalars, and entities without their content.
#include "query/functions/value_forms.hpp"

#include "tests/query/functions/support.hpp"

#include <cairn/graph.hpp>

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>

namespace cairn::query {
namespace {

Node ada() {
  auto content = std::make_shared<Node::Content>();
  content->labels = {"Person"};
  content->properties = {{"name", "Ada"}};
  return Node(NodeId{7}, std::move(content));
}

Relationship knows() {
  auto content = std::make_shared<Relationship::Content>();
  content->type = "KNOWS";
  return Relationship(RelationshipId{8}, std::move(content));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(value_forms)

BOOST_AUTO_TEST_CASE(scalars_have_texts) {
  const std::pair<Value, std::string> cases[] = {
      {"", ""},
      {"it's", "it's"},
      {true, "true"},
      {std::numeric_limits<std::int64_t>::min(), "-9223372036854775808"},
      {-0.0, "-0.0"},
      {1e300, "1e300"},
      {std::numeric_limits<double>::infinity(), "Infinity"},
      {test::temporal("date", "2024-02-29"), "2024-02-29"},
      {test::temporal("duration", "P1M-1D"), "P1M-1D"},
      {test::temporal("time", "12:00:00.000000001+01:00"), "12:00:00.000000001+01:00"}};
  for (const auto& [value, text] : cases)
    BOOST_TEST(scalar_text(value).value_or("none") == text, value.to_text());
}

BOOST_AUTO_TEST_CASE(other_values_have_none) {
  for (const Value& value : {Value(), Value(List{}), Value(List{"a"}), Value(Map{}), Value(ada()),
                             Value(knows()), Value(Path{{ada()}, {}}), Value(Vector({1.0F}))})
    BOOST_TEST(!scalar_text(value).has_value(), value.to_text());
}

BOOST_AUTO_TEST_CASE(entities_lose_their_content_at_any_depth) {
  const Value value = Map{{"node", ada()},
                          {"deep", List{1, List{Map{{"relationship", knows()}}}}},
                          {"path", Path{{ada(), ada()}, {knows()}}}};
  const Map made = bare(value).as_map();
  BOOST_TEST(made.at("node").get_if<Node>()->id().value == 7U);
  BOOST_TEST(!made.at("node").get_if<Node>()->is_loaded());
  const List& deep = made.at("deep").as_list();
  BOOST_TEST((deep[0] == Value(1)));
  const Map& inner = deep[1].as_list()[0].as_map();
  BOOST_TEST(!inner.at("relationship").get_if<Relationship>()->is_loaded());
  const Path* const path = made.at("path").path();
  BOOST_REQUIRE(path != nullptr);
  BOOST_TEST(path->nodes.size() == 2U);
  BOOST_TEST(!path->nodes[1].is_loaded());
  BOOST_TEST(path->relationships[0].id().value == 8U);
  BOOST_TEST(!path->relationships[0].is_loaded());
}

BOOST_AUTO_TEST_CASE(a_value_without_entities_shares_its_content) {
  const Value value = List{1, List{"a", Map{}}, Value()};
  BOOST_TEST(bare(value).list() == value.list());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::query
