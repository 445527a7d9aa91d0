// Measures what a scrub rewrites and how long it takes after 10 of many records were erased, and how much it delays
// readers. Short by default; a million records with CAIRN_MODEL_LONG.
#include "engine/store/tuning.hpp"
#include "tests/engine/scrub/file_scan.hpp"
#include "tests/support/copy_tree.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/rounds.hpp"
#include "tests/support/run_query.hpp"

#include <cairn/database.hpp>
#include <cairn/scrub.hpp>
#include <cairn/statement.hpp>

#include <boost/test/unit_test.hpp>
#include <rocksdb/db.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <random>
#include <set>
#include <string>
#include <thread>

using namespace cairn;
using test::must;
using Clock = std::chrono::steady_clock;

namespace {

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

void require(const rocksdb::Status& status) {
  BOOST_REQUIRE_MESSAGE(status.ok(), status.ToString());
}

/// Seconds that a forced compaction of these tables alone takes in a copy of the database.
double compact_alone(const std::filesystem::path& database, const std::set<std::string>& tables) {
  const engine::StoreOptions options;
  const auto memory = engine::make_store_memory(options);
  std::vector<rocksdb::ColumnFamilyDescriptor> families = {
      {rocksdb::kDefaultColumnFamilyName, rocksdb::ColumnFamilyOptions()}};
  for (const engine::Family family : engine::all_families) {
    families.emplace_back(std::string(to_string(family)),
                          engine::family_options(family, options, memory));
    families.back().options.disable_auto_compactions = true;
  }
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  rocksdb::DB* store = nullptr;
  require(rocksdb::DB::Open(engine::database_options(options, memory, rocksdb::Env::Default()),
                            (database / "store").string(), families, &handles, &store));
  rocksdb::CompactionOptions compaction;
  compaction.compression = rocksdb::kDisableCompressionOption;
  compaction.output_file_size_limit = std::uint64_t{64} << 20;
  const auto begin = Clock::now();
  for (auto* handle : handles) {
    rocksdb::ColumnFamilyMetaData found;
    store->GetColumnFamilyMetaData(handle, &found);
    for (const auto& level : found.levels)
      for (const auto& file : level.files)
        if (level.level > 0 && tables.contains(file.relative_filename))
          require(store->CompactFiles(compaction, handle, {file.relative_filename}, level.level));
  }
  const double seconds = seconds_since(begin);
  for (auto* handle : handles) require(store->DestroyColumnFamilyHandle(handle));
  require(store->Close());
  delete store;  // NOLINT: RocksDB gives a bare pointer
  return seconds;
}

/// The 99th of a hundred times of a reader, in milliseconds, while `work` runs: a node is found, and a word is searched.
template <class Work>
double slowest_reads(Database& database, std::size_t count, const Work& work) {
  std::atomic<bool> ends = false;
  std::vector<double> times;
  std::thread reader([&] {
    std::mt19937_64 random(3);
    const Statement search = must(Statement::parse(
        "MATCH (m:Doc) SEARCH m IN (FULLTEXT INDEX texts FOR $word LIMIT 10) RETURN m.number"));
    while (!ends) {
      const auto begin = Clock::now();
      const Snapshot snapshot = must(database.snapshot());
      must(snapshot.find_node("record" + std::to_string(random() % count)));
      must(
          must(search.run(snapshot, {{"word", "word" + std::to_string(random() % 50'000)}})).all());
      times.push_back(seconds_since(begin) * 1'000);
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
  });
  work();
  ends = true;
  reader.join();
  std::ranges::sort(times);
  return times[times.size() * 99 / 100];
}

void fill(Database& database, std::size_t count) {
  constexpr std::size_t piece = 10'000;
  std::mt19937_64 random(5);
  for (std::size_t first = 0; first < count; first += piece)
    must(database.write([&](Transaction& transaction) -> Status {
      for (std::size_t i = first; i < std::min(first + piece, count); ++i) {
        std::string text;
        for (int word = 0; word < 12; ++word)
          text += "word" + std::to_string(random() % 50'000) + " ";
        CAIRN_TRY(transaction.create_node({{"Doc"},
                                           {{"content", text},
                                            {"title", "title " + std::to_string(random())},
                                            {"number", static_cast<std::int64_t>(random() % 1'000)},
                                            {"score", static_cast<double>(random() % 1'000'000)}},
                                           "record" + std::to_string(i)}));
      }
      return {};
    }));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(scrub_speed)

BOOST_AUTO_TEST_CASE(ten_records_of_many) {
  const std::size_t count = test::rounds(20'000, 1'000'000);
  test::TemporaryDatabase db;
  test::run_all(*db, {"CREATE FULLTEXT INDEX texts FOR (m:Doc) ON EACH [m.content]"});
  fill(*db, count);
  must(db->checkpoint());
  db.reopen();
  must(db->scrub());  // of the load itself: nothing was erased, but logs of texts are merged
  must(db->write([&](Transaction& transaction) -> Status {
    for (std::size_t i = 0; i < 10; ++i) {
      CAIRN_ASSIGN(const auto node,
                   transaction.find_node("record" + std::to_string(count / 2 + i * 7)));
      CAIRN_TRY(transaction.erase_node_and_relationships(node->id()));
    }
    return {};
  }));
  must(db->checkpoint());
  const test::TemporaryDirectory copy;
  test::copy_running_tree(db.path(), copy.path() / "db");
  const auto before = test::tables_of(db.path());
  const double idle =
      slowest_reads(*db, count, [] { std::this_thread::sleep_for(std::chrono::seconds(2)); });
  double seconds = 0;
  ScrubReceipt receipt;
  std::map<std::string, double> steps;
  const double busy = slowest_reads(*db, count, [&] {
    const auto begin = Clock::now();
    auto since = begin;
    std::string step;
    ScrubOptions options;
    const auto note = [&](const std::string& next) {
      if (!step.empty()) steps[step] += seconds_since(since);
      since = Clock::now();
      step = next;
    };
    options.on_progress = [&](const ScrubProgress& now) { note(now.step); };
    receipt = must(db->scrub(options));
    seconds = seconds_since(begin);
    note("");
  });
  const auto after = test::tables_of(db.path());
  std::uint64_t all = 0;
  std::uint64_t gone = 0;
  std::set<std::string> rewritten;
  for (const auto& [name, bytes] : before) {
    all += bytes;
    if (after.contains(name)) continue;
    gone += bytes;
    rewritten.insert(name);
  }
  const double alone = compact_alone(copy.path() / "db", rewritten);
  BOOST_TEST_MESSAGE(count << " records: " << before.size() << " tables of " << all
                           << " bytes, rewritten " << rewritten.size() << " of " << gone
                           << " bytes (" << receipt.table_bytes << " read); " << seconds
                           << " s, these tables alone " << alone << " s; slowest reads " << idle
                           << " ms idle, " << busy << " ms meanwhile");
  for (const auto& [step, took] : steps) BOOST_TEST_MESSAGE("  " << step << " " << took << " s");
  BOOST_TEST(receipt.tables >= 1u);
  // A few records are in all tables.
  if (count < 1'000'000) return;
  BOOST_TEST(gone < all);
  BOOST_TEST(seconds <= 1.5 * alone);
  BOOST_TEST(busy <= 3 * idle);
}

BOOST_AUTO_TEST_SUITE_END()
