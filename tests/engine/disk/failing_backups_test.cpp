// A second backup and a restore in which the N-th disk call fails, for every N. Afterwards either the previous backup
// or the new one is complete, and there is a complete restored database or none.
#include "tests/engine/backup/backup_sample.hpp"
#include "tests/engine/disk/disk_calls.hpp"
#include "tests/support/rounds.hpp"
#include "tests/support/value_generator.hpp"

#include <boost/test/unit_test.hpp>

#include <cerrno>

using namespace cairn;
using namespace cairn::test;

namespace fs = std::filesystem;

namespace {

/// Fails the call with a given number, and if `for_ever` also all later calls, as if the process had been killed at
/// this call. Can also refuse hard links.
class FailingBackup final : public DiskWatcher {
 public:
  FailingBackup(std::uint64_t failing, bool for_ever, bool can_link)
      : failing_(failing), for_ever_(for_ever), can_link_(can_link) {}

  int before(const DiskCall& call) override {
    ++count_;
    const bool fails = count_ == failing_ || (for_ever_ && failing_ != 0 && count_ > failing_);
    if (fails) return count_ % 2 == 0 ? ENOSPC : EIO;
    return call.kind == DiskCall::Kind::link && !can_link_ ? EXDEV : 0;
  }
  void after(const DiskCall& /*call*/) override {}
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }

 private:
  const std::uint64_t failing_;
  const bool for_ever_;
  const bool can_link_;
  std::uint64_t count_ = 0;
};

template <class T>
std::string problem_of(const Result<T>& result) {
  return result ? std::string() : result.error().message;
}

/// Nobody watches any more when it ends.
struct Watch {
  Watch(const fs::path& root, DiskWatcher& watcher) { watch_disk(root, &watcher); }
  ~Watch() { watch_disk("", nullptr); }
};

struct Fixture {
  TemporaryDirectory directory;
  fs::path root = fs::canonical(directory.path());
  fs::path backups = root / "backups";  // what is watched
  fs::path place = backups / "backup";
  TemporaryDatabase database;
  CrashHistory history{test_seed(), 0};

  Fixture() {
    fs::create_directory(backups);
    work(*database, history, 30);
  }

  /// A backup of which a call fails. How many calls there were.
  std::uint64_t fail_backup(std::uint64_t number, bool for_ever, bool can_link) {
    const CrashHistory before = history;
    const BackupReport earlier = must(database->backup(place));
    work(*database, history, 3);
    FailingBackup calls(number, for_ever, can_link);
    const auto report = [&] {
      const Watch watch(backups, calls);
      return database->backup(place);
    }();
    const std::string which = "call " + std::to_string(number);
    if (number == 0) BOOST_TEST(report.has_value(), problem_of(report));
    const auto left = verify_backup(place);
    BOOST_TEST_REQUIRE(left.has_value(), which << ": " << problem_of(left));
    const bool is_new = left->commit == earlier.commit + 3;
    BOOST_TEST((is_new || (!report && left->commit == earlier.commit)), which);
    if (number % 8 == 0) {
      must(restore_backup(place, root / "restored"));
      BOOST_TEST(difference(root / "restored", is_new ? history : before) == "", which);
      fs::remove_all(root / "restored");
    }
    return calls.count();
  }

  void fail_backups(bool for_ever, bool can_link) {
    const std::uint64_t calls = fail_backup(0, false, can_link);
    const std::uint64_t runs = std::min<std::uint64_t>(rounds(24, calls), calls);
    for (std::uint64_t i = 0; i < runs; ++i)
      static_cast<void>(fail_backup(1 + calls * i / runs, for_ever, can_link));
    BOOST_TEST_MESSAGE(runs << " of " << calls << " calls of a backup failed");
    // Nothing of the failed ones is left.
    const BackupReport report = must(database->backup(place));
    std::uint64_t files = 0;
    for (const auto& entry : fs::recursive_directory_iterator(place))
      files += entry.is_regular_file() && entry.path().extension() != ".new" ? 1 : 0;
    BOOST_TEST(files == report.files + 1);
    BOOST_TEST(difference(*database, history) == "");
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(failing_backups, Fixture)

BOOST_AUTO_TEST_CASE(a_call_that_fails_leaves_a_whole_backup) { fail_backups(false, true); }

BOOST_AUTO_TEST_CASE(a_backup_that_ends_anywhere_leaves_a_whole_backup) {
  fail_backups(true, true);
}

BOOST_AUTO_TEST_CASE(where_no_link_can_be_made_all_is_copied) {
  FailingBackup calls(0, false, false);
  const Watch watch(backups, calls);
  const BackupReport first = must(database->backup(place));
  BOOST_TEST(first.linked_files == 0U);
  BOOST_TEST(first.copied_bytes == first.bytes);
  const BackupReport second = must(database->backup(place));
  BOOST_TEST(second.copied_bytes < first.copied_bytes);
  for (const auto& entry : fs::recursive_directory_iterator(place))
    if (entry.is_regular_file()) BOOST_TEST(fs::hard_link_count(entry) == 1U, entry.path());
  BOOST_TEST(verify_backup(place).has_value());
}

BOOST_AUTO_TEST_CASE(a_backup_of_copies_that_ends_anywhere_leaves_a_whole_one) {
  fail_backups(true, false);
}

BOOST_AUTO_TEST_CASE(a_restoration_that_ends_anywhere_leaves_a_database_or_none) {
  must(database->backup(place));
  const fs::path restored = root / "restored" / "db";
  fs::create_directory(root / "restored");
  std::uint64_t calls = 0;
  for (std::uint64_t number = 0; number <= calls; ++number) {
    FailingBackup failing(number, true, true);
    const auto report = [&] {
      const Watch watch(root / "restored", failing);
      return restore_backup(place, restored);
    }();
    if (number == 0) calls = failing.count();
    if (fs::exists(restored)) BOOST_TEST(difference(restored, history) == "", "call " << number);
    if (number == 0) BOOST_TEST(fs::exists(restored));
    if (report) BOOST_TEST(number == 0U);
    fs::remove_all(restored);
  }
  BOOST_TEST_MESSAGE(calls << " calls of a restoration failed");
  must(restore_backup(place, restored));
  BOOST_TEST(difference(restored, history) == "");
}

BOOST_AUTO_TEST_SUITE_END()
