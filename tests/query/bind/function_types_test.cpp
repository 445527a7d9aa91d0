#include "query/bind/static_type.hpp"
#include "query/builtins/registry.hpp"

#include <boost/test/unit_test.hpp>

#include <string_view>

namespace cairn::query {

BOOST_AUTO_TEST_SUITE(function_types)

BOOST_AUTO_TEST_CASE(only_what_can_never_be_right_is_refused) {
  BOOST_TEST(argument_refusal("labels", TypeKind::path) == "a node");
  BOOST_TEST(argument_refusal("labels", TypeKind::node) == "");
  BOOST_TEST(argument_refusal("labels", TypeKind::any) == "");
  BOOST_TEST(argument_refusal("labels", TypeKind::null) == "");
  BOOST_TEST(argument_refusal("type", TypeKind::node) == "a relationship");
  BOOST_TEST(argument_refusal("size", StaticType(TypeKind::any, 1)) == "");
  BOOST_TEST(argument_refusal("toupper", TypeKind::node) == "");
}

BOOST_AUTO_TEST_CASE(results_follow_their_arguments) {
  const StaticType nodes(TypeKind::node, 1);
  BOOST_CHECK(function_type("collect", TypeKind::node) == nodes);
  BOOST_CHECK(function_type("head", nodes) == TypeKind::node);
  BOOST_CHECK(function_type("tail", nodes) == nodes);
  BOOST_CHECK(function_type("nodes", TypeKind::path) == nodes);
  BOOST_CHECK(function_type("count", TypeKind::any) == TypeKind::integer);
  BOOST_CHECK(function_type("coalesce", TypeKind::node) == TypeKind::any);
}

BOOST_AUTO_TEST_CASE(every_function_with_a_rule_exists) {
  for (const std::string_view name :
       {"collect", "count",         "endnode", "head",  "id",         "keys",
        "labels",  "last",          "length",  "nodes", "properties", "rand",
        "range",   "relationships", "reverse", "size",  "split",      "startnode",
        "tail",    "tolower",       "toupper", "type"}) {
    BOOST_TEST(find_function(name) != nullptr, name);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::query
