// What a power cut leaves of a log whose pages reached the disk in any order, or in part: the database opens with a
// prefix of history, with all that was synced, and says how many commits it dropped.

#include "engine/database/core.hpp"
#include "engine/database/transaction_writer.hpp"
#include "engine/store/metadata_file.hpp"
#include "engine/write/index_request.hpp"
#include "tests/engine/store/fault_file_system.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/rounds.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <fstream>
#include <random>
#include <regex>
#include <thread>
#include <vector>

using namespace cairn;
using engine::Core;
using engine::TransactionWriter;
using test::FaultFileSystem;
using test::must;

namespace fs = std::filesystem;

namespace {

using CorePtr = std::shared_ptr<Core>;

Options with(Durability durability) {
  Options options;
  options.durability = durability;
  options.memory_bytes = std::size_t{32} << 20;
  return options;
}

/// Of this size with a vector; its external id is the number of the commit.
Status commit_one(const CorePtr& core, int number, std::size_t bytes) {
  CAIRN_ASSIGN(const auto writer, TransactionWriter::begin(core));
  const std::vector<std::string> labels{"N"};
  const Properties properties{{"text", std::string(bytes, 't')},
                              {"v", Vector({1, 2, static_cast<float>(number)})}};
  CAIRN_TRY(writer->create_node(labels, properties, std::to_string(number)));
  return writer->commit();
}

/// Returns the number of nodes, and checks that all of them are complete, without a gap, and in every index.
int count_prefix(const CorePtr& core) {
  const auto findings = must(core->check(10));
  BOOST_TEST(findings.empty(), (findings.empty() ? "" : findings[0].place + findings[0].problem));
  const engine::GraphView view(core->store(), core->cache(), core->state());
  int count = 0;
  while (must(view.find_external(0, std::to_string(count)))) ++count;
  BOOST_TEST(core->statistics().nodes == static_cast<std::uint64_t>(count));
  return count;
}

/// What an order of writes of its own makes of the bytes that were not synced.
class Disk {
 public:
  explicit Disk(std::uint32_t seed) : random_(seed) {}

  /// Pages or sectors are there or read as zeros, the last one of them in part.
  void leave(const fs::path& file, std::uint64_t synced, std::uint64_t written) {
    if (synced >= written) return;
    if (file.extension() != ".log") return fs::resize_file(file, synced);
    std::string bytes(fs::file_size(file), '\0');
    std::ifstream(file, std::ios::binary)
        .read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    const std::uint64_t unit = one_of(2) == 0 ? 4'096 : 512;
    const std::uint32_t kept = one_of(4);  // of four
    for (std::uint64_t begin = synced; begin < written; begin = (begin / unit + 1) * unit) {
      if (one_of(4) < kept) continue;
      const std::uint64_t end = std::min((begin / unit + 1) * unit, written);
      // A sector that was torn: its first half is there.
      const std::uint64_t from =
          one_of(8) == 0 && end % 512 == 0 && end - begin > 256 ? end - 256 : begin;
      std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(from),
                bytes.begin() + static_cast<std::ptrdiff_t>(end), '\0');
    }
    if (one_of(3) == 0) bytes.resize(synced + random_() % (written - synced + 1));
    std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
  }
  /// TAIL is not synced, so the disk may have an old version: keeps the newest, or writes back `first`. Returns
  /// true if the newest was kept.
  bool leave_tail(const fs::path& database, const std::string& first) {
    if (one_of(2) == 0) return true;
    std::ofstream(database / engine::metadata_file::tail, std::ios::binary | std::ios::trunc)
        << first;
    return false;
  }
  std::uint32_t one_of(std::uint32_t count) {
    return static_cast<std::uint32_t>(random_() % count);
  }

 private:
  std::mt19937 random_;
};

std::string content(const fs::path& file) { return must(engine::read_file(file)).value_or(""); }

/// How many commits the warnings say are dropped or lost: "(3 commits)", "1 commit is lost". 0 if they give no number.
std::uint64_t told_commits(const std::vector<std::string>& warnings) {
  static const std::regex number("([0-9]+) commits?( is lost| are lost|\\))");
  std::uint64_t told = 0;
  for (const std::string& warning : warnings) {
    std::smatch found;
    if (std::regex_search(warning, found, number))
      told = std::max<std::uint64_t>(told, std::stoull(found[1]));
  }
  return told;
}

/// A state of the disk, and what was promised by then.
struct State {
  fs::path copy;
  int synced = 0;  ///< nodes
  int acknowledged = 0;
  std::uint64_t last_commit = 0;  ///< that was acknowledged
  bool has_last_tail =
      true;  ///< else nothing shows that a log that ends with a whole record was longer
};

/// States that lost commits and said how many.
int losses_told = 0;

