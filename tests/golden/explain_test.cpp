// The plans that the planner chooses, in tests/golden/explain. A case has a query, its plan and, for the cases after
// it, the graph for which it is planned.

#include "tests/support/golden_file.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>

namespace cairn::test {
namespace {

void make_graph(Database& database, const std::string& statements) {
  for (const std::string_view statement : split_statements(statements))
    run_all(database, {std::string(statement)});
}

void check(const std::filesystem::path& path) {
  std::unique_ptr<TemporaryDatabase> database;
  check_golden_file(path, [&](const GoldenCase& one) -> GoldenOutcome {
    if (one.has("graph")) {
      database = std::make_unique<TemporaryDatabase>();
      make_graph(**database, one.section("graph"));
    }
    if (!one.has("query")) return {};
    StatementOptions options;
    options.disabled_rules = one.section("without");
    return {"explain", plan_of(**database, "EXPLAIN " + one.section("query"), {}, options)};
  });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(golden_explain)

BOOST_AUTO_TEST_CASE(every_plan_is_the_one_written_down) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(CAIRN_GOLDEN_DIR "/explain"))
    if (entry.path().extension() == ".txt") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  BOOST_TEST(!files.empty());
  for (const auto& file : files) check(file);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
