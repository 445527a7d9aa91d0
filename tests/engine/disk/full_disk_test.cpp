// A disk becomes full and gets room again. A write that does not fit is refused completely, and the same open database
// continues. Each case runs in a child process.
#include "tests/engine/disk/child.hpp"
#include "tests/engine/disk/disk_history.hpp"
#include "tests/engine/disk/small_disk.hpp"
#include "tests/support/copy_tree.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/rounds.hpp"

#include <cairn/statement.hpp>

#include <boost/test/unit_test.hpp>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <functional>

using namespace cairn;
using namespace cairn::test;

namespace fs = std::filesystem;

namespace {

bool is_number(const std::string& said) {
  return !said.empty() && said.find_first_not_of("0123456789") == said.npos;
}

/// A database with a history and with indexes of each kind. It is made in a child process: this process must not have
/// threads of the store, because a forked child would not have them.
class GrownDatabase {
 public:
  GrownDatabase(std::uint64_t seed, Durability durability) : history_(seed, durability) {
    const std::string grown = said_by_child([this] {
      const auto operations = history_.grow(path());
      return operations ? std::to_string(*operations) : operations.error().message;
    });
    BOOST_REQUIRE_MESSAGE(is_number(grown), grown);
    operations_ = std::stoull(grown);
  }
  [[nodiscard]] fs::path path() const { return directory_.path() / "db"; }
  /// See DiskHistory::fill().
  [[nodiscard]] Result<std::uint64_t> fill(const fs::path& copy,
                                           const std::function<void(bool)>& leave_room,
                                           std::uint64_t seed) const {
    return history_.fill(copy, operations_, leave_room, seed);
  }

