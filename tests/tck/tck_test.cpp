// The openCypher conformance kit, which CAIRN_TCK_DIR locates, with one test case for each scenario. Scenarios named in
// expected-failures.txt may fail; if one of them passes, the test fails, so that the list shrinks.
// CAIRN_TCK_FAILURES=FILE writes the names of all scenarios that failed.
#include "tests/support/graph_builder.hpp"
#include "tests/tck/feature_file.hpp"
#include "tests/tck/scenario_run.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <set>

namespace {

using cairn::tck::Scenario;
namespace fs = std::filesystem;
namespace ut = boost::unit_test;

fs::path kit() {
  const char* directory = std::getenv("CAIRN_TCK_DIR");
  return directory != nullptr ? fs::path(directory)
                              : fs::path(CAIRN_SOURCE_DIR) / "../shared/opencypher-tck";
}

std::set<std::string> read_lines(const fs::path& file) {
  std::ifstream input(file);
  std::set<std::string> lines;
  for (std::string line; std::getline(input, line);)
    if (!line.empty() && line[0] != '#') lines.insert(line);
  return lines;
}

/// Passed and failed by category, printed at the end of the run.
class Score {
 public:
  void add(const std::string& category, const std::string& name, bool passed) {
    ++counts_[category].second;
    if (passed)
      ++counts_[category].first;
    else
      failed_.push_back(name);
  }
  ~Score() {
    std::size_t passed = 0;
    std::size_t all = 0;
    for (const auto& [category, count] : counts_) {
      std::cout << "tck " << category << ": " << count.first << " of " << count.second << "\n";
      passed += count.first;
      all += count.second;
    }
    if (counts_.size() > 1)
      std::cout << "tck in all: " << passed << " of " << all << " (" << 100 * passed / all
                << " %)\n";
    if (const char* file = std::getenv("CAIRN_TCK_FAILURES")) write(file);
  }

 private:
  void write(const char* file) {
    std::ofstream out(file);
    std::sort(failed_.begin(), failed_.end());
    for (const std::string& name : failed_) out << name << "\n";
  }

  std::map<std::string, std::pair<std::size_t, std::size_t>> counts_;
  std::vector<std::string> failed_;
};

/// What the cases of one process share: the database is made when the first scenario runs.
struct Kit {
  std::set<std::string> expected_failures =
      read_lines(fs::path(CAIRN_SOURCE_DIR) / "tests/tck/expected-failures.txt");
  std::unique_ptr<cairn::test::TemporaryDatabase> database;
  Score score;

  cairn::Database& open() {
    if (!database) {
      cairn::Options options;
      options.durability = cairn::Durability::async;
      database = std::make_unique<cairn::test::TemporaryDatabase>(options);
    }
    return **database;
  }
};

std::unique_ptr<Kit> kit_of_this_run;

Kit& shared() { return *kit_of_this_run; }

/// Closes the database before the store's own static objects go.
struct KitScope {
  KitScope() { kit_of_this_run = std::make_unique<Kit>(); }
  ~KitScope() { kit_of_this_run.reset(); }
};
BOOST_TEST_GLOBAL_FIXTURE(KitScope);

/// A host cannot call procedures that this process registers.
bool needs_procedure(const Scenario& scenario) {
  return std::ranges::any_of(scenario.steps, [](const cairn::tck::Step& step) {
    return step.text.starts_with("there exists a procedure ");
  });
}

void check(const std::string& category, const Scenario& scenario) {
  cairn::Database& database = shared().open();
  if (needs_procedure(scenario) && !cairn::test::must(database.role()).is_host) return;
  cairn::tck::ScenarioRun run(database, kit() / "graphs");
  const auto problem = run.run(scenario);
  const bool may_fail = shared().expected_failures.contains(scenario.name);
  shared().score.add(category, scenario.name, !problem);
  if (may_fail)
    BOOST_TEST(problem.has_value(),
               "passes now: remove it from expected-failures.txt: " << scenario.name);
  else
    BOOST_TEST(!problem.has_value(), scenario.name << "\n  " << problem.value_or(""));
}

/// Replaces all characters except letters and digits, because a name must not contain separators of Boost.Test.
std::string case_name(std::string name) {
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name;
}

void add_category(const fs::path& folder, const std::string& category) {
  ut::test_suite* suite = BOOST_TEST_SUITE(case_name(category));
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files)
    for (const Scenario& scenario :
         cairn::tck::read_feature(file, category + "/" + file.stem().string()))
      suite->add(ut::make_test_case([category, scenario] { check(category, scenario); },
                                    case_name(scenario.name), __FILE__, __LINE__));
  ut::framework::master_test_suite().add(suite);
}

bool add_all() {
  const fs::path features = kit() / "features";
  if (!fs::is_directory(features)) {
    ut::framework::master_test_suite().add(ut::make_test_case(
        [] {
          BOOST_TEST_MESSAGE("SKIPPED");
          std::cout << "SKIPPED: no conformance kit at CAIRN_TCK_DIR\n";
        },
        "the_kit_is_absent", __FILE__, __LINE__));
    return true;
  }
  std::set<fs::path> folders;
  for (const auto& entry : fs::recursive_directory_iterator(features))
    if (entry.path().extension() == ".feature") folders.insert(entry.path().parent_path());
  for (const fs::path& folder : folders)
    add_category(folder, folder.lexically_relative(features).generic_string());
  return true;
}

// Cases are added while the program starts, as the framework's own macros do.
[[maybe_unused]] const bool added = add_all();

}  // namespace
