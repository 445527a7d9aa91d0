// A process restores a backup, or opens a database whose indexes have another layout, and is killed at any moment,
// several times in a row. No kill loses existing data: the next process completes the work.
#include "tests/engine/crash_database.hpp"
#include "tests/engine/killed_child.hpp"
#include "tests/engine/store/aged_layouts.hpp"
#include "tests/support/copy_tree.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/rounds.hpp"

#include <cairn/backup.hpp>

#include <boost/test/unit_test.hpp>

#include <array>
#include <set>
#include <string>

namespace cairn::test {
namespace {

namespace fs = std::filesystem;
using std::chrono::microseconds;

/// A closed database with a history and indexes, its backup, and the expected content of both.
class SavedDatabase {
 public:
  SavedDatabase() {
    constexpr std::uint64_t operations = 120;
    Database database = must(Database::open(path()));
    CrashHistory history(5, 0);
    while (history.count() < operations) {
      const CrashOperation operation = history.next();
      Transaction transaction = must(database.begin());
      must(apply(transaction, operation, 0));
      must(transaction.commit());
    }
    must(database.backup(backup()));
    content_ = describe(must(database.snapshot()));
    must(database.close());
  }

  [[nodiscard]] fs::path path() const { return directory_.path() / "saved"; }
  /// Where crash_child looks for the backup of its database.
  [[nodiscard]] fs::path backup() const { return database().string() + ".backup"; }
  /// The database that processes are killed at.
  [[nodiscard]] fs::path database() const { return directory_.path() / "db"; }

  /// All of it is there and agrees with itself, and again after one more opening, which has nothing to repair.
  void expect_whole() const {
    for (const bool is_second : {false, true}) {
      Options options;
      options.create_if_missing = false;
      Database opened = must(Database::open(database(), options));
      for (const Finding& finding : must(opened.check()))
        BOOST_ERROR(finding.place << ": " << finding.problem);
      BOOST_TEST((describe(must(opened.snapshot())) == content_));
      BOOST_TEST((!is_second || opened.warnings().empty()));
      must(opened.close());
    }
  }

 private:
  const TemporaryDirectory directory_;
  std::set<std::string> content_;
};

/// Killed after a time, or at a call that writes or syncs a file of the database.
ChildRun random_run(const SavedDatabase& saved, const char* mode, Random& random) {
  ChildRun run{saved.database(), 5, mode};
  if (random.one_in(2)) {
    constexpr auto calls =
        std::to_array({"write", "write", "sync", "unlink", "rename", "mkdir", "make", "truncate"});
    constexpr auto moments = std::to_array({"before", "half", "after"});
    run.kill_at = std::string(random.pick(calls)) + " /db " + std::to_string(1 + random.below(60)) +
                  " " + random.pick(moments);
  }
  run.after_start = microseconds(run.kill_at.empty() ? 2'000 + random.below(60'000) : 60'000'000);
  return run;
}

bool is_there(const fs::path& database) { return fs::exists(database / "store"); }

}  // namespace

BOOST_AUTO_TEST_SUITE(crash_while_restoring)

BOOST_AUTO_TEST_CASE(a_backup_is_restored_whole_or_not_at_all_by_a_killed_process) {
  const SavedDatabase saved;
  std::size_t made = 0, begun = 0;
  const std::size_t kills = rounds(20, 1'000);
  for (std::size_t i = 0; i < kills; ++i) BOOST_TEST_CONTEXT("seed " << i) {
      Random random(i);
      fs::remove_all(saved.database());
      const ChildEnd end = run_and_kill(random_run(saved, "restore", random));
      BOOST_TEST(end.problem.empty(), end.problem);
      const bool is_acknowledged = end.acknowledged[0] > 0;
      BOOST_TEST((is_there(saved.database()) || !is_acknowledged));
      if (is_there(saved.database())) ++made;
      if (!is_acknowledged) ++begun;
      if (!is_there(saved.database())) must(restore_backup(saved.backup(), saved.database()));
      saved.expect_whole();
    }
  BOOST_TEST_MESSAGE("  kills while a backup is restored: " << kills << ", before its end " << begun
                                                            << ", with a database " << made);
  BOOST_TEST(begun > 0U);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(crash_while_migrating)

BOOST_AUTO_TEST_CASE(indexes_of_another_layout_are_rebuilt_whatever_kills_that) {
  const SavedDatabase saved;
  const TemporaryDirectory directory;
  const fs::path old = directory.path() / "old";
  copy_tree(saved.path(), old);
  age_layouts(old);
  std::size_t killed = 0;
  const std::size_t databases = rounds(10, 500);
  for (std::size_t i = 0; i < databases; ++i) BOOST_TEST_CONTEXT("seed " << i) {
      Random random(i);
      fs::remove_all(saved.database());
      copy_tree(old, saved.database());
      for (std::size_t again = random.below(3); again < 3; ++again) {
        const ChildEnd end = run_and_kill(random_run(saved, "open", random));
        BOOST_TEST(end.problem.empty(), end.problem);
        ++killed;
      }
      saved.expect_whole();
    }
  BOOST_TEST_MESSAGE("  kills while indexes are brought up to date: " << killed);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
