// Segment files beside another state of the database: after commits that did not note what they changed, in copies, and
// after a repair.
#include "codec/keys.hpp"
#include "codec/segment_file.hpp"
#include "engine/store/rocks_store.hpp"
#include "tests/query/execute/segments/segment_place.hpp"

#include <cairn/backup.hpp>

namespace cairn::test {
namespace {

/// Flips a bit at the beginning of each table file that has the list of segments (family vector_log). Returns the
/// number of these tables.
std::size_t damage_tables(const fs::path& database) {
  const std::string key = codec::vector_log_key(codec::segment_log_space, 0);
  std::size_t damaged = 0;
  for (const auto& entry : fs::directory_iterator(database / "store")) {
    std::string content = content_of(entry.path());
    if (entry.path().extension() != ".sst" || content.find(key.substr(0, 8)) == content.npos)
      continue;
    content[1] = static_cast<char>(content[1] ^ 1);
    write(entry.path(), content);
    ++damaged;
  }
  return damaged;
}

/// Opens a copy, and expects a warning and correct answers.
void expect_told(const fs::path& database, OpenMode mode, const Rows& expected) {
  const TemporaryDirectory other;
  copy_tree(database, other.path() / "db");
  auto opened = Database::open(other.path() / "db", with(Segments::always, mode));
  BOOST_TEST_REQUIRE(static_cast<bool>(opened));
  BOOST_TEST_REQUIRE(opened->warnings().size() == 1U);
  BOOST_TEST(opened->warnings()[0].ends_with("; segments are built again"));
  BOOST_TEST(answers(*opened) == expected, boost::test_tools::per_element());
}

/// Puts an entry into the family vector_log.
void put_entry(const fs::path& database, const std::string& key, const std::string& value) {
  const auto store = must(engine::RocksStore::open(database / "store", {}));
  engine::StoreBatch batch(*store);
  batch.put(engine::Family::vector_log, key, value);
  must(store->write(batch, engine::WriteMode::sync));
}

/// Reads the list of segments from the family vector_log, or replaces it by `put`.
std::string segment_list(const fs::path& database, const std::string& put = {}) {
  const std::string key = codec::vector_log_key(codec::segment_log_space, 0);
  const auto store = must(engine::RocksStore::open(database / "store", {}));
  engine::StoreBatch batch(*store);
  if (!put.empty()) batch.put(engine::Family::vector_log, key, put);
  must(store->write(batch, engine::WriteMode::sync));
  return must(store->get(engine::Family::vector_log, key, nullptr)).value_or("");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(segment_states)

BOOST_AUTO_TEST_CASE(commits_without_the_log_make_files_useless) {
  Place place;
  {
    Database database = place.open(Segments::never);
    change(database, 10);
    BOOST_REQUIRE(database.close());
  }
  {
    // The log goes on after the gap.
    Database database = place.open();
    change(database, 20);
    BOOST_REQUIRE(database.close());
  }
  place.compare();
}

BOOST_AUTO_TEST_CASE(files_of_another_state_of_the_database_are_not_used) {
  Place place;
  const TemporaryDirectory older;
  copy_tree(place.path(), older.path() / "db");
  {
    Database database = place.open();
    run_all(database, {"MATCH (n:N) SET n.v = n.v + 1000"});
    static_cast<void>(answers(database));
    BOOST_REQUIRE(database.close());
  }
  // The store of the older state beside the newer files, and the other way around.
  const TemporaryDirectory newer;
  copy_tree(place.path(), newer.path() / "db");
  fs::remove_all(newer.path() / "db" / "segment");
  copy_tree(older.path() / "db" / "segment", newer.path() / "db" / "segment");
  fs::remove_all(older.path() / "db" / "segment");
  copy_tree(place.segments(), older.path() / "db" / "segment");
  for (const fs::path& path : {older.path() / "db", newer.path() / "db"}) {
    const Rows expected = Place::answers_of_records(path);
    Database database = std::move(Database::open(path, with(Segments::always)).value());
    BOOST_TEST(answers(database) == expected, boost::test_tools::per_element());
  }
}

// The state after the newest commits were lost but the list was not.
BOOST_AUTO_TEST_CASE(a_list_of_a_later_state_is_erased_before_its_commits_are_made_again) {
  Place place;
  const TemporaryDirectory older;
  copy_tree(place.path(), older.path() / "db");
  {
    Database database = place.open();
    run_all(database, {"MATCH (n:N) SET n.v = n.v + 1000, n.z = n.k"});
    static_cast<void>(sorted_rows(database, "MATCH (n:N) RETURN sum(n.z) AS s"));
    BOOST_REQUIRE(database.close());
  }
  const fs::path path = older.path() / "db";
  static_cast<void>(segment_list(path, segment_list(place.path())));
  fs::remove_all(path / "segment");
  copy_tree(place.segments(), path / "segment");
  {
    Database database = std::move(Database::open(path, with(Segments::automatic)).value());
    BOOST_TEST_REQUIRE(database.warnings().size() == 1U);
    BOOST_TEST(database.warnings()[0] ==
               "the list of the segment files is of a later state of the database; segments are "
               "built again");
    run_all(database, {"CREATE (:M)", "CREATE (:M)", "CREATE (:M)"});
    // Not closed, so that nothing else is saved.
    const TemporaryDirectory killed;
    copy_running_tree(path, killed.path() / "db");
    const Rows expected = answers(database);
    Database again =
        std::move(Database::open(killed.path() / "db", with(Segments::always)).value());
    BOOST_TEST(answers(again) == expected, boost::test_tools::per_element());
    BOOST_TEST(again.warnings().empty());
  }
}

// A version of Cairn without segment files leaves the files and the number of the newest commit as they are.
BOOST_AUTO_TEST_CASE(a_repair_empties_the_list_of_files) {
  Place place;
  const TemporaryDirectory kept;
  copy_tree(place.segments(), kept.path() / "segment");
  BOOST_TEST(!segment_list(place.path()).empty());
  Options options = with(Segments::never);
  options.repair = true;
  BOOST_REQUIRE(std::move(Database::open(place.path(), options).value()).close());
  copy_tree(kept.path() / "segment", place.segments());
  BOOST_TEST(segment_list(place.path()).empty());
  for (const fs::path& file : place.files()) write(file, "not looked at");
  place.compare();
  BOOST_TEST(place.told() == 0U);
}

BOOST_AUTO_TEST_CASE(a_list_that_is_damaged_is_told_and_replaced) {
  Place place;
  std::string list = segment_list(place.path());
  list[3] = static_cast<char>(list[3] ^ 1);
  static_cast<void>(segment_list(place.path(), list));
  {
    Database database = place.open();
    BOOST_TEST_REQUIRE(database.warnings().size() == 1U);
    BOOST_TEST(database.warnings()[0] ==
               "the list of the segment files is damaged; segments are built again");
    BOOST_REQUIRE(database.close());
  }
  place.compare();
  BOOST_TEST(place.told() == 1U);  // only once, because the list was replaced then
}

BOOST_AUTO_TEST_CASE(a_list_that_cannot_be_read_costs_time_only) {
  Place place;
  const Rows expected = Place::answers_of_records(place.path());
  BOOST_REQUIRE(place.open().close());  // the list was in the log, and is in a table now
  BOOST_TEST_REQUIRE(damage_tables(place.path()) > 0U);
  for (const OpenMode mode : {OpenMode::read_only, OpenMode::read_write})
    expect_told(place.path(), mode, expected);
}

BOOST_AUTO_TEST_CASE(a_log_that_cannot_be_read_costs_time_only) {
  Place place;
  const Rows expected = Place::answers_of_records(place.path());
  put_entry(place.path(), codec::vector_log_key(codec::segment_log_space, 1'000'000) + "x", "");
  for (const OpenMode mode : {OpenMode::read_only, OpenMode::read_write})
    expect_told(place.path(), mode, expected);
}

BOOST_AUTO_TEST_CASE(a_repair_erases_the_files) {
  Place place;
  const auto files = place.files();
  Options options = with(Segments::always);
  options.repair = true;
  Database database = std::move(Database::open(place.path(), options).value());
  for (const fs::path& file : files) BOOST_TEST(!fs::exists(file));
  BOOST_REQUIRE(database.close());
  place.compare();
}

BOOST_AUTO_TEST_CASE(a_backup_has_no_files_and_its_copy_makes_new_ones) {
  Place place;
  const TemporaryDirectory directory;
  Database database = place.open();
  change(database, 10);
  must(database.backup(directory.path() / "backup"));
  BOOST_TEST(!fs::exists(directory.path() / "backup" / "segment"));
  const fs::path restored = directory.path() / "restored";
  must(restore_backup(directory.path() / "backup", restored));
  BOOST_TEST(!fs::exists(restored / "segment"));
  for (int opening = 0; opening < 2; ++opening) {
    Database copy = std::move(Database::open(restored, with(Segments::always)).value());
    BOOST_TEST(copy.warnings().empty());
    BOOST_TEST(answers(copy) == answers(database), boost::test_tools::per_element());
    change(copy, 20 + 10 * opening);
    change(database, 20 + 10 * opening);
    BOOST_TEST(must(copy.check()).empty());
    BOOST_REQUIRE(copy.close());
    BOOST_TEST(fs::exists(restored / "segment"));
  }
}

BOOST_AUTO_TEST_CASE(a_home_and_its_copy_have_no_files) {
  const TemporaryDirectory directory;
  Options options = with(Segments::always);
  options.home = "dir:" + (directory.path() / "home").string();
  fs::create_directory(directory.path() / "home");
  Database database = std::move(Database::open(directory.path() / "db", options).value());
  run_all(database, {"UNWIND range(0, 299) AS k CREATE (:N {k: k, v: k % 7, w: 'secret' + k})"});
  static_cast<void>(answers(database));
  BOOST_REQUIRE(database.checkpoint());
  BOOST_REQUIRE(database.close());
  BOOST_TEST(!fs::exists(directory.path() / "db" / "segment"));
  for (const auto& entry : fs::recursive_directory_iterator(directory.path()))
    BOOST_TEST(!entry.path().string().ends_with(".seg"));
}

BOOST_AUTO_TEST_CASE(a_bulk_load_saves_and_makes_older_files_useless) {
  Place place;
  {
    Options options = with(Segments::always);
    options.mode = OpenMode::bulk_load;
    Database database = std::move(Database::open(place.path(), options).value());
    change(database, 10);
    static_cast<void>(answers(database));
    BOOST_REQUIRE(database.close());
  }
  const auto files = place.files();
  place.compare();
  BOOST_TEST((place.files() == files));
  BOOST_TEST(place.told() == 0U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
