// Standard histories in which the N-th disk call fails, once or permanently, for every N. No acknowledged operation is
// lost, nothing is read wrongly, and the process survives. Each history runs in a child process.
//
// The short form fails some calls of a few histories. The long form fails every call of the first history, and every
// so-many-th one of the others, in turn, until a history ends without the fault.
#include "tests/engine/crash_database.hpp"
#include "tests/engine/disk/child.hpp"
#include "tests/engine/disk/disk_calls.hpp"
#include "tests/engine/disk/disk_history.hpp"
#include "tests/support/copy_tree.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/rounds.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <optional>

using namespace cairn;
using namespace cairn::test;

namespace fs = std::filesystem;

namespace {

/// Fails the call with a given number, and if `for_ever` all later calls, until it is stopped.
class FailingCalls final : public DiskWatcher {
 public:
  FailingCalls(std::uint64_t failing, bool for_ever) : failing_(failing), for_ever_(for_ever) {}

  int before(const DiskCall& call) override {
    if (!is_on_) return 0;
    ++count_;
    if (call.path.find("/vector/") != call.path.npos) ++of_vectors_;
    if (call.path.find("/segment/") != call.path.npos) ++of_segments_;
    const bool fails = count_ == failing_ || (for_ever_ && failing_ > 0 && count_ > failing_);
    if (!fails) return 0;
    const bool grows = call.kind == DiskCall::Kind::write || call.kind == DiskCall::Kind::make ||
                       call.kind == DiskCall::Kind::allocate;
    return grows && failing_ % 2 == 0 ? ENOSPC : EIO;
  }
  void after(const DiskCall& /*call*/) override {}
  void stop() { is_on_ = false; }
  /// Calls until it was stopped, and how many of them were for files of vectors and of segments.
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  [[nodiscard]] std::uint64_t of_vectors() const noexcept { return of_vectors_; }
  [[nodiscard]] std::uint64_t of_segments() const noexcept { return of_segments_; }

 private:
  const std::uint64_t failing_;
  const bool for_ever_;
  std::atomic<bool> is_on_ = true;
  std::atomic<std::uint64_t> count_ = 0;
  std::atomic<std::uint64_t> of_vectors_ = 0;
  std::atomic<std::uint64_t> of_segments_ = 0;
};

/// Fails the write of RocksDB's message log with a given number, and if `for_ever` all later ones, or with number 0 none.
class FailingMessages final : public DiskWatcher {
 public:
  FailingMessages(std::uint64_t failing, bool for_ever) : failing_(failing), for_ever_(for_ever) {}

  int before(const DiskCall& call) override {
    if (call.kind != DiskCall::Kind::write || !call.path.ends_with("/store/LOG")) return 0;
    ++count_;
    return count_ == failing_ || (for_ever_ && failing_ > 0 && count_ > failing_) ? ENOSPC : 0;
  }
  void after(const DiskCall& /*call*/) override {}
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }

 private:
  const std::uint64_t failing_;
  const bool for_ever_;
  std::atomic<std::uint64_t> count_ = 0;
};

/// A history, and how many of its calls fail.
struct Kind {
  std::uint64_t seed = 0;
  Durability durability = Durability::sync;
  fs::path begins_with{};    ///< a database with nearly full indexes; empty: none
  std::uint64_t runs = 0;    ///< at most so many calls fail, spread over all; 0: every call
  std::uint64_t offset = 0;  ///< of the first call that fails

  [[nodiscard]] std::string name() const {
    return "history " + std::to_string(seed) +
           (durability == Durability::sync ? ", sync" : ", async") +
           (begins_with.empty() ? "" : ", nearly full indexes");
  }
};

constexpr std::size_t failing_operations = 24;

/// The calls of a history until its end.
struct Calls {
  unsigned long long all = 0;
  unsigned long long of_vectors = 0;
  unsigned long long of_segments = 0;
};

/// Returns "ALL VECTORS SEGMENTS", as Calls has them, if nothing is wrong, else a description of the fault.
std::string fail_call(const fs::path& root, const Kind& kind, std::uint64_t number, bool for_ever) {
  if (!kind.begins_with.empty()) copy_tree(kind.begins_with, root / "db");
  DiskHistory history(kind.seed, kind.durability);
  FailingCalls calls(number, for_ever);
  watch_disk(root, &calls);
  const auto progress = history.run_on(root / "db", failing_operations);
  calls.stop();
  if (!progress) return progress.error().message;
  const Status left = history.check(root / "db", *progress);
  return !left ? left.error().message
               : std::to_string(calls.count()) + " " + std::to_string(calls.of_vectors()) + " " +
                     std::to_string(calls.of_segments());
}

/// In a child process. Returns nullopt, and reports it, if something is wrong.
std::optional<Calls> run(const Kind& kind, std::uint64_t number, bool for_ever) {
  const TemporaryDirectory directory;
  const std::string said =
      said_by_child([&] { return fail_call(directory.path(), kind, number, for_ever); });
  Calls calls;
  const bool is_right = std::sscanf(said.c_str(), "%llu %llu %llu", &calls.all, &calls.of_vectors,
                                    &calls.of_segments) == 3;
  BOOST_TEST(is_right, kind.name() << ", call " << number << ": " << said);
  return is_right ? std::optional(calls) : std::nullopt;
}

