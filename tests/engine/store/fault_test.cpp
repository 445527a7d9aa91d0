// After a disk failure or a power cut, the database has every commit that was acknowledged with
// `sync`, and a prefix of the others.

#include "engine/database/core.hpp"
#include "engine/database/transaction_writer.hpp"
#include "tests/engine/store/fault_file_system.hpp"
#include "tests/support/copy_tree.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/rounds.hpp"

#include <boost/test/unit_test.hpp>

using namespace cairn;
using engine::Core;
using engine::TransactionWriter;
using test::FaultFileSystem;
using test::must;

namespace {

using CorePtr = std::shared_ptr<Core>;

/// One node a commit; the node's external id is the number of the commit.
Status commit_one(const CorePtr& core, int number) {
  CAIRN_ASSIGN(const auto writer, TransactionWriter::begin(core));
  const std::vector<std::string> labels{"N"};
  CAIRN_TRY(writer->create_node(labels, {{"number", number}}, std::to_string(number)));
  return writer->commit();
}

/// Returns the number of commits, and checks that all of them are complete and without a gap.
int count_prefix(const CorePtr& core) {
  const auto findings = must(core->check(10));
  BOOST_TEST(findings.empty(), (findings.empty() ? "" : findings[0].place + findings[0].problem));
  const engine::GraphView view(core->store(), core->cache(), core->state());
  int count = 0;
  while (must(view.find_external(0, std::to_string(count)))) ++count;
  BOOST_TEST(core->statistics().nodes == static_cast<std::uint64_t>(count));
  return count;
}

Options with(Durability durability) {
  Options options;
  options.durability = durability;
  return options;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(fault)

BOOST_AUTO_TEST_CASE(a_failed_sync_ends_writing_and_loses_nothing_acknowledged) {
  // With a sanitizer one of the places.
  for (int healthy = 3; healthy < 15; healthy += 3 * static_cast<int>(test::stride())) {
    const test::TemporaryDirectory directory;
    const auto path = directory.path() / "db";
    int acknowledged = 0;
    {
      const auto files = std::make_shared<FaultFileSystem>();
      const CorePtr core = must(Core::open(path, with(Durability::sync), files));
      files->fail_syncs_after(healthy);
      Status committed;
      while ((committed = commit_one(core, acknowledged))) ++acknowledged;
      BOOST_TEST((committed.error().code == ErrorCode::io_error), committed.error().message);
      const auto later = commit_one(core, 1'000);
      BOOST_REQUIRE(!later);
      BOOST_TEST(later.error().message.find("opened again") != std::string::npos);
      BOOST_TEST(core->statistics().nodes == static_cast<std::uint64_t>(acknowledged));
      // The maintenance thread syncs the log whenever it saves vectors; RocksDB would abort.
      BOOST_TEST(!core->store().sync_log());
    }
    const CorePtr core = must(Core::open(path, {}));
    const int found = count_prefix(core);
    BOOST_TEST(found >= acknowledged);
    BOOST_TEST(found <= acknowledged + 1);
  }
}

// RocksDB would abort at the second sync of a log that has given it an error.
BOOST_AUTO_TEST_CASE(a_log_that_fails_while_it_is_flushed_ends_writing_and_not_the_process) {
  const test::TemporaryDirectory directory;
  const auto path = directory.path() / "db";
  constexpr int commits = 5;
  {
    const auto files = std::make_shared<FaultFileSystem>();
    const CorePtr core = must(Core::open(path, with(Durability::sync), files));
    for (int i = 0; i < commits; ++i) must(commit_one(core, i));
    // A new log, which has something that waits for a sync.
    must(core->store().flush());
    must(core->store().erase_range(engine::Family::vector_log, {"a", "b"},
                                   engine::WriteMode::async));
    files->fail_syncs_after(0);
    BOOST_TEST(!core->store().flush());
    BOOST_TEST(!core->store().sync_log());
    BOOST_TEST(!core->store().flush());
    BOOST_TEST(!commit_one(core, commits));
    BOOST_TEST(core->statistics().nodes == static_cast<std::uint64_t>(commits));
    BOOST_TEST(!core->close());
  }
  BOOST_TEST(count_prefix(must(Core::open(path, {}))) == commits);
}

BOOST_AUTO_TEST_CASE(a_power_cut_leaves_every_synced_commit) {
  const test::TemporaryDirectory directory;
  const auto files = std::make_shared<FaultFileSystem>();
  const CorePtr core = must(Core::open(directory.path() / "db", with(Durability::sync), files));
  const int apart = 6 * static_cast<int>(test::stride());
  for (int i = 0; i < 30; ++i) {
    must(commit_one(core, i));
    if (i == 20) must(core->checkpoint());
    if (i % apart != apart - 1) continue;
    const auto copy = directory.path() / ("copy" + std::to_string(i));
    files->copy_after_power_cut(directory.path() / "db", copy);
    BOOST_TEST(count_prefix(must(Core::open(copy, {}))) == i + 1);
  }
}

BOOST_AUTO_TEST_CASE(a_power_cut_leaves_a_prefix_of_commits_that_were_not_synced) {
  const test::TemporaryDirectory directory;
  const auto files = std::make_shared<FaultFileSystem>();
  const CorePtr core = must(Core::open(directory.path() / "db", with(Durability::async), files));
  for (int i = 0; i < 40; ++i) must(commit_one(core, i));
  must(core->checkpoint());
  for (int i = 40; i < 60; ++i) must(commit_one(core, i));
  const auto copy = directory.path() / "copy";
  files->copy_after_power_cut(directory.path() / "db", copy);
  const int found = count_prefix(must(Core::open(copy, {})));
  BOOST_TEST(found >= 40);
  BOOST_TEST(found <= 60);
}

BOOST_AUTO_TEST_CASE(an_interrupted_repair_leaves_no_half_index) {
  const test::TemporaryDirectory directory;
  const auto path = directory.path() / "db";
  constexpr int nodes = 20;
  {
    const CorePtr core = must(Core::open(path, {}));
    for (int i = 0; i < nodes; ++i) must(commit_one(core, i));
    must(core->close());
  }
  Options repair;
  repair.repair = true;
  bool repaired = false;
  const int step = static_cast<int>(test::stride());
  for (int healthy = 0; !repaired && healthy < 40; healthy += step) {
    // A copy for each: tables would gather, and RocksDB aborts where a compaction cannot sync.
    const auto copy = directory.path() / ("copy" + std::to_string(healthy));
    test::copy_tree(path, copy);
    const auto files = std::make_shared<FaultFileSystem>();
    files->fail_syncs_after(healthy);
    repaired = Core::open(copy, repair, files).has_value();
    BOOST_TEST(count_prefix(must(Core::open(copy, {}))) == nodes, "healthy syncs: " << healthy);
  }
  BOOST_TEST(repaired);
}

BOOST_AUTO_TEST_SUITE_END()
