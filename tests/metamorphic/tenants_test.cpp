// What a tenant is answered does not depend on the records of another one: random statements, as the tenant, over two
// databases with the same records of the tenant. In one of them another tenant writes between the statements: records with
// the same labels and properties, memories, and relationships to the records of the first. The labels and types have
// property, full-text and vector indexes and constraints; the memory calls make indexes of their own.
//
// Rows, columns, warnings, counters of changes, plans and errors are compared.
#include "tests/metamorphic/answers.hpp"
#include "tests/metamorphic/checks.hpp"
#include "tests/metamorphic/tenants_statements.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/rounds.hpp"
#include "tests/support/run_query.hpp"
#include "tests/support/value_generator.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <iostream>
#include <optional>
#include <regex>
#include <string>
#include <utility>

namespace cairn::test {
namespace {

/// An answer as lines, in its order; the warnings are sorted.
struct TenantAnswer {
  Lines lines;
  bool is_error = false;
};

StatementOptions as_tenant(const std::string& name, std::vector<std::string> also_read = {}) {
  StatementOptions options;
  options.name_space = name;
  options.also_read = std::move(also_read);
  options.listed_name_spaces = {name};
  options.use_files = false;
  options.now = 1'800'000'000'000'000;  // answers tell times
  return options;
}

/// The plan without the last column of PROFILE.
std::string without_durations(const std::string& plan) {
  static const std::regex lasted(R"( +\d+\.\d{3}\n)");
  return std::regex_replace(plan + "\n", lasted, "\n");
}

/// A database of the tenant acme, and perhaps of globex as well.
class TenantDatabase {
 public:
  explicit TenantDatabase(const Options& options) : database_(options) {
    run_all(*database_, create_searched_indexes());
    run_all(*database_, create_tenant_indexes());
  }

  /// Runs a statement of the tenant acme.
  [[nodiscard]] TenantAnswer answer(const TenantStatement& statement) {
    auto rows = execute(*database_, statement.text, {}, as_tenant("acme"));
    if (!rows) return failed(rows.error());
    TenantAnswer answer;
    const auto table = rows->all();
    if (!table) return failed(table.error());
    answer.lines = lines_of(*table);
    for (const std::string& column : rows->columns()) answer.lines.push_back("column " + column);
    Lines warnings = rows->warnings();
    std::ranges::sort(warnings);
    for (const std::string& warning : warnings) answer.lines.push_back("warning " + warning);
    if (!rows->plan().empty()) answer.lines.push_back("plan " + without_durations(rows->plan()));
    const Changes& made = rows->changes();
    answer.lines.push_back(
        "changes " + std::to_string(made.nodes_created) + " " + std::to_string(made.nodes_deleted) +
        " " + std::to_string(made.relationships_created) + " " +
        std::to_string(made.relationships_deleted) + " " + std::to_string(made.properties_set) +
        " " + std::to_string(made.labels_added) + " " + std::to_string(made.labels_removed) + " " +
        std::to_string(made.indexes_added) + " " + std::to_string(made.indexes_removed));
    return answer;
  }

  /// Runs a statement that must succeed.
  void run(const std::string& statement, const StatementOptions& options) {
    BOOST_TEST_CONTEXT(statement) { must(must(execute(*database_, statement, {}, options)).all()); }
  }
  /// Runs a statement of globex. It may fail: a unique key may be taken.
  void run_as_other(const std::string& statement) {
    if (auto rows = execute(*database_, statement, {}, as_tenant("globex", {"acme"})))
      static_cast<void>(rows->all());
  }

 private:
  static TenantAnswer failed(const Error& error) { return {{describe(error)}, true}; }

  TemporaryDatabase database_;
};

/// The same records of acme in both; in the first, those of globex too.
class TwoTenants {
 public:
  /// The first records of acme are made before those of globex: their block of ids is the same. Then globex uses types
  /// of relationships before acme does, and in another order.
  explicit TwoTenants(const Options& options) : with_others_(options), alone_(options) {
    for (TenantDatabase* database : {&with_others_, &alone_})
      database->run("CREATE (:A)-[:R]->(:A)", as_tenant("acme"));
    with_others_.run_as_other("CREATE (:A)-[:W3]->(:B)-[:W2]->(:A)-[:W1]->(:A)");
  }

  void begin(Random& random, Flavour flavour) {
    const std::string graph = random_small_graph(random, flavour).text();
    for (TenantDatabase* database : {&with_others_, &alone_})
      database->run("MATCH (n) DETACH DELETE n", as_tenant("acme"));
    if (random.one_in(2)) begin_others(random, flavour);
    for (TenantDatabase* database : {&with_others_, &alone_}) begin_own(*database, graph);
    if (random.one_in(2)) begin_others(random, flavour);
  }
  void write_as_other(Random& random) { with_others_.run_as_other(write_of_another(random)); }

