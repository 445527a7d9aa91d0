// A process works on a database and is killed, again and again. It writes by transactions, statements and imports,
// reads, creates and drops indexes, and scrubs. Some kills happen while it recovers or repairs the database after the
// previous kill. Its acknowledged operations are recorded outside of the process. For each writer, and for the batches
// of the import, the database must have all acknowledged operations and at most one more. Each operation is there
// completely or not at all.
#include "tests/engine/crash_database.hpp"
#include "tests/engine/crash_language.hpp"
#include "tests/engine/killed_child.hpp"
#include "tests/support/copy_tree.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/rounds.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace cairn;
using namespace cairn::test;
using std::chrono::microseconds;

namespace {

/// Where a process may die, besides anywhere: before, within and after what makes something durable.
struct KillPoint {
  const char* call;
  std::size_t most;  ///< about how often a process comes there
};
constexpr auto kill_points = std::to_array<KillPoint>(
    {{"write .log", 30},     {"write .sst", 6},     {"write MANIFEST", 6},  {"write COMMIT", 2},
     {"write TAIL", 30},     {"write vector/", 2},  {"write .dbtmp", 1},    {"sync .log", 6},
     {"sync .sst", 6},       {"sync MANIFEST", 4},  {"sync COMMIT", 2},     {"sync TAIL", 1},
     {"sync vector", 1},     {"sync store", 3},     {"rename CURRENT", 1},  {"rename COMMIT", 2},
     {"rename TAIL", 1},     {"rename FORMAT", 1},  {"rename vector/", 1},  {"rename OPTIONS", 1},
     {"unlink .log", 2},     {"unlink .sst", 2},    {"unlink MANIFEST", 1}, {"unlink vector/", 1},
     {"mkdir store", 1},     {"mkdir vector", 1},   {"mkdir segment", 1},   {"write segment/", 40},
     {"make .log", 3},       {"make .sst", 6},      {"make MANIFEST", 2},   {"make .new", 4},
     {"make vector/", 1},    {"make segment/", 20}, {"make LOCK", 1},       {"truncate LOCK", 2},
     {"truncate .log", 2},   {"make .dbtmp", 1},    {"sync segment", 20},   {"rename segment/", 20},
     {"unlink segment/", 20}});

/// By point: how many processes were to die there, and how many did.
struct OfPoint {
  std::uint64_t tries = 0;
  std::uint64_t hits = 0;
};
using Deaths = std::map<std::string, OfPoint>;

/// One database over several kills, and what must be in it.
class CrashedDatabase {
 public:
  /// `beginning`: a database to begin with, of which a copy is made; none if empty.
  explicit CrashedDatabase(std::uint64_t seed, const std::filesystem::path& beginning = {})
      : seed_(seed), random_(seed * 7 + 1), import_(seed) {
    if (!beginning.empty()) test::copy_tree(beginning, path());
    for (std::size_t i = 0; i < crash_writers; ++i) histories_.emplace_back(seed, i);
  }

  /// Each ends with a look at everything. Most processes do not live long enough to complete a scrub.
  void work_and_kill() {
    ChildRun run = child(random_.one_in(4) ? "sync" : "work");
    run.scrubs = random_.one_in(20);
    run.at_work = microseconds(20'000 + random_.below(60'000));
    note(run_and_kill(run));
  }