/// Fails the calls of one history, and requires that each fault happened. Threads in the background make some calls more or
/// less each time, so the last numbers may be beyond the end: the first few of these end the test.
void fail_calls_of(const Kind& kind, bool for_ever) {
  const auto whole = run(kind, 0, false);
  BOOST_TEST_REQUIRE(whole.has_value());
  if (!kind.begins_with.empty()) {
    BOOST_TEST(whole->of_vectors > 0U);
    BOOST_TEST(whole->of_segments > 0U);
  }
  const std::size_t most_beyond = rounds(1, 3);
  const std::uint64_t stride = kind.runs == 0 ? 1 : (whole->all + kind.runs - 1) / kind.runs;
  std::uint64_t failed = 0, wrong = 0, first_beyond = 0;
  std::size_t beyond = 0;
  for (std::uint64_t number = 1 + kind.offset % stride; beyond < most_beyond; number += stride) {
    const auto calls = run(kind, number, for_ever);
    if (!calls) ++wrong;
    const bool has_failed = !calls || calls->all >= number;
    if (has_failed) ++failed;
    if (!has_failed && beyond++ == 0) first_beyond = number;
  }
  // A tenth is more than the counts differ by.
  BOOST_TEST(first_beyond > whole->all * 9 / 10,
             kind.name() << ": call " << first_beyond << " of " << whole->all << " did not fail");
  BOOST_TEST(failed >= std::max<std::uint64_t>(whole->all / stride * 9 / 10, 1));
  BOOST_TEST_MESSAGE(failed << " of " << whole->all << " calls failed"
                            << (for_ever ? ", and all after each" : "") << ", every " << stride
                            << ", " << kind.name() << ": " << wrong << " wrong");
}

void fail_calls(bool for_ever) {
  const std::uint64_t seeds = rounds(1, 7);
  for (const Durability durability : {Durability::sync, Durability::async})
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      const std::size_t runs = rounds(7, seed == 0 ? 0 : 100);
      fail_calls_of({seed, durability, {}, runs, seed * 97}, for_ever);
    }
}

/// A history that seals a segment of vectors, writes a file of texts and saves segments of properties.
void fail_calls_of_segments(bool for_ever) {
  const TemporaryDirectory directory;
  // In a child too: this process must have no threads of RocksDB, which a fork would lack.
  const std::string said = said_by_child([&]() -> std::string {
    make_nearly_full_indexes(directory.path() / "full");
    return "made";
  });
  BOOST_TEST_REQUIRE(said == "made");
  for (const Durability durability : {Durability::sync, Durability::async})
    fail_calls_of({5'001, durability, directory.path() / "full", rounds(1, 150), 40}, for_ever);
}

/// Returns the number of writes of the message log if every operation succeeds, else a description of the fault.
std::string fail_message(const fs::path& root, std::uint64_t number, bool for_ever) {
  DiskHistory history(2, Durability::sync);
  FailingMessages messages(number, for_ever);
  watch_disk(root, &messages);
  const Status done =
      history.run(root / "db", failing_operations, [](const Progress& /*progress*/) {});
  const std::uint64_t count = messages.count();
  if (!done) return done.error().message;
  const Status left = history.check(root / "db", {failing_operations, failing_operations});
  return left ? std::to_string(count) : left.error().message;
}

/// Fails each write of the message log.
void fail_messages(bool for_ever) {
  const auto failed = [&](std::uint64_t number) -> std::uint64_t {
    const TemporaryDirectory directory;
    const std::string said =
        said_by_child([&] { return fail_message(directory.path(), number, for_ever); });
    const bool is_number = !said.empty() && said.find_first_not_of("0123456789") == said.npos;
    BOOST_TEST(is_number, "message " << number << ": " << said);
    return is_number ? std::stoull(said) : number;
  };
  const std::uint64_t all = failed(0);
  BOOST_TEST_REQUIRE(all > 0U);
  const std::uint64_t stride = std::max<std::uint64_t>(all / rounds(5, all), 1);
  std::uint64_t runs = 0;
  for (std::uint64_t number = 1; number <= all && failed(number) >= number; number += stride)
    ++runs;
  BOOST_TEST(runs >= all / stride * 9 / 10);
  BOOST_TEST_MESSAGE(runs << " of " << all << " writes of the message log failed"
                          << (for_ever ? ", and all after each" : ""));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(failing_calls)

BOOST_AUTO_TEST_CASE(a_message_log_that_cannot_be_written_stops_nothing) {
  fail_messages(false);
  fail_messages(true);
}

BOOST_AUTO_TEST_CASE(a_call_that_fails_once_loses_nothing_and_ends_nobody) { fail_calls(false); }

BOOST_AUTO_TEST_CASE(a_disk_that_fails_for_ever_loses_nothing_and_ends_nobody) { fail_calls(true); }

BOOST_AUTO_TEST_CASE(so_does_a_call_for_a_file_of_vectors_or_of_segments) {
  fail_calls_of_segments(false);
  fail_calls_of_segments(true);
}

BOOST_AUTO_TEST_SUITE_END()
