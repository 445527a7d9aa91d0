#include "engine/store/rocks_store.hpp"

#include "codec/bitmap.hpp"
#include "codec/keys.hpp"
#include "codec/posting.hpp"
#include "tests/support/graph_builder.hpp"

#include <boost/test/unit_test.hpp>
#include <rocksdb/db.h>
#include <rocksdb/file_system.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <random>
#include <set>

using namespace cairn;
using engine::Family;
using engine::KeyRange;
using engine::RocksStore;
using engine::StoreBatch;
using engine::WriteMode;
using test::must;

namespace {

struct Fixture {
  test::TemporaryDirectory directory;
  std::unique_ptr<RocksStore> store = open();

  std::unique_ptr<RocksStore> open() {
    return must(RocksStore::open(directory.path() / "store", {}));
  }
  void reopen() {
    store.reset();
    store = open();
  }
  void put(Family family, std::string_view key, std::string_view value) {
    StoreBatch batch(*store);
    batch.put(family, key, value);
    must(store->write(batch, WriteMode::async));
  }
  void merge(std::string_view key, const codec::PostingDelta& delta) {
    StoreBatch batch(*store);
    batch.merge(Family::index, key, codec::encode_posting_delta(delta));
    must(store->write(batch, WriteMode::async));
  }
  std::vector<std::string> keys(engine::Cursor cursor) {
    std::vector<std::string> found;
    for (; cursor.valid(); cursor.next()) found.emplace_back(cursor.key());
    must(cursor.status());
    return found;
  }
};

/// Counts the files of options that are written.
class CountedOptions final : public rocksdb::FileSystemWrapper {
 public:
  CountedOptions() : FileSystemWrapper(rocksdb::FileSystem::Default()) {}
  const char* Name() const override { return "cairn.CountedOptions"; }
  rocksdb::IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* file,
                                    rocksdb::IODebugContext* debug) override {
    if (path.find("/OPTIONS-") != std::string::npos) ++written;
    return target()->NewWritableFile(path, options, file, debug);
  }
  std::atomic<int> written = 0;
};

/// What a crash leaves of a store that was about to get its families.
void make_without_families(const std::string& path) {
  rocksdb::Options options;
  options.create_if_missing = true;
  rocksdb::DB* made = nullptr;
  BOOST_REQUIRE(rocksdb::DB::Open(options, path, &made).ok());
  delete made;
}

