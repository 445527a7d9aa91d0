// Every state in which a power cut may leave a standard history: at each call that changes the disk, with nothing that was
// not synced, with all of it, and with any part of it.
#include "tests/engine/disk/disk_history.hpp"
#include "tests/engine/disk/recorded_disk.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/rounds.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

using namespace cairn;
using namespace cairn::test;

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t durable_shift = 32;
std::size_t wrong_states = 0;  // of the running case

/// Ends the watching with its scope.
class Watching {
 public:
  Watching(const fs::path& root, DiskWatcher& watcher) { watch_disk(root, &watcher); }
  Watching(const Watching&) = delete;
  Watching& operator=(const Watching&) = delete;
  ~Watching() { watch_disk({}, nullptr); }
};

void record(DiskRecorder& recorder, const fs::path& root, DiskHistory& history,
            std::size_t operations) {
  const Watching watching(root, recorder);
  must(history.run(root / "db", operations, [&](const Progress& progress) {
    recorder.mark(progress.durable << durable_shift | progress.acknowledged);
  }));
}

Progress progress_of(std::uint64_t mark) { return {mark & 0xffffffffU, mark >> durable_shift}; }

/// One disk, cut at draws.
class CutDisk {
 public:
  CutDisk(std::uint64_t seed, Durability durability)
      : history_(seed, durability), random_(seed), about_("seed " + std::to_string(seed)) {
    fs::create_directory(root());
    about_ += durability == Durability::sync ? " sync" : " async";
  }

  /// About `states` of them. Returns how many.
  std::size_t check_states(std::size_t states) {
    RecordedDisk disk(root());
    DiskRecorder recorder;
    record(recorder, root(), history_, operations);
    const std::size_t steps = recorder.steps().size();
    Progress progress;
    std::size_t checked = 0;
    for (std::size_t i = 0; i < steps; ++i) {
      const auto& step = recorder.steps()[i];
      if (step.is_mark) progress = progress_of(step.mark);
      disk.apply(step);
      for (const auto left :
           {RecordedDisk::Left::synced, RecordedDisk::Left::written, RecordedDisk::Left::some}) {
        if (random_.below(steps * 3) >= states) continue;
        ++checked;
        check(disk, left, progress, i);
      }
    }
    return checked;
  }

  /// Cut, and cut again while that is repaired.
  void check_double_cut() {
    RecordedDisk disk(root());
    DiskRecorder recorder;
    record(recorder, root(), history_, operations);
    const std::size_t cut = random_.below(recorder.steps().size());
    Progress progress;
    for (std::size_t i = 0; i <= cut; ++i) {
      if (recorder.steps()[i].is_mark) progress = progress_of(recorder.steps()[i].mark);
      disk.apply(recorder.steps()[i]);
    }
    const fs::path left = directory_.path() / "left";
    disk.leave(left, RecordedDisk::Left::some, random_);
    RecordedDisk second(left);
    DiskRecorder repairing;
    {
      const Watching watching(left, repairing);
      static_cast<void>(history_.check(left / "db", progress).has_value());
    }
    // The check goes on with two operations.
    progress.acknowledged += 2;
    const std::size_t again = random_.below(repairing.steps().size() + 1);
    for (std::size_t i = 0; i < again; ++i) second.apply(repairing.steps()[i]);
    check(second, RecordedDisk::Left::some, progress, again);
  }

 private:
  static constexpr std::size_t operations = 40;

  [[nodiscard]] fs::path root() const { return directory_.path() / "disk"; }

  void check(const RecordedDisk& disk, RecordedDisk::Left left, const Progress& progress,
             std::size_t step) {
    const fs::path copy = directory_.path() / "copy";
    fs::remove_all(copy);
    disk.leave(copy, left, random_);
    Progress promised = progress;
    if (left == RecordedDisk::Left::written) promised.durable = promised.acknowledged;
    const Status status = history_.check(copy / "db", promised);
    if (!status) ++wrong_states;
    BOOST_TEST(status.has_value(), about_ << ", step " << step << ", left "
                                          << static_cast<int>(left) << ": "
                                          << (status ? "" : status.error().message));
  }

  const TemporaryDirectory directory_;
  DiskHistory history_;
  Random random_;
  std::string about_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(power_cut_states)

BOOST_AUTO_TEST_CASE(every_state_opens_with_what_was_promised_and_whole) {
  const std::size_t wanted = rounds(60, 10'000);
  const std::size_t states_a_disk = std::min<std::size_t>(wanted / 2, 250);
  std::size_t checked = 0;
  wrong_states = 0;
  for (std::uint64_t seed = 1; checked < wanted; ++seed)
    for (const Durability durability : {Durability::sync, Durability::async})
      checked += CutDisk(seed, durability).check_states(states_a_disk);
  BOOST_TEST_MESSAGE(checked << " states after a power cut: " << wrong_states << " wrong");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(double_power_cut)

BOOST_AUTO_TEST_CASE(a_power_cut_while_another_is_repaired_loses_nothing) {
  const std::size_t wanted = rounds(6, 500);
  wrong_states = 0;
  for (std::size_t i = 0; i < wanted; ++i)
    CutDisk(100 + i, i % 2 == 0 ? Durability::sync : Durability::async).check_double_cut();
  BOOST_TEST_MESSAGE(wanted << " states after two power cuts: " << wrong_states << " wrong");
}

BOOST_AUTO_TEST_SUITE_END()
