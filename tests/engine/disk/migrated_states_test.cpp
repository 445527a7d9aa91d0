// A database of earlier code is opened for writing, which converts it to the current layout. The power is cut at any
// call of this open, or at one call of it and one call of the open that repairs it. The next open completes the
// conversion: the database agrees with itself and answers as before.
#include "tests/engine/disk/recorded_disk.hpp"
#include "tests/engine/store/aged_layouts.hpp"
#include "tests/support/golden_file.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/rounds.hpp"
#include "tests/support/run_query.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <string>
#include <vector>

using namespace cairn;
using namespace cairn::test;
using engine::Family;

namespace fs = std::filesystem;

namespace {

using Left = RecordedDisk::Left;

const fs::path golden = fs::path(CAIRN_GOLDEN_DIR) / "database";

/// Unpacks the archived database of earlier code as `to`/db. A part of the database is only in the log.
void unpack(const fs::path& to) {
  fs::create_directory(to);
  const std::string command =
      "tar -xzf '" + (golden / "earlier.tar.gz").string() + "' -C '" + to.string() + "'";
  BOOST_TEST_REQUIRE(std::system(command.c_str()) == 0, command);
}

Options options() {
  Options options;
  options.memory_bytes = std::size_t{32} << 20;
  options.share = Share::exclusive;
  return options;
}

const std::vector<GoldenCase>& questions() {
  static const std::vector<GoldenCase> all = read_golden_file(golden / "queries.txt");
  return all;
}

std::string rows_text(Database& database, const GoldenCase& one) {
  StatementOptions asked;
  asked.name_space = one.section("space");
  asked.now = 1'767'225'600'000'000;  // 2026-01-01
  std::string text;
  for (const std::string& row : rows_of(database, one.section("query"), {}, asked))
    text.append(text.empty() ? "" : "\n").append(row);
  return text;
}

/// What is not as it must be; empty where all is well.
std::string problem_with(Database& database) {
  for (const Finding& finding : must(database.check()))
    return finding.place + ": " + finding.problem;
  for (const GoldenCase& one : questions())
    if (const std::string text = rows_text(database, one); text != one.section("rows"))
      return one.title + ": " + text;
  return {};
}

/// The same of two openings, of which the second has nothing to do any more.
std::string problem_at(const fs::path& path) {
  for (const bool is_second : {false, true}) {
    auto database = Database::open(path, options());
    if (!database) return database.error().message;
    if (is_second && !database->warnings().empty()) return database->warnings().front();
    if (std::string problem = problem_with(*database); !problem.empty()) return problem;
    if (const Status closed = database->close(); !closed) return closed.error().message;
  }
  return {};
}

/// What an opening for writing does to the disk. Its error is that of a state, and found there.
std::vector<DiskRecorder::Step> steps_of_opening(const fs::path& root) {
  DiskRecorder recorder;
  watch_disk(root, &recorder);
  auto database = Database::open(root / "db", options());
  if (database) static_cast<void>(database->close().has_value());
  watch_disk({}, nullptr);
  return recorder.steps();
}

/// A disk with one database, cut at draws while that is opened.
class MigratedDisk {
 public:
  explicit MigratedDisk(bool has_old_layouts)
      : random_(has_old_layouts ? 2 : 1), about_(has_old_layouts ? "old layouts" : "earlier") {
    unpack(root());
    if (has_old_layouts) age_layouts(root() / "db");
  }

  /// About `states` of them. Returns how many.
  std::size_t check_states(std::size_t states) {
    RecordedDisk disk(root());
    const auto steps = steps_of_opening(root());
    BOOST_TEST_REQUIRE(steps.size() > 20U);
    std::size_t checked = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      disk.apply(steps[i]);
      for (const Left left : {Left::synced, Left::written, Left::some}) {
        if (random_.below(steps.size() * 3) >= states) continue;
        ++checked;
        check(disk, left, i);
      }
    }
    return checked;
  }

 private:
  [[nodiscard]] fs::path root() const { return directory_.path() / "disk"; }

  void check(const RecordedDisk& disk, Left left, std::size_t step) {
    const fs::path copy = directory_.path() / "copy";
    fs::remove_all(copy);
    disk.leave(copy, left, random_);
    std::string where = about_ + ", step " + std::to_string(step) + ", left " +
                        std::to_string(static_cast<int>(left));
    if (random_.one_in(3)) where += cut_again(copy);
    const std::string problem = problem_at(copy / "db");
    BOOST_TEST(problem.empty(), where << ": " << problem);
  }

  /// Open what is left, and cut that too. Returns where.
  std::string cut_again(const fs::path& copy) {
    RecordedDisk disk(copy);
    const auto steps = steps_of_opening(copy);
    const std::size_t step = random_.below(steps.size() + 1);
    for (std::size_t i = 0; i < step; ++i) disk.apply(steps[i]);
    fs::remove_all(copy);
    disk.leave(copy, Left::some, random_);
    return ", then step " + std::to_string(step);
  }

  const TemporaryDirectory directory_;
  Random random_;
  const std::string about_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(migrated_states)

BOOST_AUTO_TEST_CASE(a_power_cut_while_a_database_is_brought_up_to_date_loses_nothing) {
  std::size_t checked = 0;
  for (const bool has_old_layouts : {false, true})
    checked += MigratedDisk(has_old_layouts).check_states(rounds(15, 500));
  BOOST_TEST_MESSAGE("  states after a power cut in a migration: " << checked);
}

BOOST_AUTO_TEST_SUITE_END()
