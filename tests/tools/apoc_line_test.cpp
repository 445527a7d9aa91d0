#include "query/transfer/apoc_line.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdint>

using namespace cairn::query;
using cairn::Value;

namespace {

NodeLine node(std::string_view text) { return std::get<NodeLine>(parse_apoc_line(text).value()); }

std::string problem(std::string_view text) {
  const auto line = parse_apoc_line(text);
  return line ? "" : line.error().message;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(apoc_line)

BOOST_AUTO_TEST_CASE(a_node_of_an_apoc_export_is_read) {
  const NodeLine line = node(
      R"({"type":"node","id":"0","labels":["User"],"properties":{"name":"Adam","age":42,"kids":["Sam"]}})");
  BOOST_TEST(line.id == "0");
  BOOST_TEST(line.labels == std::vector<std::string>{"User"}, boost::test_tools::per_element());
  BOOST_TEST((line.properties.at("age") == Value(42)));
}

BOOST_AUTO_TEST_CASE(a_relationship_of_an_apoc_export_is_read) {
  const auto line = parse_apoc_line(
      R"({"type":"relationship","id":"0","label":"KNOWS","properties":{"since":1993},)"
      R"("start":{"id":"0","labels":["User"]},"end":{"id":"1","labels":["User"]}})");
  BOOST_REQUIRE(line.has_value());
  const auto& relationship = std::get<RelationshipLine>(*line);
  BOOST_TEST(relationship.type == "KNOWS");
  BOOST_TEST(relationship.start == "0");
  BOOST_TEST(relationship.end == "1");
}

BOOST_AUTO_TEST_CASE(numbers_may_be_ids) {
  BOOST_TEST(node(R"({"type":"node","id":7})").id == "7");
}

BOOST_AUTO_TEST_CASE(a_broken_line_says_what_is_wrong) {
  BOOST_TEST(problem("{").find("JSON") != std::string::npos);
  BOOST_TEST(problem("[]") == "the line is not a JSON object");
  BOOST_TEST(problem(R"({"type":"edge"})").find("edge") != std::string::npos);
  BOOST_TEST(problem(R"({"type":"node"})") == R"(the node needs a text or an integer in "id")");
  BOOST_TEST(problem(R"({"type":"relationship","label":"A","start":{"id":"1"}})") ==
             "the relationship needs an object in \"end\", such as {\"id\": \"7\"}");
  BOOST_TEST(problem(R"({"type":"node","id":"1","labels":"A"})") ==
             "\"labels\" must be a list of texts");
  BOOST_TEST(problem(R"({"type":"node","id":"1","externalId":7})")
                 .starts_with("\"externalId\" must be a text"));
  BOOST_TEST(problem(R"({"type":"node","id":"1","properties":{"d":"1 +"},"types":{"d":"cypher"}})")
                 .starts_with("property \"d\": a value is not a literal: "));
}

BOOST_AUTO_TEST_CASE(nothing_of_a_line_is_lost_without_a_word) {
  BOOST_TEST(problem(R"({"type":"node","id":"1","propertees":{"k":1}})").find("propertees") !=
             std::string::npos);
  BOOST_TEST(problem(R"({"type":"node","id":"1","label":"B"})").find("labels") !=
             std::string::npos);
  BOOST_TEST(problem(R"({"type":"node","id":"1","properties":{"k":12345678901234567890}})")
                 .find("64 bits") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_vector_keeps_its_type) {
  auto content = std::make_shared<cairn::Node::Content>();
  content->properties["e"] = cairn::Vector({0.25F, -1.5F});
  const NodeLine line = node(to_apoc_line(cairn::Node(cairn::NodeId{1}, content), {}));
  BOOST_TEST((line.properties.at("e") == content->properties.at("e")));
}

BOOST_AUTO_TEST_CASE(system_fields_stand_apart_from_properties) {
  auto content = std::make_shared<cairn::Node::Content>();
  content->properties["deletedAt"] = Value("mine");
  const cairn::SystemFields fields{"a \"b", 1, -2, 3, INT64_MAX, INT64_MIN, 0};
  const std::string text = to_apoc_line(cairn::Node(cairn::NodeId{1}, content), fields);
  BOOST_TEST(text ==
             R"({"type":"node","id":"1","properties":{"deletedAt":"mine"},"system":{)"
             R"("namespace":"a \"b","created":1,"updated":-2,"deletedAt":3,)"
             R"("expiresAt":9223372036854775807,"validFrom":-9223372036854775808,"validTo":0}})");
  const NodeLine line = node(text);
  BOOST_TEST((line.system == fields));
  BOOST_TEST(line.properties.size() == 1U);
  BOOST_TEST(!node(R"({"type":"node","id":"1"})").system.has_value());
}

BOOST_AUTO_TEST_CASE(a_wrong_system_field_is_named) {
  const auto of = [](const std::string& system) {
    return problem(R"({"type":"node","id":"1","system":)" + system + "}");
  };
  BOOST_TEST(of("1") == "\"system\" is not an object");
  BOOST_TEST(of(R"({"namespace":1})") == "\"system\" has a \"namespace\" that is not a text");
  BOOST_TEST(of(R"({"author":1})") == "\"system\" has a \"author\" that is not a text");
  BOOST_TEST(of(R"({"deletedAt":"x"})").find("\"deletedAt\" that is not a whole number") !=
             std::string::npos);
  BOOST_TEST(
      of(R"({"deleted":1})").find("unknown member \"deleted\"; known members: namespace, author") !=
      std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
