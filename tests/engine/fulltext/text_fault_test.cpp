// What a failing disk and a power cut leave of a full-text index around the commit that folds its log.
#include "engine/database/core.hpp"
#include "engine/database/transaction_writer.hpp"
#include "engine/graph/text_index.hpp"
#include "engine/write/index_request.hpp"
#include "tests/engine/store/fault_file_system.hpp"
#include "tests/support/graph_builder.hpp"

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>

using namespace cairn;
using engine::Core;
using engine::TransactionWriter;
using test::FaultFileSystem;
using test::must;

namespace {

using CorePtr = std::shared_ptr<Core>;

Status make_index(const CorePtr& core) {
  CAIRN_ASSIGN(const auto writer, TransactionWriter::begin(core));
  engine::IndexRequest index;
  index.name = "texts";
  index.index_kind = codec::IndexKind::full_text;
  index.labels_or_types = {"M"};
  index.properties = {"content"};
  CAIRN_TRY(writer->create_index(index));
  return writer->commit();
}

Status commit_one(const CorePtr& core, int number) {
  CAIRN_ASSIGN(const auto writer, TransactionWriter::begin(core));
  const std::vector<std::string> labels{"M"};
  const std::string text = "tea number" + std::to_string(number);
  CAIRN_TRY(writer->create_node(labels, {{"content", text}}, ""));
  return writer->commit();
}

/// So many at once that a full log of such commits is worth a file, and how many commits fill it and make
/// the next one take the file in.
constexpr int filed_at_once = 33;
constexpr int file_begins = 64;
constexpr int file_is_taken = 79;

Status commit_many(const CorePtr& core) {
  CAIRN_ASSIGN(const auto writer, TransactionWriter::begin(core));
  const std::vector<std::string> labels{"M"};
  for (int i = 0; i < filed_at_once; ++i)
    CAIRN_TRY(writer->create_node(labels, {{"content", "tea number" + std::to_string(i)}}, ""));
  return writer->commit();
}

bool has_unfinished_file(const std::filesystem::path& database) {
  for (const auto& entry : std::filesystem::directory_iterator(database / "store"))
    if (entry.path().extension() == ".unfinished") return true;
  return false;
}

/// Returns how many documents the index finds, and checks the index against the records.
int count_found(const CorePtr& core) {
  const auto findings = must(core->check(10));
  BOOST_TEST(findings.empty(), (findings.empty() ? "" : findings[0].place + findings[0].problem));
  const engine::GraphView view(core->store(), core->cache(), core->state());
  engine::TextQuery query;
  query.text = "tea";
  query.k = 10'000;
  const auto found = must(engine::search_text_index(view, core->store(), nullptr,
                                                    *view.catalog().find_index("texts"), query));
  BOOST_TEST(core->statistics().nodes == found.hits.size());
  return static_cast<int>(found.hits.size());
}

/// The disk fails after `healthy` syncs. The reopened database has all acknowledged commits, and at most the failed one
/// in addition. Returns the number of acknowledged commits.
int commit_until_failure(int healthy) {
  const test::TemporaryDirectory directory;
  const auto path = directory.path() / "db";
  int acknowledged = 0;
  {
    const auto files = std::make_shared<FaultFileSystem>();
    const CorePtr core = must(Core::open(path, {}, files));
    must(make_index(core));
    files->fail_syncs_after(healthy);
    while (commit_many(core)) ++acknowledged;
    BOOST_TEST(!commit_many(core));
    BOOST_TEST(count_found(core) == acknowledged * filed_at_once);
  }
  const int found = count_found(must(Core::open(path, {})));
  BOOST_TEST(found >= acknowledged * filed_at_once);
  BOOST_TEST(found <= (acknowledged + 1) * filed_at_once);
  return acknowledged;
}

std::size_t segments(const CorePtr& core) {
  return core->state()->texts.begin()->second.log.segments().size();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(text_fault)

BOOST_AUTO_TEST_CASE(a_power_cut_around_a_fold_leaves_every_synced_commit) {
  const test::TemporaryDirectory directory;
  const auto files = std::make_shared<FaultFileSystem>();
  const CorePtr core = must(Core::open(directory.path() / "db", {}, files));
  must(make_index(core));
  bool has_folded = false;
  for (int i = 0; i < 70; ++i) {
    const std::size_t before = segments(core);
    must(commit_one(core, i));
    has_folded = has_folded || segments(core) < before;
    if (i == 30) must(core->checkpoint());  // part of the log in a file, part in the store's log
    if (i < 62 || i > 66) continue;
    const auto copy = directory.path() / ("copy" + std::to_string(i));
    files->copy_after_power_cut(directory.path() / "db", copy);
    BOOST_TEST(count_found(must(Core::open(copy, {}))) == i + 1);
  }
  BOOST_TEST(has_folded);
}

BOOST_AUTO_TEST_CASE(a_full_log_is_folded_by_processes_of_one_commit_each_too) {
  const test::TemporaryDirectory directory;
  const auto path = directory.path() / "db";
  {
    const CorePtr core = must(Core::open(path, {}));
    must(make_index(core));
    for (int i = 0; i < file_begins; ++i) must(commit_many(core));
    BOOST_TEST(segments(core) == static_cast<std::size_t>(file_begins));
  }
  const CorePtr core = must(Core::open(path, {}));
  must(commit_many(core));
  BOOST_TEST(segments(core) < static_cast<std::size_t>(file_begins));
  BOOST_TEST(count_found(core) == (file_begins + 1) * filed_at_once);
}

BOOST_AUTO_TEST_CASE(a_sync_that_fails_in_a_fold_leaves_a_whole_index) {
  for (int healthy = 61; healthy < 67; ++healthy) {
    const test::TemporaryDirectory directory;
    const auto path = directory.path() / "db";
    int acknowledged = 0;
    {
      const auto files = std::make_shared<FaultFileSystem>();
      const CorePtr core = must(Core::open(path, {}, files));
      must(make_index(core));
      files->fail_syncs_after(healthy);
      while (commit_one(core, acknowledged)) ++acknowledged;
      BOOST_TEST(acknowledged >= healthy - 1);
      BOOST_TEST(count_found(core) == acknowledged);  // readers keep the last published state
    }
    const int found = count_found(must(Core::open(path, {})));
    BOOST_TEST(found >= acknowledged);
    BOOST_TEST(found <= acknowledged + 1);
  }
}

// A fold that is a file is the store's before the commit that drops its segments.
BOOST_AUTO_TEST_CASE(a_power_cut_around_a_fold_that_is_a_file_leaves_every_synced_commit) {
  const test::TemporaryDirectory directory;
  const auto path = directory.path() / "db";
  const auto files = std::make_shared<FaultFileSystem>();
  const CorePtr core = must(Core::open(path, {}, files));
  must(make_index(core));
  for (int i = 1; i <= file_is_taken + 1; ++i) {
    must(commit_many(core));
    const bool is_taken = i >= file_is_taken;
    BOOST_TEST(segments(core) == static_cast<std::size_t>(is_taken ? i - file_begins + 1 : i));
    if (i != file_begins && i + 1 < file_is_taken) continue;
    const auto copy = directory.path() / ("copy" + std::to_string(i));
    files->copy_after_power_cut(path, copy);
    std::ofstream(copy / "store" / "text1.unfinished") << "half a file";
    BOOST_TEST(count_found(must(Core::open(copy, {}))) == i * filed_at_once);
    BOOST_TEST(!has_unfinished_file(copy));
  }
  BOOST_TEST(!has_unfinished_file(path));
}

// The last one that goes well is, one after the other: the file's own, the manifest's, the log's. Two went to
// RocksDB's manifest and its options before, when files began to gather.
BOOST_AUTO_TEST_CASE(a_sync_that_fails_around_a_file_leaves_a_whole_index) {
  BOOST_TEST(commit_until_failure(file_begins) <= file_begins);
  for (int healthy = file_is_taken + 1; healthy <= file_is_taken + 5; ++healthy) {
    const int acknowledged = commit_until_failure(healthy);
    BOOST_TEST(acknowledged >= file_is_taken - 3);
    BOOST_TEST(acknowledged <= file_is_taken + 1);
  }
}

BOOST_AUTO_TEST_CASE(a_file_never_knows_more_than_records_that_were_not_synced) {
  const test::TemporaryDirectory directory;
  const auto files = std::make_shared<FaultFileSystem>();
  Options options;
  options.durability = Durability::async;
  const CorePtr core = must(Core::open(directory.path() / "db", options, files));
  must(make_index(core));
  for (int i = 0; i < file_is_taken; ++i) must(commit_many(core));
  BOOST_TEST(segments(core) < static_cast<std::size_t>(file_begins));
  const auto copy = directory.path() / "copy";
  files->copy_after_power_cut(directory.path() / "db", copy);
  BOOST_TEST(count_found(must(Core::open(copy, {}))) >= (file_begins - 1) * filed_at_once);
}

BOOST_AUTO_TEST_CASE(a_file_that_cannot_be_written_stops_no_commit) {
  const test::TemporaryDirectory directory;
  const auto files = std::make_shared<FaultFileSystem>();
  const CorePtr core = must(Core::open(directory.path() / "db", {}, files));
  must(make_index(core));
  files->refuse_new(".unfinished");
  for (int i = 0; i <= file_is_taken; ++i) must(commit_many(core));
  BOOST_TEST(segments(core) < static_cast<std::size_t>(file_begins));  // folded by a commit
  BOOST_TEST(count_found(core) == (file_is_taken + 1) * filed_at_once);
}

BOOST_AUTO_TEST_CASE(where_no_links_can_be_made_files_are_copied) {
  const test::TemporaryDirectory directory;
  const auto path = directory.path() / "db";
  const auto files = std::make_shared<FaultFileSystem>();
  files->refuse_links();
  const CorePtr core = must(Core::open(path, {}, files));
  must(make_index(core));
  for (int i = 0; i < file_is_taken; ++i) must(commit_many(core));
  BOOST_TEST(segments(core) == static_cast<std::size_t>(file_is_taken - file_begins + 1));
  BOOST_TEST(!has_unfinished_file(path));
  const auto copy = directory.path() / "copy";
  files->copy_after_power_cut(path, copy);
  BOOST_TEST(count_found(must(Core::open(copy, {}))) == file_is_taken * filed_at_once);
}

BOOST_AUTO_TEST_CASE(an_index_that_is_dropped_takes_its_file_along) {
  const test::TemporaryDirectory directory;
  const CorePtr core = must(Core::open(directory.path() / "db", {}));
  must(make_index(core));
  for (int i = 0; i < file_begins; ++i) must(commit_many(core));
  BOOST_TEST(segments(core) == static_cast<std::size_t>(file_begins));  // for a file to take
  const auto writer = must(TransactionWriter::begin(core));
  must(writer->drop_index("texts"));
  must(writer->commit());
  BOOST_TEST(!has_unfinished_file(directory.path() / "db"));
  must(make_index(core));
  for (int i = 0; i < file_is_taken - file_begins; ++i) must(commit_many(core));
  BOOST_TEST(count_found(core) == file_is_taken * filed_at_once);
}

BOOST_AUTO_TEST_SUITE_END()