  void work_and_kill_at_point() {
    ChildRun run = child(random_.one_in(3) ? "sync" : "work");
    run.kill_at = draw_point(30);
    run.at_work = microseconds(80'000);
    const ChildEnd end = run_and_kill(run);
    if (end.died_by_itself) ++died_at_point_;
    const std::string point =
        run.kill_at.substr(0, run.kill_at.find(' ', run.kill_at.find(' ') + 1));
    ++deaths_[point].tries;
    if (end.died_by_itself) ++deaths_[point].hits;
    note(end);
  }

  /// Killed at work, and then one or more times while that is repaired.
  void kill_while_recovering() {
    ChildRun run = child("work");
    run.at_work = microseconds(10'000 + random_.below(30'000));
    note_acknowledged(run_and_kill(run));
    const std::size_t kills = 1 + random_.below(2);
    for (std::size_t i = 0; i < kills; ++i) {
      ChildRun repairing = child(random_.one_in(2) ? "repair" : "open");
      if (random_.one_in(2)) repairing.kill_at = draw_point(4);
      repairing.after_start = microseconds(2'000 + random_.below(40'000));
      note_acknowledged(run_and_kill(repairing));
    }
    check();
  }

  /// The first commits fill a vector index, which is sealed and saved then.
  void kill_while_sealing() {
    ChildRun run = child("work");
    run.at_work = microseconds(random_.below(400'000));
    if (random_.one_in(2)) {
      constexpr auto points = std::to_array({"write vector/", "sync vector", "rename vector/"});
      run.kill_at = random_.pick(points);
      run.kill_at += random_.one_in(2) ? " 1 before" : " 1 after";
      run.at_work = microseconds(1'500'000);
    }
    note(run_and_kill(run));
  }

  [[nodiscard]] std::uint64_t acknowledged() const noexcept { return acknowledged_; }
  /// How many batches of the import are there. The first operation of each file is a statement.
  [[nodiscard]] std::uint64_t imported() const noexcept {
    const std::uint64_t done = least_[crash_importer];
    return done - (done + CrashImport::operations_of_file - 1) / CrashImport::operations_of_file;
  }
  /// How many scrubs were completed.
  [[nodiscard]] std::uint64_t scrubs() const noexcept { return scrubs_; }
  /// How many processes came to the point where they were to die.
  [[nodiscard]] std::uint64_t died_at_point() const noexcept { return died_at_point_; }
  /// The same by point.
  [[nodiscard]] const Deaths& deaths() const noexcept { return deaths_; }

 private:
  ChildRun child(const char* mode) { return {path(), seed_, mode}; }

  [[nodiscard]] std::filesystem::path path() const { return directory_.path() / "db"; }

  std::string draw_point(std::size_t most) {
    const KillPoint& point = random_.pick(kill_points);
    const std::string call = point.call;
    const std::size_t when = random_.below(call.starts_with("write") ? 3 : 2);
    constexpr const char* moments[] = {"before", "after", "half"};
    const std::size_t count = 1 + random_.below(std::min(most, point.most));
    return call + " " + std::to_string(count) + " " + moments[when];
  }

  void note(const ChildEnd& end) {
    note_acknowledged(end);
    check();
  }

  void note_acknowledged(const ChildEnd& end) {
    BOOST_TEST_REQUIRE(end.problem.empty(), end.problem);
    for (std::size_t i = 0; i < least_.size(); ++i) {
      if (end.acknowledged[i] == 0) continue;
      acknowledged_ += end.acknowledged[i] - least_[i];
      least_[i] = end.acknowledged[i];
    }
    scrubs_ += end.acknowledged[crash_scrubber];
  }

  /// Now and then by a reader, who repairs nothing, so that the next process has this to do as well.
  Database open() {
    Options options;
    options.repair = random_.one_in(8);
    is_reading_ = is_made_ && !options.repair && random_.one_in(2);
    if (is_reading_) options.mode = OpenMode::read_only;
    auto opened = Database::open(path(), options);
    // Only an open for writing completes a rebuild of indexes that was killed, as the error says.
    if (is_reading_ && !opened && opened.error().code == ErrorCode::unsupported) {
      is_reading_ = false;
      options.mode = OpenMode::read_write;
      opened = Database::open(path(), options);
    }
    return must(std::move(opened));
  }

  /// Of a text index whose making was killed: it belongs to no index yet, and only a writer takes it away.
  [[nodiscard]] bool is_left_by_readers(const Finding& finding) const {
    return is_reading_ && finding.problem.starts_with("it was never finished");
  }

  void check() {
    const Database database = open();
    is_made_ = true;
    for (const Finding& finding : must(database.check()))
      BOOST_TEST(is_left_by_readers(finding), finding.place << ": " << finding.problem);
    const Snapshot snapshot = must(database.snapshot());
    for (std::size_t i = 0; i < crash_writers; ++i) {
      catch_up(must(count_done(snapshot, i)), i);
      while (histories_[i].count() < least_[i]) histories_[i].next();
    }
    catch_up(must(count_imported(snapshot)), crash_importer);
    compare(snapshot);
  }

  /// `done`: how many operations of the writer the database has.
  void catch_up(std::uint64_t done, std::size_t writer) {
    BOOST_TEST_REQUIRE(done >= least_[writer],
                       "writer " << writer << " lost acknowledged operations: " << done << " of "
                                 << least_[writer]);
    BOOST_TEST_REQUIRE(done <= least_[writer] + 1);
    least_[writer] = done;
  }

  void compare(const Snapshot& snapshot) const {
    std::set<std::string> expected;
    for (const CrashHistory& history : histories_)
      if (history.count() > 0) history.describe(expected);
    import_.describe(least_[crash_importer], expected);
    const std::set<std::string> found = describe(snapshot);
    std::vector<std::string> differences;
    std::ranges::set_symmetric_difference(expected, found, std::back_inserter(differences));
    for (const std::string& line : differences)
      BOOST_ERROR((found.contains(line) ? "there should not be " : "there is no ") << line);
  }

  const std::uint64_t seed_;
  Random random_;
  TemporaryDirectory directory_;
  bool is_made_ = false;
  bool is_reading_ = false;
  std::vector<CrashHistory> histories_;
  CrashImport import_;
  std::array<std::uint64_t, crash_importer + 1> least_{};  // operations that must be there
  std::uint64_t acknowledged_ = 0;
  std::uint64_t scrubs_ = 0;
  std::uint64_t died_at_point_ = 0;
  Deaths deaths_;
};

struct CycleCounts {
  std::uint64_t acknowledged = 0;
  std::uint64_t imported = 0;
  std::uint64_t scrubs = 0;
  std::uint64_t died_at_point = 0;
  Deaths deaths;
};

/// `cycles` kills, each database over 20 of them.
CycleCounts run_cycles(std::uint64_t first_seed, std::size_t cycles,
                       void (*cycle)(CrashedDatabase& database)) {
  constexpr std::size_t cycles_a_database = 20;
  const auto begun = std::chrono::steady_clock::now();
  CycleCounts counts;
  for (std::size_t done = 0; done < cycles; done += cycles_a_database) {
    const std::uint64_t seed = first_seed + done;
    CrashedDatabase database(seed);
    for (std::size_t i = done; i < std::min(done + cycles_a_database, cycles); ++i)
      BOOST_TEST_CONTEXT("seed " << seed << ", cycle " << i - done) { cycle(database); }
    counts.acknowledged += database.acknowledged();
    counts.imported += database.imported();
    counts.scrubs += database.scrubs();
    counts.died_at_point += database.died_at_point();
    for (const auto& [point, of_point] : database.deaths()) {
      counts.deaths[point].hits += of_point.hits;
      counts.deaths[point].tries += of_point.tries;
    }
    BOOST_TEST_MESSAGE("seed " << seed << ": " << database.acknowledged() << " operations");
  }
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begun;
  BOOST_TEST_MESSAGE(cycles << " cycles, " << static_cast<double>(cycles) / taken.count()
                            << " a second, " << counts.acknowledged << " acknowledged operations, "
                            << counts.imported << " batches of the import, " << counts.scrubs
                            << " scrubs");
  BOOST_TEST(counts.acknowledged > 0u);
  BOOST_TEST((counts.imported > 0u || !has_language()));
  return counts;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(crash)

BOOST_AUTO_TEST_CASE(a_process_killed_at_work_loses_nothing_that_it_acknowledged) {
  const CycleCounts counts =
      run_cycles(1'000'000, rounds(150, 2'000), [](CrashedDatabase& db) { db.work_and_kill(); });
  BOOST_TEST(counts.scrubs > 0u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(crash_at_point)

BOOST_AUTO_TEST_CASE(a_process_killed_at_a_call_of_the_file_system_loses_nothing) {
  const std::size_t cycles = rounds(150, 2'000);
  const CycleCounts counts =
      run_cycles(2'000'000, cycles, [](CrashedDatabase& db) { db.work_and_kill_at_point(); });
  BOOST_TEST_MESSAGE(counts.died_at_point << " of them died at the point that was drawn");
  for (const auto& [point, of_point] : counts.deaths)
    BOOST_TEST_MESSAGE("  " << of_point.hits << " of " << of_point.tries << " died at " << point);
  BOOST_TEST(counts.died_at_point * 3 > cycles);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(crash_while_recovering)

BOOST_AUTO_TEST_CASE(a_process_killed_while_it_recovers_or_repairs_loses_nothing) {
  run_cycles(3'000'000, rounds(100, 1'000),
             [](CrashedDatabase& db) { db.kill_while_recovering(); });
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(crash_while_sealing)

BOOST_AUTO_TEST_CASE(a_process_killed_while_it_seals_and_saves_vectors_loses_nothing) {
  const TemporaryDirectory directory;
  make_nearly_full_indexes(directory.path() / "full");
  for (std::size_t i = 0; i < rounds(6, 200); ++i) BOOST_TEST_CONTEXT("seed " << 4'000'000 + i) {
      CrashedDatabase(4'000'000 + i, directory.path() / "full").kill_while_sealing();
    }
  BOOST_TEST_MESSAGE("  kills while vectors are sealed: " << rounds(6, 200));
}

BOOST_AUTO_TEST_SUITE_END()
