// Backups while others write and read: each restored one is the database as of the commit that its report names.
#include "tests/engine/backup/backup_sample.hpp"
#include "tests/support/rounds.hpp"
#include "tests/support/value_generator.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <thread>

using namespace cairn;
using namespace cairn::test;

namespace fs = std::filesystem;

namespace {

constexpr std::size_t writers = 2;

/// Writers, and one who reads, until the end of it. Boost.Test's checks are not for several threads at once.
class Load {
 public:
  Load(Database& database, std::uint64_t seed) : database_(database) {
    for (std::size_t writer = 0; writer < writers; ++writer)
      threads_[writer] = std::jthread([this, seed, writer] { write(seed, writer); });
    threads_[writers] = std::jthread([this] { read(); });
  }
  ~Load() { is_over_ = true; }

  [[nodiscard]] int failures() const noexcept { return failures_; }
  /// The longest duration of a commit since the last call of this function.
  [[nodiscard]] std::chrono::microseconds longest_commit() {
    return std::chrono::microseconds(longest_.exchange(0));
  }
  [[nodiscard]] std::uint64_t commits() const noexcept { return commits_; }

 private:
  void write(std::uint64_t seed, std::size_t writer) {
    CrashHistory history(seed, writer);
    while (!is_over_) {
      const auto begin = std::chrono::steady_clock::now();
      auto transaction = database_.begin();
      const bool is_done =
          transaction && apply(*transaction, history.next(), writer) && transaction->commit();
      if (!is_done) ++failures_;
      if (!is_done) return;
      ++commits_;
      const auto took = std::chrono::duration_cast<std::chrono::microseconds>(
          std::chrono::steady_clock::now() - begin);
      longest_ = std::max<std::int64_t>(longest_, took.count());
    }
  }
  void read() {
    while (!is_over_) {
      const auto snapshot = database_.snapshot();
      if (!snapshot || !count_done(*snapshot, 0)) ++failures_;
    }
  }

  Database& database_;
  std::atomic<bool> is_over_ = false;
  std::atomic<int> failures_ = 0;
  std::atomic<std::uint64_t> commits_ = 0;
  std::atomic<std::int64_t> longest_ = 0;
  std::array<std::jthread, writers + 1> threads_;  // last: they use the others
};

/// What the writers had done, by the counters in the database itself.
std::set<std::string> expected_content(const Snapshot& snapshot, std::uint64_t seed,
                                       std::uint64_t& operations) {
  std::set<std::string> lines;
  for (std::size_t writer = 0; writer < writers; ++writer) {
    CrashHistory history(seed, writer);
    const std::uint64_t done = must(count_done(snapshot, writer));
    while (history.count() < done) history.next();
    history.describe(lines);
    operations += done;
  }
  return lines;
}

/// Empty where the restored database is right.
std::string wrong_with(const fs::path& directory, const BackupReport& report, std::uint64_t seed) {
  Database database = must(Database::open(directory));
  for (const std::string& warning : database.warnings()) return "warning: " + warning;
  const Snapshot snapshot = must(database.snapshot());
  if (snapshot.commit_number() != report.commit) return "another commit";
  std::uint64_t operations = 0;
  if (describe(snapshot) != expected_content(snapshot, seed, operations)) return "other content";
  if (operations != report.commit) return "not as of one commit";
  const auto findings = must(database.check());
  return findings.empty() ? "" : findings.front().place + ": " + findings.front().problem;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(backup_with_writers)

BOOST_AUTO_TEST_CASE(each_restored_backup_is_as_of_the_commit_that_it_names) {
  const std::uint64_t seed = test_seed();
  BOOST_TEST_MESSAGE("seed " << seed);
  const TemporaryDirectory directory;
  const fs::path place = directory.path() / "backup";
  const std::size_t count = rounds(5, 50);
  TemporaryDatabase database(Options{.durability = Durability::async});
  std::uint64_t commit = 0;
  std::uint64_t copied = 0;
  std::uint64_t bytes = 0;
  std::chrono::microseconds longest{0};
  {
    Load load(*database, seed);
    for (std::size_t i = 0; i < count; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      static_cast<void>(load.longest_commit());
      // Every third one into a directory of its own.
      const fs::path to = i % 3 == 0 ? directory.path() / ("own-" + std::to_string(i)) : place;
      const BackupReport report = must(database->backup(to));
      longest = std::max(longest, load.longest_commit());
      BOOST_TEST(report.commit > commit);
      commit = report.commit;
      copied += report.copied_bytes;
      bytes += report.bytes;
      const fs::path restored = directory.path() / ("restored-" + std::to_string(i));
      must(restore_backup(to, restored));
      BOOST_TEST(wrong_with(restored, report, seed) == "", "backup " << i);
      fs::remove_all(restored);
    }
    BOOST_TEST(load.failures() == 0);
    BOOST_TEST_MESSAGE(count << " backups beside " << load.commits() << " commits: " << copied
                             << " bytes copied of " << bytes << ", a commit took at most "
                             << longest.count() / 1'000 << " ms");
  }
}

BOOST_AUTO_TEST_SUITE_END()
