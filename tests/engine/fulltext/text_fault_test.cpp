// What a failing disk and a power cut leave of a full-text index around the commit that folds its log.
#include "engine/core.hpp"
#include "engine/fulltext/text_index.hpp"
#include "engine/integrity_check.hpp"
#include "engine/write/transaction_writer.hpp"
#include "tests/engine/store/fault_file_system.hpp"
#include "tests/support/graph_builder.hpp"

#include <boost/test/unit_test.hpp>

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

/// Documents that the index finds; it holds what the records say.
int count_found(const CorePtr& core) {
  const auto findings = must(engine::check_integrity(*core, 10));
  BOOST_TEST(findings.empty(), (findings.empty() ? "" : findings[0].place + findings[0].problem));
  const engine::GraphView view(core->store(), core->cache(), core->state());
  engine::TextQuery query;
  query.text = "tea";
  query.k = 1'000;
  const auto found = must(engine::search_text_index(view, core->store(), nullptr,
                                                    *view.catalog().find_index("texts"), query));
  BOOST_TEST(core->statistics().nodes == found.hits.size());
  return static_cast<int>(found.hits.size());
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

BOOST_AUTO_TEST_SUITE_END()
