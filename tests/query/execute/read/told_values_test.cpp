// Compares property values that come from an order of values in memory with the values in the
// records: type, zone and bits must be equal, in every kind of view.

#include "codec/record.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/database/access.hpp"
#include "engine/index/path_column.hpp"
#include "engine/view/view.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <cairn/statement.hpp>

#include <boost/test/unit_test.hpp>

#include <bit>
#include <limits>
#include <sstream>

namespace cairn::test {
namespace {

/// This test counts record reads, and segments read no records.
Options without_segments() {
  Options options;
  options.segments = Segments::never;
  return options;
}

constexpr const char* all = "MATCH (m:M) RETURN id(m), m.p";

/// Values of every type, most of them several times.
std::vector<Value> values_of_all_types() {
  constexpr std::int64_t large = std::int64_t{1} << 53;
  std::vector<Value> values = {1,
                               1.0,
                               0,
                               0.0,
                               -0.0,
                               large + 1,
                               static_cast<double>(large),
                               1.5,
                               std::numeric_limits<double>::quiet_NaN(),
                               std::numeric_limits<double>::infinity(),
                               true,
                               false,
                               "",
                               "a",
                               std::string("a\0b", 3),
                               std::string("\0\0\xff", 3),
                               "2026-01-01T00:00:00Z",
                               std::string(256, 'x'),
                               std::string(257, 'x'),
                               std::string(300, 'x') + "y",
                               DateTime{1'700'000'000, 5, 0, ""},
                               DateTime{1'700'000'000, 5, 3'600, ""},
                               DateTime{1'700'000'000, 5, 3'600, "Europe/Berlin"},
                               DateTime{-62'000'000'000, 0, -18'000, ""},
                               LocalDateTime{1'700'000'000, 999'999'999},
                               LocalDateTime{-1, 1},
                               Date{-1},
                               Date{20'000},
                               Time{3'600'000'000'000, 3'600},
                               Time{0, 0},
                               Time{0, -3'600},
                               LocalTime{0},
                               LocalTime{1},
                               Duration{0, 0, 3'600, 0},
                               Duration{1, 0, 0, 0},
                               Duration{0, 30, 0, 0},
                               Duration{0, 1, -86'400, 7},
                               Duration{-1, 31, 0, 0},
                               List{1, "a"},
                               List{},
                               Map{{"a", 1}}};
  for (int i = 0; i < 200; ++i) values.emplace_back("text " + std::to_string(i % 60));
  return values;
}

/// The value with its type, and for a float its bits.
std::string exact(const Value& value) {
  std::string text = std::string(to_string(value.type())) + " " + value.to_text();
  if (const double* number = value.get_if<double>())
    text += std::to_string(std::bit_cast<std::uint64_t>(*number));
  return text;
}

/// The values by id, by a statement, which may take them from the order. `source` is a snapshot or
/// a transaction.
template <class Source>
std::vector<std::string> asked(Source& source) {
  std::vector<std::string> rows;
  Rows found = must(must(Statement::parse(all)).run(source));
  while (const auto row = must(found.next()))
    rows.push_back(std::to_string((*row)[0].as_integer()) + " " + exact((*row)[1]));
  return rows;
}

/// The values by id, read from each record and never from the sorted column.
template <class Source>
std::vector<std::string> read(const Source& source, std::size_t last) {
  std::vector<std::string> rows;
  for (std::uint64_t id = 1; id <= last; ++id) {
    const auto node = must(source.find_node(NodeId{id}));
    if (!node || node->labels().front() != "M") continue;
    const auto value = node->properties().find("p");
    rows.push_back(std::to_string(id) + " " +
                   exact(value == node->properties().end() ? Value() : value->second));
  }
  return rows;
}

struct Fixture {
  Fixture() {
    Transaction transaction = must(database->begin());
    for (const Value& value : values_of_all_types())
      last = must(transaction.create_node({{"M"}, {{"p", value}}})).value;
    last = must(transaction.create_node({{"M", "N"}, {{"q", 1}}})).value;
    must(transaction.commit());
  }

  /// Pretends that reading records has already cost as much as building the order, so that the
  /// order is kept.
  void keep_order() {
    const auto view = Access::view(must(database->snapshot()));
    const auto path = view->catalog().find_path(codec::EntityKind::node, "p");
    BOOST_REQUIRE(path);
    BOOST_REQUIRE(must(engine::path_column(*view, codec::EntityKind::node, *path, 1e9)) != nullptr);
  }

  /// A column of the projection's line in a profile: 0 rows expected, 1 rows, 2 ids, 3 records.
  std::size_t figure(const std::string& statement, int column) {
    const std::string plan = plan_of(*database, statement);
    const std::string name = "Project m.p";
    std::istringstream line(plan.substr(plan.find(name) + name.size()));
    std::string text;
    for (int i = 0; i <= column; ++i) line >> text;
    return std::stoul(text);
  }

  template <class Source>
  void check(Source& source) {
    BOOST_TEST(asked(source) == read(source, last + 10), boost::test_tools::per_element());
  }

  TemporaryDatabase database{without_segments()};
  std::uint64_t last = 0;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(told_values, Fixture)

BOOST_AUTO_TEST_CASE(are_those_of_the_records) {
  keep_order();
  const Snapshot snapshot = must(database->snapshot());
  check(snapshot);
}

BOOST_AUTO_TEST_CASE(need_no_record) {
  for (const std::string value :
       {"'text 3'", "true", "date('2024-10-04')", "localtime('00:00:00.000000001')",
        "duration('P1M')", "time('01:00:00+01:00')",
        "localdatetime('2023-11-14T22:13:20.999999999')",
        "datetime('2023-11-14T23:13:20.000000005+01:00')",
        "datetime('2023-11-14T23:13:20.000000005[Europe/Berlin]')"}) {
    const std::string statement = "PROFILE MATCH (m:M) WHERE m.p = " + value + " RETURN m.p";
    BOOST_TEST_CONTEXT(value) {
      database.reopen();
      const std::size_t rows = figure(statement, 1);
      BOOST_TEST(rows > 0U);
      BOOST_TEST(figure(statement, 3) == rows);
      keep_order();
      BOOST_TEST(figure(statement, 1) == rows);
      BOOST_TEST(figure(statement, 3) == 0U);
    }
  }
}

BOOST_AUTO_TEST_CASE(an_older_snapshot_has_its_own) {
  const Snapshot before = must(database->snapshot());
  keep_order();
  must(execute(*database,
               "MATCH (m:M) WHERE m.p = 'text 3' SET m.p = datetime('2026-01-01T00:00:00+01:00')"));
  must(execute(*database, "MATCH (m:M) WHERE m.p = 'text 4' REMOVE m.p"));
  must(execute(*database, "MATCH (m:M) WHERE m.p = 'text 5' DELETE m"));
  check(before);
  keep_order();
  check(before);
  const Snapshot after = must(database->snapshot());
  check(after);
}

BOOST_AUTO_TEST_CASE(a_transaction_sees_its_own_changes) {
  keep_order();
  Transaction transaction = must(database->begin());
  must(transaction.set_property(NodeId{3}, "p", Value(Date{7})));
  must(transaction.set_property(NodeId{30}, "p", Value("changed")));
  must(transaction.set_property(NodeId{31}, "p", Value()));
  must(transaction.erase_node(NodeId{12}));
  must(transaction.create_node({{"M"}, {{"p", LocalTime{5}}}}));
  check(transaction);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
