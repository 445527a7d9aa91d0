// RocksStore::scrub_tables(): which tables it rewrites, and what is left in them.
#include "codec/keys.hpp"
#include "codec/posting.hpp"
#include "engine/store/rocks_store.hpp"
#include "engine/store/table_marks.hpp"
#include "tests/engine/scrub/file_scan.hpp"
#include "tests/support/graph_builder.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <random>
#include <set>
#include <thread>

using namespace cairn;
using engine::Family;
using engine::RocksStore;
using engine::ScrubbedTables;
using engine::StoreBatch;
using engine::WriteMode;
using test::must;

namespace {

struct Fixture {
  test::TemporaryDirectory directory;
  std::unique_ptr<RocksStore> store = must(RocksStore::open(directory.path() / "store", {}));
  std::mt19937_64 random{7};

  /// Bytes that no compression shortens.
  std::string noise(std::size_t size) {
    std::string bytes;
    while (bytes.size() < size) bytes.push_back(static_cast<char>('!' + random() % 90));
    return bytes;
  }
  void put_nodes(std::uint64_t first, std::uint64_t count, std::size_t bytes) {
    StoreBatch batch(*store);
    for (std::uint64_t id = first; id < first + count; ++id)
      batch.put(Family::nodes, codec::record_key(id),
                "node " + std::to_string(id) + " " + noise(bytes));
    must(store->write(batch, WriteMode::async));
  }
  void erase_nodes(const std::vector<std::uint64_t>& ids) {
    StoreBatch batch(*store);
    for (const std::uint64_t id : ids) batch.erase(Family::nodes, codec::record_key(id));
    must(store->write(batch, WriteMode::async));
  }
  void merge(const std::string& value, const codec::PostingDelta& delta) {
    StoreBatch batch(*store);
    batch.merge(Family::index,
                codec::index_key({codec::EntityKind::node, 70, codec::EntryKind::scalar, value, 0}),
                codec::encode_posting_delta(delta));
    must(store->write(batch, WriteMode::async));
  }
  ScrubbedTables scrub() {
    const auto done = must(store->scrub_tables([](const ScrubbedTables&) { return Status(); }));
    must(store->renew_manifest());
    return done;
  }
  /// Where the texts are in the files.
  std::map<std::string, std::vector<std::string>> find(const std::vector<std::string>& texts) {
    store.reset();
    auto found = test::find_in_files(directory.path(), texts);
    store = must(RocksStore::open(directory.path() / "store", {}));
    return found;
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(table_scrub, Fixture)

BOOST_AUTO_TEST_CASE(what_was_erased_and_replaced_is_in_no_table) {
  put_nodes(1, 100, 200);
  must(store->flush());
  StoreBatch batch(*store);
  batch.put(Family::nodes, codec::record_key(5), "another value");
  batch.erase(Family::nodes, codec::record_key(6));
  must(store->write(batch, WriteMode::async));
  must(store->flush());
  BOOST_TEST(find({"node 5 ", "node 6 "}).size() == 2u);
  BOOST_TEST(scrub().tables >= 2u);
  BOOST_TEST(find({"node 5 ", "node 6 "}).empty());
  BOOST_TEST(*must(store->get(Family::nodes, codec::record_key(5), nullptr)) == "another value");
  BOOST_TEST(!must(store->get(Family::nodes, codec::record_key(6), nullptr)).has_value());
  BOOST_TEST(must(store->get(Family::nodes, codec::record_key(7), nullptr)).has_value());
  BOOST_TEST(scrub().tables == 0u);
}

BOOST_AUTO_TEST_CASE(a_posting_that_became_empty_goes_with_its_key) {
  merge("secret-value", {{1, 2}, {}});
  merge("other-value", {{1, 2}, {}});
  must(store->flush());
  merge("secret-value", {{}, {1, 2}});
  merge("other-value", {{}, {1}});
  must(store->flush());
  BOOST_TEST(find({"secret-value", "other-value"}).size() == 2u);
  scrub();
  const auto left = find({"secret-value", "other-value"});
  BOOST_TEST(left.size() == 1u);
  BOOST_TEST(left.contains("other-value"));
}

BOOST_AUTO_TEST_CASE(only_tables_that_overlap_are_rewritten) {
  constexpr std::uint64_t tables = 12;
  constexpr std::uint64_t per_table = 100;
  for (std::uint64_t table = 0; table < tables; ++table) {
    put_nodes(table * per_table, per_table, 1'000);
    must(store->flush());
  }
  // They do not overlap, so that nothing is due.
  BOOST_TEST(scrub().tables == 0u);
  erase_nodes({3 * per_table + 7, 8 * per_table + 1});
  // RocksDB's own compactions may merge tables until the scrub's first step, and rest from then on.
  std::map<std::string, std::uintmax_t> before;
  const ScrubbedTables done = must(store->scrub_tables([&](const ScrubbedTables& so_far) {
    if (so_far.tables == 0) before = test::tables_of(directory.path());
    return Status();
  }));
  const auto after = test::tables_of(directory.path());
  std::size_t same = 0;
  for (const auto& [name, bytes] : before) same += after.contains(name) ? 1 : 0;
  BOOST_TEST_MESSAGE(done.tables << " tables, " << done.bytes << " bytes; " << same << " stay");
  // The flushed one and the two below it.
  BOOST_TEST(done.tables <= 3u);
  BOOST_TEST(same + 3 >= before.size());
}

BOOST_AUTO_TEST_CASE(random_histories_leave_what_is_there_and_nothing_else) {
  const std::size_t rounds = 6;
  std::map<std::uint64_t, std::string> expected;
  std::vector<std::string> gone;
  for (std::size_t round = 0; round < rounds; ++round) {
    for (int flush = 0; flush < 6; ++flush) {
      StoreBatch batch(*store);
      for (int i = 0; i < 300; ++i) {
        const std::uint64_t id = random() % 3'000;
        const auto known = expected.find(id);
        if (known != expected.end()) gone.push_back(known->second);
        const std::string value = "value-" + noise(30);
        const bool erases = random() % 3 == 0;
        if (erases) {
          batch.erase(Family::nodes, codec::record_key(id));
          expected.erase(id);
        } else {
          batch.put(Family::nodes, codec::record_key(id), value);
          expected[id] = value;
        }
      }
      must(store->write(batch, WriteMode::async));
      must(store->flush());
    }
    scrub();
    for (std::uint64_t id = 0; id < 3'000; ++id) {
      const auto found = must(store->get(Family::nodes, codec::record_key(id), nullptr));
      const auto wanted = expected.find(id);
      BOOST_REQUIRE(found.has_value() == (wanted != expected.end()));
      if (found) BOOST_REQUIRE(*found == wanted->second);
    }
    if (gone.size() > 40) gone.erase(gone.begin(), gone.end() - 40);
    BOOST_TEST(find(gone).empty());
  }
}

BOOST_AUTO_TEST_CASE(a_new_manifest_begins_and_the_old_one_goes) {
  put_nodes(1, 10, 10);
  must(store->flush());
  const std::uint64_t log = must(store->current_log());
  erase_nodes({1, 2, 3});
  scrub();
  for (const std::string& name : must(store->erase_replaced_files(log))) BOOST_TEST(name == "");
}

// It may have anything, and is rewritten once.
BOOST_AUTO_TEST_CASE(a_table_of_an_earlier_version_is_taken_for_stale) {
  BOOST_TEST(engine::marks_of({}).stale == 1u);
  BOOST_TEST(engine::marks_of({}).covering == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
