// The N-th read of an open fails, once or permanently, for every N: a read of a log, a manifest, a table or another
// file. The open returns an error that names the file, or all data is there. Once the fault is gone, all data is there
// again.
#include "engine/store/log_reader.hpp"
#include "tests/engine/crash_database.hpp"
#include "tests/engine/disk/child.hpp"
#include "tests/engine/disk/disk_calls.hpp"
#include "tests/engine/disk/disk_history.hpp"
#include "tests/engine/store/died_database.hpp"
#include "tests/support/copy_tree.hpp"
#include "tests/support/rounds.hpp"
#include "tests/support/temporary_directory.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <mutex>
#include <set>
#include <string>

using namespace cairn;
using namespace cairn::test;

namespace fs = std::filesystem;

namespace {

enum class Opening : std::uint8_t { to_write, to_read, to_repair };
/// The state of the last log: complete, or without its end, as after a power cut.
enum class Log : std::uint8_t { whole, torn };

/// One way to open what the process left.
struct Case {
  Opening opening;
  Log log = Log::whole;
};

/// Fails the read with a given number, and if `for_ever` all later reads, until it is stopped.
class FailingReads final : public DiskWatcher {
 public:
  FailingReads(std::uint64_t failing, bool for_ever) : failing_(failing), for_ever_(for_ever) {}

  int before(const DiskCall& call) override {
    if (call.kind != DiskCall::Kind::read || !is_on_) return 0;
    ++count_;
    if (count_ != failing_ && (!for_ever_ || failing_ == 0 || count_ < failing_)) return 0;
    const std::lock_guard lock(mutex_);
    failed_.insert(fs::path(call.path).filename().string());
    return EIO;
  }
  void after(const DiskCall& /*call*/) override {}
  void stop() { is_on_ = false; }
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  /// Whether a text names a file of which a read failed.
  [[nodiscard]] bool is_named_in(const std::string& text) const {
    const std::lock_guard lock(mutex_);
    return std::ranges::any_of(
        failed_, [&](const std::string& name) { return text.find(name) != text.npos; });
  }
  [[nodiscard]] std::string failed() const {
    const std::lock_guard lock(mutex_);
    std::string all;
    for (const std::string& name : failed_) all += " " + name;
    return all;
  }