 private:
  const TemporaryDirectory directory_;
  DiskHistory history_;
  std::uint64_t operations_ = 0;
};

struct Run {
  std::uint64_t pages = 0;  ///< that are left free
  std::uint64_t seed =
      0;  ///< of when checkpoints are made; half of them have a quota in place of a full disk
  bool is_measured = false;
};

/// So many bytes may a file have, and the process lives when it tries to write more.
void limit_files(rlim_t bytes) {
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit limit{};
  ::getrlimit(RLIMIT_FSIZE, &limit);
  limit.rlim_cur = bytes;
  ::setrlimit(RLIMIT_FSIZE, &limit);
}

/// How many operations were refused, or what is wrong.
std::string limit_size(const GrownDatabase& grown, rlim_t bytes, std::uint64_t seed) {
  const TemporaryDirectory directory;
  copy_tree(grown.path(), directory.path() / "db");
  const auto leave = [&](bool has_room) { limit_files(has_room ? RLIM_INFINITY : bytes); };
  const auto refused = grown.fill(directory.path() / "db", leave, seed);
  return refused ? std::to_string(*refused) : refused.error().message;
}

/// How many operations were refused, of a measured run how many pages were written; or what is wrong.
std::string fill_disk(const GrownDatabase& grown, const Run& run) {
  const TemporaryDirectory directory;
  test::copy_tree(grown.path(), directory.path() / "db");
  SmallDisk disk(directory.path(), run.seed % 2 == 0 ? ENOSPC : EDQUOT);
  watch_disk(directory.path(), &disk);
  const auto leave = [&](bool has_room) {
    if (has_room || run.is_measured)
      disk.leave_enough();
    else
      disk.leave(run.pages);
  };
  const auto refused = grown.fill(directory.path() / "db", leave, run.seed);
  watch_disk({}, nullptr);
  if (!refused) return refused.error().message;
  return std::to_string(run.is_measured ? disk.written() : *refused);
}

/// Budgets of pages between none and enough, more of the small ones; in the long form nearly each.
void fill_disks(std::uint64_t seed, Durability durability, std::size_t budgets) {
  const GrownDatabase grown(seed, durability);
  const std::string about = std::string(durability == Durability::sync ? "sync" : "async") +
                            ", seed " + std::to_string(seed);
  const std::string enough = said_by_child([&] { return fill_disk(grown, {0, seed, true}); });
  BOOST_REQUIRE_MESSAGE(is_number(enough), about << ": " << enough);
  const std::uint64_t pages = std::stoull(enough);
  budgets = std::min<std::size_t>(budgets, pages);
  std::size_t wrong = 0;
  std::uint64_t refused = 0;
  for (std::size_t i = 0; i < budgets; ++i) {
    const Run run{pages * i * i * i / (budgets * budgets * budgets), seed + i};
    const std::string said = said_by_child([&] { return fill_disk(grown, run); });
    if (is_number(said)) refused += std::stoull(said);
    if (!is_number(said)) ++wrong;
    BOOST_TEST(is_number(said),
               about << ", " << run.pages << " of " << pages << " pages: " << said);
  }
  BOOST_TEST(refused > 0U);
  BOOST_TEST_MESSAGE(budgets << " full disks of up to " << pages << " pages, " << about << ": "
                             << refused << " commits refused, " << wrong << " wrong");
}

Status run(Database& database, std::string_view statement) {
  CAIRN_ASSIGN(Rows rows, execute(database, statement));
  CAIRN_TRY(rows.all());
  return {};
}

/// Commits changes and reads segments, then makes a checkpoint with so many free pages: "saved", or the error.
std::string checkpoint_with(std::uint64_t pages, Segments segments) {
  const TemporaryDirectory directory;
  SmallDisk disk(directory.path());
  watch_disk(directory.path(), &disk);
  Options options;
  options.memory_bytes = std::size_t{32} << 20;
  options.segments = segments;
  const auto saved = [&]() -> Status {
    CAIRN_ASSIGN(Database database, Database::open(directory.path() / "db", options));
    for (int i = 0; i < 20; ++i)
      CAIRN_TRY(run(database, "UNWIND range(1, 200) AS k CREATE (:N {k: k * k})-[:R {x: k}]->()"));
    CAIRN_TRY(database.checkpoint());
    CAIRN_TRY(run(database, "UNWIND range(1, 20) AS k CREATE (:N {k: k})"));
    CAIRN_TRY(run(database, "MATCH (n:N)-[r:R]->(m) RETURN sum(n.k), sum(r.x), count(m)"));
    disk.leave(pages);
    const Status checkpoint = database.checkpoint();
    disk.leave_enough();
    return checkpoint;
  }();
  watch_disk({}, nullptr);
  return saved ? "saved" : saved.error().message;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(full_disk)

// Segments can be built again, so they get the room that is left.
BOOST_AUTO_TEST_CASE(segments_take_no_room_that_a_checkpoint_needs) {
  const auto saved = [](std::uint64_t pages, Segments segments) {
    return said_by_child([&] { return checkpoint_with(pages, segments); });
  };
  // RocksDB's message log takes a page or two in some runs, and a compaction many in a few.
  const auto is_saved_often = [&](std::uint64_t pages) {
    int times = 0;
    for (int tries = 0; tries < 4; ++tries)
      if (saved(pages, Segments::never) == "saved") ++times;
    return times >= 3;
  };
  const auto is_saved_once = [&](std::uint64_t pages) {
    for (int tries = 0; tries < 8; ++tries)
      if (saved(pages, Segments::always) == "saved") return true;
    return false;
  };
  std::uint64_t too_few = 0;
  std::uint64_t enough = 32;
  BOOST_TEST_REQUIRE(is_saved_often(enough));
  while (enough - too_few > 1) {
    const std::uint64_t pages = (enough + too_few) / 2;
    (is_saved_often(pages) ? enough : too_few) = pages;
  }
  BOOST_TEST_REQUIRE(too_few > 0U);
  for (std::uint64_t more = 2; more <= 16; ++more)
    BOOST_TEST(is_saved_once(enough + more), enough << " pages and " << more << " more");
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_is_refused_and_what_comes_later_is_not) {
  for (std::uint64_t seed = 1; seed <= rounds(1, 4); ++seed)
    for (const Durability durability : {Durability::sync, Durability::async})
      fill_disks(seed, durability, rounds(7, 600));
}

BOOST_AUTO_TEST_CASE(a_limit_of_the_size_of_files_is_a_full_disk) {
  const GrownDatabase grown(1, Durability::sync);
  std::uint64_t refused = 0;
  const std::size_t limits = rounds(8, 200);
  for (std::size_t i = 0; i < limits; ++i) {
    const rlim_t bytes = 200'000 * i * i / (limits * limits);
    const std::string said = said_by_child([&] { return limit_size(grown, bytes, i); });
    if (is_number(said)) refused += std::stoull(said);
    BOOST_TEST(is_number(said), "at most " << bytes << " bytes: " << said);
  }
  BOOST_TEST(refused > 0U);
  BOOST_TEST_MESSAGE(limits << " limits: " << refused << " commits refused");
}

BOOST_AUTO_TEST_SUITE_END()