/// Expects that a copy opens, has a valid prefix of commits, reports its losses, and accepts new commits.
void expect_prefix(const State& state, const std::string& about) {
  auto opened = Core::open(state.copy, {});
  BOOST_TEST_REQUIRE(opened.has_value(), about << (opened ? "" : opened.error().message));
  const int found = count_prefix(*opened);
  BOOST_TEST(found >= state.synced, about);
  BOOST_TEST(found <= state.acknowledged + 1, about);
  if (found < state.acknowledged && state.has_last_tail) {
    std::string said;
    for (const std::string& warning : (*opened)->warnings()) said += warning + "\n";
    BOOST_TEST(
        told_commits((*opened)->warnings()) == state.last_commit - (*opened)->state()->commit,
        about << said);
    ++losses_told;
  }
  must(commit_one(*opened, found, 10));
  must((*opened)->close());
  opened->reset();
  const CorePtr again = must(Core::open(state.copy, {}));
  BOOST_TEST(again->warnings().empty(), about);
  BOOST_TEST(count_prefix(again) == found + 1, about);
}

void make_vector_index(const CorePtr& core) {
  const auto writer = must(TransactionWriter::begin(core));
  engine::IndexRequest index;
  index.name = "vectors";
  index.index_kind = codec::IndexKind::vector;
  index.labels_or_types = {"N"};
  index.properties = {"v"};
  index.dimension = 3;
  must(writer->create_index(index));
  must(writer->commit());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(power_cut)

BOOST_AUTO_TEST_CASE(async_commits_leave_a_prefix_whatever_the_order_of_their_pages) {
  const auto rounds = static_cast<std::uint32_t>(test::rounds(25, 2'500));
  losses_told = 0;
  for (std::uint32_t seed = 1; seed <= rounds; ++seed) {
    const test::TemporaryDirectory directory;
    const auto path = directory.path() / "db";
    const auto files = std::make_shared<FaultFileSystem>();
    Disk disk(seed);
    const CorePtr core = must(Core::open(path, with(Durability::async), files));
    const std::string tail = content(path / engine::metadata_file::tail);
    make_vector_index(core);
    State state{directory.path() / "copy"};
    const int all = 5 + static_cast<int>(disk.one_of(40));
    for (; state.acknowledged < all; ++state.acknowledged) {
      if (disk.one_of(20) == 0) {
        must(core->checkpoint());
        state.synced = state.acknowledged;
      }
      const std::size_t bytes = disk.one_of(5) == 0 ? disk.one_of(100'000) : disk.one_of(2'000);
      must(commit_one(core, state.acknowledged, bytes));
    }
    files->copy_after_power_cut(
        path, state.copy, [&](const fs::path& file, std::uint64_t synced, std::uint64_t written) {
          disk.leave(file, synced, written);
        });
    state.last_commit = core->state()->commit;
    state.has_last_tail = disk.leave_tail(state.copy, tail);
    expect_prefix(state, "seed " + std::to_string(seed) + " ");
  }
  BOOST_TEST_MESSAGE(losses_told << " of " << rounds << " states lost commits and said how many");
  BOOST_TEST(losses_told > 0);
}

BOOST_AUTO_TEST_CASE(sync_commits_are_there_and_one_that_was_torn_is_not) {
  const auto rounds = static_cast<std::uint32_t>(test::rounds(12, 1'000));
  for (std::uint32_t seed = 1; seed <= rounds; ++seed) {
    const test::TemporaryDirectory directory;
    const auto path = directory.path() / "db";
    const auto files = std::make_shared<FaultFileSystem>();
    Disk disk(seed);
    const CorePtr core = must(Core::open(path, with(Durability::sync), files));
    const std::string tail = content(path / engine::metadata_file::tail);
    make_vector_index(core);
    std::vector<State> states;
    int acknowledged = 0;
    files->at_sync([&, writer = std::this_thread::get_id()] {
      // Other threads may sync too while a commit runs.
      if (std::this_thread::get_id() != writer || disk.one_of(6) != 0 || states.size() > 4) return;
      const State state{directory.path() / ("copy" + std::to_string(states.size())), acknowledged,
                        acknowledged, core->state()->commit};
      files->copy_after_power_cut(
          path, state.copy, [&](const fs::path& file, std::uint64_t synced, std::uint64_t written) {
            disk.leave(file, synced, written);
          });
      disk.leave_tail(state.copy, tail);
      states.push_back(state);
    });
    for (; acknowledged < 25; ++acknowledged) {
      const std::size_t bytes = disk.one_of(3) == 0 ? disk.one_of(150'000) : disk.one_of(2'000);
      must(commit_one(core, acknowledged, bytes));
    }
    files->at_sync(nullptr);
    for (const State& state : states)
      expect_prefix(state,
                    "seed " + std::to_string(seed) + ", " + state.copy.filename().string() + " ");
  }
}

BOOST_AUTO_TEST_SUITE_END()