 private:
  const std::uint64_t failing_;
  const bool for_ever_;
  std::atomic<bool> is_on_ = true;
  std::atomic<std::uint64_t> count_ = 0;
  mutable std::mutex mutex_;  // guards failed_
  std::set<std::string> failed_;
};

/// What the process left that died, and how many operations that has.
struct Sample {
  TemporaryDirectory directory;
  fs::path path = directory.path() / "died";
  std::uint64_t operations = 0;
};

const DiskHistory history(3, Durability::sync);

/// The sample is made at the first call, which the test process makes; forked children have a copy.
const Sample& sample() {
  static const auto one = [] {
    auto made = std::make_unique<Sample>();
    const std::string said = said_by_child([&] {
      const auto operations = history.grow_and_die(made->directory.path() / "live", made->path, 12);
      return operations ? std::to_string(*operations) : operations.error().message;
    });
    made->operations = std::stoull(said);
    return made;
  }();
  return *one;
}

Options options_of(Opening opening) {
  Options options = history.options();
  options.repair = opening == Opening::to_repair;
  if (opening == Opening::to_read) options.mode = OpenMode::read_only;
  return options;
}

/// A copy of the sample.
void copy_sample(const fs::path& path, Log log) {
  copy_tree(sample().path, path);
  if (log == Log::whole) return;
  const fs::path file = newest_log(path);
  fs::resize_file(file, engine::inspect_log(content(file)).written_bytes - 10);
  age_tail(path);
}

/// What an opening without a failed read has.
struct Undisturbed {
  std::uint64_t reads = 0;
  std::uint64_t operations = 0;
};

/// What is wrong with an opening while reads fail; empty if nothing is.
std::string open_on(FailingReads& reads, const fs::path& path, const Case& one,
                    std::uint64_t operations) {
  auto opened = Database::open(path, options_of(one.opening));
  reads.stop();
  if (!opened) {
    const Error& error = opened.error();
    if (!reads.is_named_in(error.message))
      return "not named:" + reads.failed() + ": " + error.message;
    // A repair reports that it cannot rebuild a file of records.
    const bool is_said = error.code == ErrorCode::io_error || one.opening == Opening::to_repair;
    return is_said ? "" : "no error of the disk: " + error.message;
  }
  const auto findings = opened->check();
  if (!findings) return "it was opened and cannot be checked: " + findings.error().message;
  if (!findings->empty())
    return "it was opened, as a read failed of" + reads.failed() +
           ", and does not agree with itself: " + findings->front().place + ": " +
           findings->front().problem;
  const auto snapshot = opened->snapshot();
  const auto done = count_done(*snapshot, 0);
  if (!done) return "it was opened and cannot be read: " + done.error().message;
  if (*done == operations) return "";
  return "it was opened with " + std::to_string(*done) + " of " + std::to_string(operations) +
         " operations; reads failed of" + reads.failed();
}

Undisturbed open_undisturbed(const Case& one) {
  const std::string said = said_by_child([&]() -> std::string {
    const TemporaryDirectory directory;
    const fs::path path = directory.path() / "db";
    copy_sample(path, one.log);
    FailingReads reads(0, false);
    watch_disk(directory.path(), &reads);
    const auto opened = Database::open(path, options_of(one.opening));
    watch_disk({}, nullptr);
    if (!opened) return opened.error().message;
    return std::to_string(reads.count()) + " " +
           std::to_string(must(count_done(*opened->snapshot(), 0)));
  });
  std::size_t end = 0;
  const std::uint64_t reads = std::stoull(said, &end);
  return {reads, std::stoull(said.substr(end))};
}

/// The number of reads, or what is wrong.
std::string fail_read(std::uint64_t number, bool for_ever, const Case& one,
                      std::uint64_t operations) {
  const TemporaryDirectory directory;
  const fs::path path = directory.path() / "db";
  copy_sample(path, one.log);
  FailingReads reads(number, for_ever);
  watch_disk(directory.path(), &reads);
  const std::string wrong = open_on(reads, path, one, operations);
  watch_disk({}, nullptr);
  if (!wrong.empty()) return wrong;
  const Status left = history.check(path, {operations, operations});
  return left ? std::to_string(reads.count()) : "afterwards: " + left.error().message;
}

void fail_reads(const Case& one) {
  // The last record of the log that is torn need not be an operation's.
  BOOST_TEST_REQUIRE(sample().operations > 0);
  const auto [reads, operations] = open_undisturbed(one);
  BOOST_TEST_REQUIRE(operations <= sample().operations);
  BOOST_TEST_REQUIRE(operations + (one.log == Log::torn ? 1 : 0) >= sample().operations);
  const std::uint64_t runs = std::min<std::uint64_t>(rounds(12, reads), reads);
  std::size_t wrong = 0;
  for (std::uint64_t i = 0; i < runs; ++i)
    for (const bool for_ever : {false, true}) {
      const std::uint64_t number = 1 + reads * i / runs;
      const std::string said =
          said_by_child([&] { return fail_read(number, for_ever, one, operations); });
      const bool is_number = !said.empty() && said.find_first_not_of("0123456789") == said.npos;
      if (!is_number) ++wrong;
      BOOST_TEST(is_number, "read " << number << " of " << reads
                                    << (for_ever ? " and all behind it: " : ": ") << said);
    }
  BOOST_TEST_MESSAGE(runs << " of " << reads << " reads failed, once and for ever: " << wrong
                          << " wrong");
}

/// The number of reads of an opening that must be refused, as the last log has lost all; or what is wrong.
std::string fail_read_without_log(std::uint64_t number) {
  const TemporaryDirectory directory;
  const fs::path path = directory.path() / "db";
  copy_tree(sample().path, path);
  fs::resize_file(newest_log(path), 0);
  FailingReads reads(number, false);
  watch_disk(directory.path(), &reads);
  for (int i = 0; i < 2; ++i)
    if (Database::open(path, options_of(Opening::to_write)))
      return "it was opened without its log, as a read failed of" + reads.failed();
  watch_disk({}, nullptr);
  return std::to_string(reads.count());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(failing_reads)

BOOST_AUTO_TEST_CASE(one_that_fails_hides_no_lost_log) {
  BOOST_TEST_REQUIRE(sample().operations > 0);
  const std::uint64_t reads = std::stoull(said_by_child([] { return fail_read_without_log(0); }));
  const std::uint64_t runs = std::min<std::uint64_t>(rounds(16, reads), reads);
  for (std::uint64_t i = 0; i < runs; ++i) {
    const std::uint64_t number = 1 + reads * i / runs;
    const std::string said = said_by_child([&] { return fail_read_without_log(number); });
    BOOST_TEST((!said.starts_with("it was opened") && !said.starts_with("died")),
               "read " << number << ": " << said);
  }
}

BOOST_AUTO_TEST_CASE(an_opening_to_write_names_the_file_or_has_all) {
  fail_reads({Opening::to_write});
}

// RocksDB takes an error of reading for damage where it may drop a torn end.
BOOST_AUTO_TEST_CASE(nor_is_more_dropped_than_a_torn_end) {
  fail_reads({Opening::to_write, Log::torn});
  fail_reads({Opening::to_repair, Log::torn});
}

BOOST_AUTO_TEST_CASE(an_opening_to_read_names_the_file_or_has_all) {
  fail_reads({Opening::to_read});
}

BOOST_AUTO_TEST_CASE(a_repair_names_the_file_or_has_all) { fail_reads({Opening::to_repair}); }

BOOST_AUTO_TEST_SUITE_END()