std::string posting_key(std::string_view value, std::uint64_t chunk) {
  return codec::index_key(
      {codec::EntityKind::node, 70, codec::EntryKind::scalar, std::string(value), chunk});
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(rocks_store, Fixture)

BOOST_AUTO_TEST_CASE(a_snapshot_does_not_change) {
  put(Family::meta, "k", "old");
  const auto snapshot = store->snapshot();
  put(Family::meta, "k", "new");
  put(Family::meta, "l", "new");
  BOOST_TEST(*must(store->get(Family::meta, "k", &*snapshot)) == "old");
  BOOST_TEST(*must(store->get(Family::meta, "k", nullptr)) == "new");
  BOOST_TEST(keys(store->scan(Family::meta, {}, &*snapshot)).size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_fixed_handle_sees_one_state_and_outlives_the_store) {
  put(Family::meta, "k", "old");
  const auto fixed = store->fixed();
  put(Family::meta, "k", "new");
  put(Family::meta, "l", "new");
  const std::vector<std::string> both = {"k", "l"};
  const auto check = [&] {
    BOOST_TEST(*must(fixed->get(Family::meta, "k", nullptr)) == "old");
    const auto values = must(fixed->multi_get(Family::meta, both, nullptr));
    BOOST_TEST((values[0] == "old" && !values[1]));
    BOOST_TEST(keys(fixed->scan(Family::meta, {}, nullptr)).size() == 1U);
    BOOST_TEST(keys(fixed->scan_prefix(Family::meta, "l", nullptr)).empty());
    BOOST_TEST(!must(fixed->get(Family::meta, "l", &*fixed->snapshot())));
  };
  check();
  StoreBatch batch(*fixed);
  batch.put(Family::meta, "m", "new");
  BOOST_TEST((fixed->write(batch, WriteMode::async).error().code == ErrorCode::unsupported));
  must(store->flush());
  store.reset();
  check();
}

BOOST_AUTO_TEST_CASE(a_batch_reaches_all_families_at_once_and_stays) {
  StoreBatch batch(*store);
  for (const Family family : engine::all_families) {
    if (family != Family::index) batch.put(family, "key", to_string(family));
  }
  must(store->write(batch, WriteMode::sync));
  reopen();
  for (const Family family : engine::all_families) {
    if (family == Family::index) continue;
    BOOST_TEST(*must(store->get(family, "key", nullptr)) == to_string(family));
  }
}

BOOST_AUTO_TEST_CASE(a_scan_keeps_within_its_range) {
  for (const char* key : {"a", "ab", "abc", "b"}) put(Family::meta, key, "");
  BOOST_TEST(keys(store->scan(Family::meta, {"ab", "b"}, nullptr)) ==
                 (std::vector<std::string>{"ab", "abc"}),
             boost::test_tools::per_element());
  BOOST_TEST(keys(store->scan(Family::meta, engine::range_of_prefix("a"), nullptr)).size() == 3u);
  BOOST_TEST(keys(store->scan(Family::meta, {}, nullptr)).size() == 4u);
}

BOOST_AUTO_TEST_CASE(many_keys_come_back_in_the_order_asked) {
  std::vector<std::string> asked;
  for (int i = 0; i < 3'000; ++i) {
    asked.push_back(std::to_string(i * 7'919 % 3'000));
    if (i % 3 != 0) put(Family::nodes, asked.back(), "v" + asked.back());
  }
  const auto values = must(store->multi_get(Family::nodes, asked, nullptr));
  BOOST_REQUIRE(values.size() == asked.size());
  for (std::size_t i = 0; i < asked.size(); ++i) {
    BOOST_TEST(values[i].has_value() == (i % 3 != 0));
    if (values[i]) BOOST_TEST(*values[i] == "v" + asked[i]);
  }
}

BOOST_AUTO_TEST_CASE(random_posting_changes_fold_to_the_same_set_wherever_they_lie) {
  std::mt19937_64 random(4);
  std::set<std::uint16_t> expected;
  const std::string key = posting_key("v", 3);
  for (int round = 0; round < 600; ++round) {
    codec::PostingDelta delta;
    std::set<std::uint16_t> touched;
    for (int i = 0; i < 20; ++i) touched.insert(static_cast<std::uint16_t>(random() % 9'000));
    for (const std::uint16_t id : touched) {
      const bool added = random() % 3 != 0;
      (added ? delta.added : delta.removed).push_back(id);
      if (added)
        expected.insert(id);
      else
        expected.erase(id);
    }
    merge(key, delta);
    if (round % 100 == 50) must(store->flush());
    if (round % 250 == 249) reopen();
  }
  const auto stored = must(codec::decode_posting(*must(store->get(Family::index, key, nullptr))));
  std::vector<std::uint16_t> found;
  stored.for_each([&](std::uint16_t id) { found.push_back(id); });
  BOOST_TEST(found == std::vector<std::uint16_t>(expected.begin(), expected.end()),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_posting_is_scanned_without_its_neighbours) {
  for (const std::uint64_t chunk : {0ull, 1ull, 70'000ull}) {
    merge(posting_key("aa", chunk), {{1}, {}});
    merge(posting_key("ab", chunk), {{2}, {}});
  }
  must(store->flush());
  const std::string name =
      codec::index_prefix(codec::EntityKind::node, 70, codec::EntryKind::scalar, "aa");
  BOOST_TEST(keys(store->scan_prefix(Family::index, name, nullptr)).size() == 3u);
  const std::string absent =
      codec::index_prefix(codec::EntityKind::node, 70, codec::EntryKind::scalar, "ac");
  BOOST_TEST(keys(store->scan_prefix(Family::index, absent, nullptr)).empty());
}

BOOST_AUTO_TEST_CASE(a_damaged_operand_is_corruption_and_no_crash) {
  StoreBatch batch(*store);
  batch.merge(Family::index, posting_key("v", 0), "rubbish");
  must(store->write(batch, WriteMode::async));
  const auto read = store->get(Family::index, posting_key("v", 0), nullptr);
  BOOST_REQUIRE(!read);
  BOOST_TEST((read.error().code == ErrorCode::corruption));
}

// Write buffers remember the place of the last key, which an erased range must not disturb.
BOOST_AUTO_TEST_CASE(keys_before_and_behind_an_erased_family_are_as_they_were_written) {
  const auto fill = [&](int round) {
    for (const Family family : {Family::index, Family::text, Family::nodes, Family::adj_out}) {
      StoreBatch batch(*store);
      for (int i = 0; i < 300; ++i)
        batch.put(family, posting_key(std::to_string((i * 7 + round) % 500), 3), "v");
      must(store->write(batch, WriteMode::async));
    }
  };
  fill(1);
  for (int round = 2; round < 5; ++round) {
    must(store->clear(Family::text));
    BOOST_TEST(keys(store->scan(Family::text, {}, nullptr)).empty());
    fill(round);
    if (round == 3) reopen();
    std::set<std::string> wanted;
    for (int i = 0; i < 300; ++i)
      wanted.insert(posting_key(std::to_string((i * 7 + round) % 500), 3));
    const auto found = keys(store->scan(Family::text, {}, nullptr));
    BOOST_TEST((found == std::vector(wanted.begin(), wanted.end())));
    BOOST_TEST(std::is_sorted(found.begin(), found.end()));
  }
  BOOST_TEST(keys(store->scan(Family::index, {}, nullptr)).size() > 300U);
}

BOOST_AUTO_TEST_CASE(a_part_of_a_family_is_erased_and_can_be_written_again) {
  for (const Family family : {Family::vector_log, Family::text}) {
    for (const std::string key : {"a", "b", "c"}) put(family, key, "v");
    must(store->erase_range(family, KeyRange{"a", "b"}, WriteMode::async));
    BOOST_TEST((keys(store->scan(family, {}, nullptr)) == std::vector<std::string>{"b", "c"}));
    put(family, "a", "w");
    BOOST_TEST((keys(store->scan(family, {}, nullptr)) == std::vector<std::string>{"a", "b", "c"}));
  }
}

// A file of options takes longer to write than all else of a new store: RocksDB reads it again to verify it.
BOOST_AUTO_TEST_CASE(a_new_store_writes_its_options_once_for_all_families) {
  const auto files = std::make_shared<CountedOptions>();
  engine::StoreOptions options;
  options.file_system = files;
  must(RocksStore::open(directory.path() / "new", options));
  BOOST_TEST(files->written == 2);  // before and with the families
  must(RocksStore::open(directory.path() / "new", options));
  BOOST_TEST(files->written == 3);
}

BOOST_AUTO_TEST_CASE(a_store_that_has_no_families_yet_gets_them) {
  const auto path = directory.path() / "begun";
  make_without_families(path);
  const auto begun = must(RocksStore::open(path, {}));
  StoreBatch batch(*begun);
  for (const Family family : engine::all_families)
    if (family != Family::index) batch.put(family, "key", to_string(family));
  must(begun->write(batch, WriteMode::sync));
  for (const Family family : engine::all_families)
    if (family != Family::index)
      BOOST_TEST(*must(begun->get(family, "key", nullptr)) == to_string(family));
}

BOOST_AUTO_TEST_CASE(a_cleared_family_is_empty) {
  for (int i = 0; i < 100; ++i) merge(posting_key(std::to_string(i), 0), {{1}, {}});
  must(store->clear(Family::index));
  BOOST_TEST(keys(store->scan(Family::index, {}, nullptr)).empty());
}

BOOST_AUTO_TEST_CASE(a_larger_range_has_more_bytes) {
  for (int i = 0; i < 2'000; ++i) {
    put(Family::nodes, std::to_string(100'000 + i),
        std::string(500, static_cast<char>('a' + i % 26)));
  }
  must(store->flush());
  const auto all = store->approximate_bytes(Family::nodes, {});
  const auto half = store->approximate_bytes(Family::nodes, {"101000", ""});
  BOOST_TEST(half > 0u);
  BOOST_TEST(all > half);
}

BOOST_AUTO_TEST_SUITE_END()
