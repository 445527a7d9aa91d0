// Value::to_text.

#include "codec/value_text.hpp"

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

using namespace cairn::codec;

namespace {

constexpr std::int64_t second = 1'000'000'000;

}  // namespace

BOOST_AUTO_TEST_SUITE(temporal_texts)

BOOST_AUTO_TEST_CASE(a_date_has_four_digits_of_a_year_or_a_sign) {
  BOOST_TEST(temporal_text(Date{0}) == "1970-01-01");
  BOOST_TEST(temporal_text(Date{-719'162}) == "0001-01-01");
  BOOST_TEST(temporal_text(Date{2'932'897}) == "+10000-01-01");
  BOOST_TEST(temporal_text(Date{-719'529}) == "-0001-12-31");
}

BOOST_AUTO_TEST_CASE(seconds_and_fractions_stand_where_they_are_not_zero) {
  BOOST_TEST(temporal_text(LocalTime{0}) == "00:00");
  BOOST_TEST(temporal_text(LocalTime{61 * second}) == "00:01:01");
  BOOST_TEST(temporal_text(LocalTime{second / 2}) == "00:00:00.5");
  BOOST_TEST(temporal_text(LocalTime{86'400 * second - 1}) == "23:59:59.999999999");
}

BOOST_AUTO_TEST_CASE(an_offset_shows_its_sign_and_rarely_seconds) {
  BOOST_TEST(offset_text(0) == "Z");
  BOOST_TEST(offset_text(19'800) == "+05:30");
  BOOST_TEST(offset_text(-3'600) == "-01:00");
  BOOST_TEST(offset_text(-3'208) == "-00:53:28");
  BOOST_TEST(temporal_text(Time{43'200 * second, 3'600}) == "12:00+01:00");
}

BOOST_AUTO_TEST_CASE(a_moment_shows_its_local_clock) {
  BOOST_TEST(temporal_text(LocalDateTime{-1, 0}) == "1969-12-31T23:59:59");
  BOOST_TEST(temporal_text(DateTime{0, 0, 3'600, ""}) == "1970-01-01T01:00+01:00");
  BOOST_TEST(temporal_text(DateTime{0, 0, 0, "Europe/London"}) ==
             "1970-01-01T00:00Z[Europe/London]");
}

BOOST_AUTO_TEST_CASE(a_duration_gives_each_part_its_sign) {
  BOOST_TEST(temporal_text(Duration{}) == "PT0S");
  BOOST_TEST(temporal_text(Duration{14, -3, 0, 0}) == "P1Y2M-3D");
  BOOST_TEST(temporal_text(Duration{0, 0, 3'661, 0}) == "PT1H1M1S");
}

// The stored fraction counts upwards from the second below.
BOOST_AUTO_TEST_CASE(a_negative_fraction_counts_away_from_zero) {
  BOOST_TEST(temporal_text(Duration{0, 0, -1, 500'000'000}) == "PT-0.5S");
  BOOST_TEST(temporal_text(Duration{0, 0, -2, 500'000'000}) == "PT-1.5S");
  BOOST_TEST(temporal_text(Duration{0, 0, 1, 500'000'000}) == "PT1.5S");
  BOOST_TEST(temporal_text(Duration{std::numeric_limits<std::int64_t>::min(), 0, 0, 0}) ==
             "P-768614336404564650Y-8M");
}

BOOST_AUTO_TEST_SUITE_END()
