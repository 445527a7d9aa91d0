// A standard history in which the N-th disk call fails, once or permanently, for every N. No acknowledged operation is
// lost, nothing is read wrongly, and the process survives. Each history runs in a child process.
#include "tests/engine/disk/child.hpp"
#include "tests/engine/disk/disk_calls.hpp"
#include "tests/engine/disk/disk_history.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/rounds.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <atomic>
#include <cerrno>

using namespace cairn;
using namespace cairn::test;

namespace fs = std::filesystem;

namespace {

/// Fails the call with a given number, and if `for_ever` all later calls, until it is stopped.
class FailingCalls final : public DiskWatcher {
 public:
  FailingCalls(std::uint64_t failing, bool for_ever) : failing_(failing), for_ever_(for_ever) {}

  int before(const DiskCall& call) override {
    ++count_;
    const bool fails = is_on_ && (count_ == failing_ || (for_ever_ && count_ > failing_));
    if (!fails) return 0;
    const bool grows = call.kind == DiskCall::Kind::write || call.kind == DiskCall::Kind::make ||
                       call.kind == DiskCall::Kind::allocate;
    return grows && failing_ % 2 == 0 ? ENOSPC : EIO;
  }
  void after(const DiskCall& /*call*/) override {}
  void stop() { is_on_ = false; }
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }

 private:
  const std::uint64_t failing_;
  const bool for_ever_;
  std::atomic<bool> is_on_ = true;
  std::atomic<std::uint64_t> count_ = 0;
};

constexpr std::size_t failing_operations = 24;

/// Returns the number of calls if nothing is wrong, else a description of the fault.
std::string fail_call(const fs::path& root, std::uint64_t number, bool for_ever) {
  DiskHistory history(number % 7, number % 3 == 0 ? Durability::async : Durability::sync);
  FailingCalls calls(number, for_ever);
  watch_disk(root, &calls);
  const auto progress = history.run_on(root / "db", failing_operations);
  calls.stop();
  if (!progress) return progress.error().message;
  const Status left = history.check(root / "db", *progress);
  return left ? std::to_string(calls.count()) : left.error().message;
}

void fail_calls(bool for_ever) {
  std::uint64_t calls = 0;
  std::uint64_t wrong = 0;
  {
    const TemporaryDirectory directory;
    calls = std::stoull(said_by_child([&] { return fail_call(directory.path(), 0, false); }));
  }
  const std::uint64_t runs = std::min<std::uint64_t>(rounds(15, calls), calls);
  for (std::uint64_t i = 0; i < runs; ++i) {
    const std::uint64_t number = 1 + calls * i / runs;
    const TemporaryDirectory directory;
    const std::string said =
        said_by_child([&] { return fail_call(directory.path(), number, for_ever); });
    const bool is_number = !said.empty() && said.find_first_not_of("0123456789") == said.npos;
    if (!is_number) ++wrong;
    BOOST_TEST(is_number, "call " << number << " of " << calls << ": " << said);
  }
  BOOST_TEST_MESSAGE(runs << " of " << calls << " calls failed"
                          << (for_ever ? ", and all behind each" : "") << ": " << wrong
                          << " wrong");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(failing_calls)

BOOST_AUTO_TEST_CASE(a_call_that_fails_once_loses_nothing_and_ends_nobody) { fail_calls(false); }

BOOST_AUTO_TEST_CASE(a_disk_that_fails_for_ever_loses_nothing_and_ends_nobody) { fail_calls(true); }

BOOST_AUTO_TEST_SUITE_END()
