// Full-text indexes over existing records: an index is written in pieces, and is there completely or not at all.
#include "engine/database/core.hpp"
#include "engine/database/transaction_writer.hpp"
#include "engine/fulltext/text_progress.hpp"
#include "engine/graph/text_index.hpp"
#include "engine/write/index_request.hpp"
#include "tests/engine/store/fault_file_system.hpp"
#include "tests/support/graph_builder.hpp"

#include <boost/test/unit_test.hpp>

#include <mutex>
#include <random>
#include <thread>

using namespace cairn;
using engine::Core;
using engine::TransactionWriter;
using test::FaultFileSystem;
using test::must;

namespace {

using CorePtr = std::shared_ptr<Core>;

constexpr int documents = 300;

/// A tenth of the texts has to be written at a time.
Options small_pieces() {
  Options options;
  options.transaction_bytes = std::size_t{16} << 10;
  return options;
}

Status make_index(const CorePtr& core, const std::string& name) {
  CAIRN_ASSIGN(const auto writer, TransactionWriter::begin(core));
  engine::IndexRequest index;
  index.name = name;
  index.index_kind = codec::IndexKind::full_text;
  index.labels_or_types = {"M"};
  index.properties = {"content"};
  CAIRN_TRY(writer->create_index(index));
  return writer->commit();
}

Status drop_index(const CorePtr& core, const std::string& name) {
  CAIRN_ASSIGN(const auto writer, TransactionWriter::begin(core));
  CAIRN_TRY(writer->drop_index(name));
  return writer->commit();
}

/// Texts of words that are frequent and rare, the same each time.
void fill(const CorePtr& core) {
  std::mt19937 random(11);
  std::unique_ptr<TransactionWriter> writer;
  for (int i = 0; i < documents; ++i) {
    if (writer == nullptr) writer = must(TransactionWriter::begin(core));
    std::string text = "tea";
    for (unsigned word = 0; word < 12; ++word)
      text += " w" + std::to_string(random() % (1U << word));
    const std::vector<std::string> labels{"M"};
    must(writer->create_node(labels, {{"content", text}}, ""));
    if (i % 10 != 9) continue;
    must(writer->commit());
    writer.reset();
  }
}

void erase_some(const CorePtr& core) {
  const auto writer = must(TransactionWriter::begin(core));
  for (std::uint64_t id = 1; id <= 40; id += 3) must(writer->erase_node(id));
  must(writer->commit());
}

void expect_sound(const CorePtr& core) {
  const auto findings = must(core->check(10));
  BOOST_TEST(findings.empty(), (findings.empty() ? "" : findings[0].place + findings[0].problem));
}

bool has_index(const CorePtr& core, const std::string& name) {
  return core->state()->catalog->find_index(name).has_value();
}

engine::TextHits search(const CorePtr& core, const std::string& name, const std::string& text) {
  const engine::GraphView view(core->store(), core->cache(), core->state());
  engine::TextQuery query;
  query.text = text;
  query.k = 1'000;
  return must(engine::search_text_index(view, core->store(), nullptr,
                                        *view.catalog().find_index(name), query));
}

/// Of as many pieces as it takes, and in one.
void expect_same(const CorePtr& pieces, const CorePtr& whole) {
  for (const std::string text : {"tea", "w3", "tea w1 w200", "\"w0 w1\"", "w1*"}) {
    const auto found = search(pieces, "texts", text);
    const auto wanted = search(whole, "texts", text);
    BOOST_TEST_REQUIRE(found.hits.size() == wanted.hits.size(), text);
    BOOST_TEST(!found.hits.empty(), text);
    for (std::size_t i = 0; i < found.hits.size(); ++i) {
      BOOST_TEST(found.hits[i].id == wanted.hits[i].id);
      BOOST_TEST(found.hits[i].score == wanted.hits[i].score);
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(text_build)

// M0.70: made over what is there, with bounded memory.
BOOST_AUTO_TEST_CASE(an_index_made_in_pieces_finds_what_one_made_before_its_texts_finds) {
  const test::TemporaryDirectory directory;
  const CorePtr pieces = must(Core::open(directory.path() / "a", small_pieces()));
  fill(pieces);
  must(make_index(pieces, "texts"));
  expect_sound(pieces);
  const CorePtr whole = must(Core::open(directory.path() / "b", {}));
  must(make_index(whole, "texts"));
  fill(whole);
  expect_same(pieces, whole);
  erase_some(pieces);
  erase_some(whole);
  expect_sound(pieces);
  expect_same(pieces, whole);
}

BOOST_AUTO_TEST_CASE(a_disk_that_fails_in_between_leaves_the_index_whole_or_not_there) {
  bool has_failed = false, has_left = false;
  bool has_index_now = false;
  for (int healthy = 0; !has_index_now; ++healthy) {
    const test::TemporaryDirectory directory;
    const auto path = directory.path() / "db";
    {
      const auto files = std::make_shared<FaultFileSystem>();
      const CorePtr core = must(Core::open(path, small_pieces(), files));
      fill(core);
      files->fail_syncs_after(healthy);
      const Status made = make_index(core, "texts");
      has_failed = has_failed || !made;
      BOOST_TEST(has_index(core, "texts") == made.has_value());
      has_index_now = made.has_value();
    }
    {  // as it was left, by a reader, who repairs nothing
      Options reading;
      reading.mode = OpenMode::read_only;
      const CorePtr core = must(Core::open(path, reading));
      has_left = has_left || (!has_index(core, "texts") && !must(core->check(10)).empty());
    }
    const CorePtr core = must(Core::open(path, {}));
    expect_sound(core);
    erase_some(core);  // what was left of them would be found
    if (!has_index(core, "texts")) must(make_index(core, "texts"));
    expect_sound(core);
    BOOST_TEST(search(core, "texts", "tea").hits.size() == core->statistics().nodes);
  }
  BOOST_TEST(has_failed);
  BOOST_TEST(has_left);
}

BOOST_AUTO_TEST_CASE(a_power_cut_in_between_leaves_no_key_of_it) {
  const test::TemporaryDirectory directory;
  const auto files = std::make_shared<FaultFileSystem>();
  const CorePtr core = must(Core::open(directory.path() / "db", small_pieces(), files));
  fill(core);
  files->fail_syncs_after(4);
  BOOST_TEST(!make_index(core, "texts"));
  const auto copy = directory.path() / "copy";
  files->copy_after_power_cut(directory.path() / "db", copy);
  {  // Pieces were on disk: a reader, who repairs nothing, still sees them.
    Options reading;
    reading.mode = OpenMode::read_only;
    const auto findings = must(must(Core::open(copy, reading))->check(10));
    BOOST_TEST_REQUIRE(!findings.empty());
    BOOST_TEST(findings[0].problem.find("never finished") != std::string::npos);
  }
  const CorePtr after = must(Core::open(copy, {}));
  BOOST_TEST(!has_index(after, "texts"));
  expect_sound(after);
  BOOST_TEST(after->statistics().nodes == static_cast<std::uint64_t>(documents));
}

BOOST_AUTO_TEST_CASE(what_was_not_finished_is_erased_beside_an_index_that_was) {
  const test::TemporaryDirectory directory;
  const auto path = directory.path() / "db";
  {
    const CorePtr core = must(Core::open(path, small_pieces()));
    fill(core);
    must(make_index(core, "texts"));
    // Keys of index numbers that are not in the catalog, before and after the number of the index.
    engine::StoreBatch batch(core->store());
    const auto id = *core->state()->catalog->find_index("texts");
    for (const std::uint32_t other : {id - 1, id + 1, id + 9, 0xFFFF'FFFFU})
      batch.put(engine::Family::text, codec::text_statistics_key(other), "left");
    must(core->store().write(batch, engine::WriteMode::sync));
  }
  const CorePtr core = must(Core::open(path, small_pieces()));
  expect_sound(core);
  BOOST_TEST(search(core, "texts", "tea").hits.size() == static_cast<std::size_t>(documents));
  must(drop_index(core, "texts"));
  must(make_index(core, "again"));
  expect_sound(core);
  BOOST_TEST(search(core, "again", "tea").hits.size() == static_cast<std::size_t>(documents));
}

// The keys of a dropped index are erased in pieces after the commit that drops it: the index is there completely or not
// at all.
BOOST_AUTO_TEST_CASE(a_disk_that_fails_while_an_index_is_dropped_leaves_nothing_that_is_found) {
  bool has_failed = false, has_left = false, has_finished = false;
  for (int healthy = 0; !has_finished; ++healthy) {
    const test::TemporaryDirectory directory;
    const auto path = directory.path() / "db";
    bool was_dropped = false;
    {
      const auto files = std::make_shared<FaultFileSystem>();
      const CorePtr core = must(Core::open(path, small_pieces(), files));
      fill(core);
      must(make_index(core, "texts"));
      files->fail_syncs_after(healthy);
      was_dropped = drop_index(core, "texts").has_value();
      has_failed = has_failed || !was_dropped;
      BOOST_TEST(has_index(core, "texts") == !was_dropped);
    }
    {  // as it was left, by a reader, who repairs nothing
      Options reading;
      reading.mode = OpenMode::read_only;
      const CorePtr core = must(Core::open(path, reading));
      const bool is_sound = must(core->check(10)).empty();
      has_left = has_left || !is_sound;
      has_finished = was_dropped && is_sound;
    }
    const CorePtr core = must(Core::open(path, small_pieces()));
    if (was_dropped) BOOST_TEST(!has_index(core, "texts"));
    expect_sound(core);
    if (!has_index(core, "texts")) must(make_index(core, "texts"));
    expect_sound(core);
    BOOST_TEST(search(core, "texts", "tea").hits.size() == core->statistics().nodes);
  }
  BOOST_TEST(has_failed);
  BOOST_TEST(has_left);
}

BOOST_AUTO_TEST_CASE(a_power_cut_while_an_index_is_dropped_leaves_no_key_of_it) {
  const test::TemporaryDirectory directory;
  const auto files = std::make_shared<FaultFileSystem>();
  const CorePtr core = must(Core::open(directory.path() / "db", small_pieces(), files));
  fill(core);
  must(make_index(core, "texts"));
  files->fail_syncs_after(2);  // the commit and a piece
  must(drop_index(core, "texts"));
  const auto copy = directory.path() / "copy";
  files->copy_after_power_cut(directory.path() / "db", copy);
  const CorePtr after = must(Core::open(copy, {}));
  BOOST_TEST(!has_index(after, "texts"));
  expect_sound(after);
}

BOOST_AUTO_TEST_CASE(a_snapshot_from_before_a_drop_finds_by_the_index) {
  const test::TemporaryDirectory directory;
  const CorePtr core = must(Core::open(directory.path() / "db", small_pieces()));
  fill(core);
  must(make_index(core, "texts"));
  const engine::GraphView before(core->store(), core->cache(), core->state());
  must(drop_index(core, "texts"));
  expect_sound(core);
  engine::TextQuery query;
  query.text = "tea";
  query.k = 1'000;
  const auto found = must(engine::search_text_index(before, core->store(), nullptr,
                                                    *before.catalog().find_index("texts"), query));
  BOOST_TEST(found.hits.size() == static_cast<std::size_t>(documents));
}

// M0.70: how far it is, for readers and for those who wait.
BOOST_AUTO_TEST_CASE(an_index_that_is_being_made_shows_how_far_it_is) {
  const test::TemporaryDirectory directory;
  const auto files = std::make_shared<FaultFileSystem>();
  Options options = small_pieces();
  options.writer_timeout = std::chrono::milliseconds(0);
  const CorePtr core = must(Core::open(directory.path() / "db", options, files));
  fill(core);
  const auto described = [&]() -> std::optional<IndexDescription> {
    const engine::GraphView view(core->store(), core->cache(), core->state());
    for (auto& one : must(view.describe_indexes()))
      if (one.name == "texts") return one;
    return std::nullopt;
  };
  BOOST_TEST(!described());
  std::mutex mutex;  // syncs may come from threads of the store
  std::vector<IndexDescription> seen;
  std::string refusal;
  files->at_sync([&] {
    const std::lock_guard lock(mutex);
    if (auto one = core->state()->text_progress->current()) seen.push_back(*one);
    if (seen.size() != 2 || !refusal.empty()) return;
    // Syncs come from the thread that makes the index, too, which has a writer already.
    std::thread([&] {
      auto refused = TransactionWriter::begin(core);
      if (!refused) refusal = refused.error().message;
    }).join();
    const auto one = described();
    BOOST_TEST((one && one->state == "POPULATING"));
  });
  must(make_index(core, "texts"));
  files->at_sync(nullptr);
  BOOST_TEST_REQUIRE(seen.size() > 3);
  double last = 0;
  for (const IndexDescription& one : seen) {
    BOOST_TEST(one.state == "POPULATING");
    BOOST_TEST((one.labels_or_types == std::vector<std::string>{"M"}));
    const double percent = one.options.at("populationPercent").as_float();
    BOOST_TEST(percent >= last);
    BOOST_TEST(percent < 100);
    last = percent;
  }
  BOOST_TEST(last > 50);
  BOOST_TEST(refusal.find("index \"texts\" is being made, ") != std::string::npos, refusal);
  // Not how many records all namespaces have.
  BOOST_TEST(refusal.find(" % of the records, and writers wait for it") != std::string::npos,
             refusal);
  BOOST_TEST(described()->state == "ONLINE");
  BOOST_TEST(described()->options.count("populationPercent") == 0U);
  files->fail_syncs_after(2);
  BOOST_TEST(!make_index(core, "again"));
  BOOST_TEST(!core->state()->text_progress->current());
}

BOOST_AUTO_TEST_SUITE_END()