  /// Returns what differs, or nothing.
  [[nodiscard]] std::string difference(const TenantStatement& statement) {
    const TenantAnswer expected = alone_.answer(statement), found = with_others_.answer(statement);
    if (expected.is_error && !statement.may_fail)
      return statement.text + "\n  failed: " + joined(expected.lines);
    errors_ += expected.is_error ? 1 : 0;
    rows_ += expected.is_error ? 0 : expected.lines.size();
    std::string text;
    if (found.lines != expected.lines)
      text = "\n  alone:" + joined(expected.lines) + "\n  with others:" + joined(found.lines);
    const bool is_asked = statement.text.find("globex") != std::string::npos;
    for (const std::string& line : found.lines)
      if (!is_asked && line.find("globex") != std::string::npos)
        text += "\n  a word of the others: " + line;
    return text.empty() ? text : statement.text + text;
  }
  // The errors and lines that were compared since the last call.
  [[nodiscard]] std::size_t take_errors() noexcept { return std::exchange(errors_, 0); }
  [[nodiscard]] std::size_t take_rows() noexcept { return std::exchange(rows_, 0); }

 private:
  void begin_others(Random& random, Flavour flavour) {
    if (random.one_in(2)) with_others_.run("MATCH (n) DETACH DELETE n", as_tenant("globex"));
    const std::string graph = random_small_graph(random, flavour).text();
    if (!graph.empty()) with_others_.run(graph, as_tenant("globex"));
  }
  /// Makes relationships of several types between the same nodes.
  static void begin_own(TenantDatabase& database, const std::string& graph) {
    if (!graph.empty()) database.run(graph, as_tenant("acme"));
    database.run(
        "MATCH (a:A), (b:B) WITH a, b ORDER BY id(a), id(b) LIMIT 8 CREATE (a)-[:W1 {q: 0.1}]->"
        "(b)<-[:W2 {q: 0.7}]-(a), (a)<-[:W3]-(b)",
        as_tenant("acme"));
  }
  static std::string joined(const Lines& lines) {
    std::string text;
    for (const std::string& line : lines) text += "\n    " + line;
    return text;
  }

  TenantDatabase with_others_;
  TenantDatabase alone_;
  std::size_t errors_ = 0;
  std::size_t rows_ = 0;
};

void compare_statements(const char* name, const Options& options, std::size_t graphs) {
  constexpr std::size_t statements_per_graph = 40;
  constexpr std::size_t graphs_per_database = 20;  // both have one block of ids for acme
  constexpr std::size_t most_shown = 10;
  std::size_t compared = 0, errors = 0, rows = 0, different = 0;
  std::optional<TwoTenants> tenants;
  for (std::size_t i = 0; i < graphs; ++i) {
    const std::uint64_t seed = test_seed() + i;
    Random random(seed);
    const Flavour flavour = i % 2 == 0 ? Flavour::mixed : Flavour::typed;
    if (i % graphs_per_database == 0) tenants.emplace(options);
    tenants->begin(random, flavour);
    Questions questions(random, flavour);
    for (std::size_t n = 0; n < statements_per_graph; ++n, ++compared) {
      if (random.one_in(3)) tenants->write_as_other(random);
      const TenantStatement statement = statement_of_tenant(questions);
      // Which properties have an index depends on who was first, where only some can.
      if (statement.lists_paths && options.max_paths < Options().max_paths) continue;
      const std::string difference = tenants->difference(statement);
      if (difference.empty()) continue;
      BOOST_ERROR("seed " << seed << ", statement " << n << ": " << difference);
      if (++different == most_shown) return;
      tenants.emplace(options);  // a write may have changed only one of the databases
      break;
    }
    errors += tenants->take_errors();
    rows += tenants->take_rows();
  }
  std::cout << name << ": " << compared << " statements, " << rows << " lines and " << errors
            << " errors compared, seed " << test_seed() << "\n";
  BOOST_TEST(rows > compared);
  BOOST_TEST(errors > compared / 100);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(metamorphic_tenants)

BOOST_AUTO_TEST_CASE(statements_answer_as_without_the_others) {
  compare_statements("tenants", Options{.durability = Durability::async}, rounds(60, 6'000));
}

// The others use up the paths that have an index: then conditions of the tenant are tested record by record.
BOOST_AUTO_TEST_CASE(statements_do_so_where_the_others_have_all_paths) {
  Options options{.durability = Durability::async};
  options.max_paths = 24;
  compare_statements("tenants with few paths", options, rounds(20, 2'000));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
