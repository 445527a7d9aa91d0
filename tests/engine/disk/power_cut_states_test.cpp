// Every state in which a power cut may leave a standard history. The power is cut at each call that changes the disk;
// none, all or any part of the data that was not synced is on the disk.
#include "tests/engine/crash_database.hpp"
#include "tests/engine/disk/disk_history.hpp"
#include "tests/engine/disk/recorded_disk.hpp"
#include "tests/support/copy_tree.hpp"
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

void mark(DiskRecorder& recorder, const Progress& progress) {
  recorder.mark(progress.durable << durable_shift | progress.acknowledged);
}

void record(DiskRecorder& recorder, const fs::path& root, DiskHistory& history,
            std::size_t operations) {
  const Watching watching(root, recorder);
  must(history.run(root / "db", operations,
                   [&](const Progress& progress) { mark(recorder, progress); }));
}

/// Whether a file of such a name was made.
bool made(const DiskRecorder& recorder, std::string_view suffix) {
  return std::ranges::any_of(recorder.steps(), [&](const DiskRecorder::Step& step) {
    return !step.is_mark && (step.call.path.ends_with(suffix) || step.call.other.ends_with(suffix));
  });
}

Progress progress_of(std::uint64_t mark) { return {mark & 0xffffffffU, mark >> durable_shift}; }

/// One disk, cut at draws.
class CutDisk {
 public:
  /// `beginning`: a database to begin with, of which a copy is made; none if empty.
  CutDisk(std::uint64_t seed, Durability durability, const fs::path& beginning = {})
      : history_(seed, durability), random_(seed), about_("seed " + std::to_string(seed)) {
    fs::create_directory(root());
    if (!beginning.empty()) test::copy_tree(beginning, root() / "db");
    about_ += durability == Durability::sync ? " sync" : " async";
  }

  /// About `states` of them. Returns how many.
  std::size_t check_states(std::size_t states) {
    RecordedDisk disk(root());
    DiskRecorder recorder;
    record(recorder, root(), history_, operations);
    const std::size_t steps = recorder.steps().size();
    has_made_segment_ = made(recorder, ".segment");
    has_made_text_file_ = made(recorder, ".unfinished");
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
      static_cast<void>(
          history_.check(left / "db", progress, [&](const Progress& now) { mark(repairing, now); })
              .has_value());
    }
    const std::size_t again = random_.below(repairing.steps().size() + 1);
    for (std::size_t i = 0; i < again; ++i) {
      if (repairing.steps()[i].is_mark) progress = progress_of(repairing.steps()[i].mark);
      second.apply(repairing.steps()[i]);
    }
    check(second, RecordedDisk::Left::some, progress, again);
  }

  /// Of what the history has written.
  [[nodiscard]] bool has_made_segment() const noexcept { return has_made_segment_; }
  [[nodiscard]] bool has_made_text_file() const noexcept { return has_made_text_file_; }

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
  bool has_made_segment_ = false;
  bool has_made_text_file_ = false;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(power_cut_states)

BOOST_AUTO_TEST_CASE(every_state_opens_with_what_was_promised_and_whole) {
  const std::size_t wanted = rounds(1'000, 10'000);
  const std::size_t states_a_disk = std::min<std::size_t>(wanted / 2, 180);
  std::size_t checked = 0;
  wrong_states = 0;
  for (std::uint64_t seed = 1; checked < wanted; ++seed)
    for (const Durability durability : {Durability::sync, Durability::async})
      checked += CutDisk(seed, durability).check_states(states_a_disk);
  BOOST_TEST_MESSAGE(checked << " states after a power cut: " << wrong_states << " wrong");
}

// Indexes so full that a history seals a segment of vectors and writes a file of texts.
BOOST_AUTO_TEST_CASE(so_does_every_state_of_segments_and_files_of_texts) {
  const TemporaryDirectory directory;
  make_nearly_full_indexes(directory.path() / "full");
  const std::size_t wanted = rounds(20, 1'000);
  std::size_t checked = 0;
  bool has_segments = false, has_text_files = false;
  wrong_states = 0;
  for (std::uint64_t seed = 1; checked < wanted || !has_segments || !has_text_files; ++seed) {
    CutDisk disk(5'000 + seed, seed % 2 == 0 ? Durability::sync : Durability::async,
                 directory.path() / "full");
    checked += disk.check_states(std::min<std::size_t>(wanted / 2, 100));
    has_segments = has_segments || disk.has_made_segment();
    has_text_files = has_text_files || disk.has_made_text_file();
    BOOST_TEST_REQUIRE(seed < wanted);
  }
  BOOST_TEST_MESSAGE(checked << " states of nearly full indexes: " << wrong_states << " wrong");
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
