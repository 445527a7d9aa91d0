// Value::to_text.
#include <cairn/value.hpp>

#include <boost/test/unit_test.hpp>

#include <limits>
#include <utility>
#include <vector>

using namespace cairn;
using namespace std::string_view_literals;

namespace {

Node node(std::uint64_t id, std::vector<std::string> labels, Properties properties = {}) {
  return Node(NodeId{id}, std::make_shared<Node::Content>(
                              Node::Content{std::move(labels), std::move(properties), {}}));
}

Relationship relationship(std::uint64_t id, std::string type, std::uint64_t from, std::uint64_t to,
                          Properties properties = {}) {
  return Relationship(RelationshipId{id},
                      std::make_shared<Relationship::Content>(Relationship::Content{
                          std::move(type), NodeId{from}, NodeId{to}, std::move(properties)}));
}

using Cases = std::vector<std::pair<Value, std::string_view>>;

void check(const Cases& cases) {
  for (const auto& [value, text] : cases) BOOST_TEST(value.to_text() == text);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(value_text)

BOOST_AUTO_TEST_CASE(scalars_are_literals) {
  check({{Value(), "null"},
         {true, "true"},
         {-3, "-3"},
         {std::numeric_limits<std::int64_t>::min(), "-9223372036854775808"}});
}

BOOST_AUTO_TEST_CASE(a_float_always_looks_like_one) {
  check({{2.0, "2.0"},
         {-0.0, "-0.0"},
         {0.1, "0.1"},
         {1e300, "1e300"},
         {1e-7, "1e-07"},
         {std::numeric_limits<double>::quiet_NaN(), "NaN"},
         {-std::numeric_limits<double>::infinity(), "-Infinity"}});
}

BOOST_AUTO_TEST_CASE(a_string_escapes_what_would_end_or_hide_it) {
  check({{"Ada", "'Ada'"},
         {"it's a \\", "'it\\'s a \\\\'"},
         {"a\nb\rc\td", "'a\\nb\\rc\\td'"},
         {"\0\x1b\x7f"sv, "'\\u0000\\u001b\\u007f'"},
         {"gr\xc3\xbc\xc3\x9f", "'gr\xc3\xbc\xc3\x9f'"}});
}

BOOST_AUTO_TEST_CASE(containers_nest_and_awkward_keys_are_quoted) {
  check({{list_of({}), "[]"},
         {map_of({}), "{}"},
         {map_of({{"name", "Ada"}, {"ages", list_of({1, 2.0})}}), "{ages: [1, 2.0], name: 'Ada'}"},
         {map_of({{"a b", 1}, {"1x", 2}, {"b`c", 3}}), "{`1x`: 2, `a b`: 1, `b``c`: 3}"},
         {map_of({{"", 1}}), "{``: 1}"}});
}

BOOST_AUTO_TEST_CASE(temporals_are_calls_of_their_functions) {
  check({{Date{20'498}, "date('2026-02-14')"},
         {LocalTime{1}, "localtime('00:00:00.000000001')"},
         {Time{0, -3'600}, "time('00:00-01:00')"},
         {LocalDateTime{-1, 500'000'000}, "localdatetime('1969-12-31T23:59:59.5')"},
         {DateTime{0, 0, 3'600, "Europe/Berlin"},
          "datetime('1970-01-01T01:00+01:00[Europe/Berlin]')"},
         {Duration{14, -3, 0, 0}, "duration('P1Y2M-3D')"}});
}

BOOST_AUTO_TEST_CASE(a_vector_shows_its_dimension) {
  check({{Vector({0.5F, 1.0F}), "vector([0.5, 1.0], 2, FLOAT32)"},
         {Vector(), "vector([], 0, FLOAT32)"}});
}

BOOST_AUTO_TEST_CASE(entities_look_like_patterns) {
  check({{node(1, {"Person"}, {{"name", "Ada"}}), "(:Person {name: 'Ada'})"},
         {node(1, {}, {{"a", 1}}), "({a: 1})"},
         {node(1, {"A", "B c"}), "(:A:`B c`)"},
         {node(1, {}), "()"},
         {Node(NodeId{12}), "(#12)"},
         {relationship(1, "KNOWS", 1, 2, {{"since", 1815}}), "[:KNOWS {since: 1815}]"},
         {Relationship(RelationshipId{3}), "[#3]"}});
}

BOOST_AUTO_TEST_CASE(a_path_points_as_its_relationships_do) {
  Path path;
  path.nodes = {node(1, {"A"}), node(2, {"B"}), node(3, {"C"})};
  path.relationships = {relationship(1, "X", 1, 2), relationship(2, "Y", 3, 2)};
  BOOST_TEST(Value(path).to_text() == "(:A)-[:X]->(:B)<-[:Y]-(:C)");
}

BOOST_AUTO_TEST_SUITE_END()
