#include "codec/format_version.hpp"
#include "codec/meta.hpp"
#include "engine/store/metadata_file.hpp"
#include "tests/support/graph_builder.hpp"

#include <boost/test/unit_test.hpp>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

using namespace cairn;
using test::GraphBuilder;
using test::must;
using test::TemporaryDatabase;

namespace {

ErrorCode open_error(const std::filesystem::path& path, const Options& options = {}) {
  const auto opened = Database::open(path, options);
  BOOST_REQUIRE(!opened);
  BOOST_TEST_MESSAGE(opened.error().message);
  return opened.error().code;
}

mode_t mode_of(const std::filesystem::path& path) {
  struct stat status{};
  BOOST_REQUIRE(::stat(path.c_str(), &status) == 0);
  return status.st_mode & 07777;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(database)

BOOST_AUTO_TEST_CASE(what_was_committed_is_there_after_a_reopen) {
  auto graph = GraphBuilder().node("ada", "Person", {{"age", 36}}).node("bob", "Person");
  graph.relate("ada", "KNOWS", "bob", {{"since", 1843}});
  const auto db = graph.open_temporary();

  db->reopen();

  const Snapshot snapshot = must((*db)->snapshot());
  const auto ada = must(snapshot.find_node("ada"));
  BOOST_REQUIRE(ada.has_value());
  BOOST_TEST((ada->id() == graph.id("ada")));
  BOOST_TEST((ada->property("age") == Value(36)));
  const auto knows = must(snapshot.find_relationship(RelationshipId{1}));
  BOOST_REQUIRE(knows.has_value());
  BOOST_TEST(knows->type() == "KNOWS");
  BOOST_TEST((knows->source() == graph.id("ada")));
  BOOST_TEST((knows->property("since") == Value(1843)));
}

BOOST_AUTO_TEST_CASE(a_second_opener_is_told_who_has_it) {
  TemporaryDatabase db;
  const auto second = Database::open(db.path());
  BOOST_REQUIRE(!second);
  BOOST_TEST((second.error().code == ErrorCode::busy));
  BOOST_TEST(second.error().message.find(std::to_string(::getpid())) != std::string::npos);
  Options read_only;
  read_only.mode = OpenMode::read_only;
  BOOST_TEST((open_error(db.path(), read_only) == ErrorCode::busy));
}

BOOST_AUTO_TEST_CASE(a_copy_without_its_lock_file_is_read) {
  const test::TemporaryDirectory directory;
  const auto path = directory.path() / "db";
  {
    Database made = must(Database::open(path));
    Transaction transaction = must(made.begin());
    must(transaction.create_node({{"Person"}, {}, "ada"}));
    must(transaction.commit());
    must(made.close());
  }
  std::filesystem::remove(path / "LOCK");
  Options read_only;
  read_only.mode = OpenMode::read_only;
  const Database opened = must(Database::open(path, read_only));
  BOOST_TEST(must(must(opened.snapshot()).find_node("ada")).has_value());
}

BOOST_AUTO_TEST_CASE(a_read_only_opening_reads_and_does_not_write) {
  auto graph = GraphBuilder().node("ada", "Person");
  const auto db = graph.open_temporary();
  Options read_only;
  read_only.mode = OpenMode::read_only;
  db->reopen(read_only);
  BOOST_TEST(must(must((*db)->snapshot()).find_node("ada")).has_value());
  const auto begun = (*db)->begin();
  BOOST_REQUIRE(!begun);
  BOOST_TEST((begun.error().code == ErrorCode::unsupported));
  const auto beside = Database::open(db->path(), read_only);
  BOOST_TEST(beside.has_value());
}

BOOST_AUTO_TEST_CASE(nothing_is_made_where_nothing_may_be_made) {
  const test::TemporaryDirectory directory;
  Options options;
  options.create_if_missing = false;
  BOOST_TEST((open_error(directory.path() / "none", options) == ErrorCode::not_found));
  std::ofstream(directory.path() / "letter.txt") << "dear";
  BOOST_TEST((open_error(directory.path()) == ErrorCode::invalid_argument));
  BOOST_TEST((open_error(directory.path() / "letter.txt") == ErrorCode::invalid_argument));
}

BOOST_AUTO_TEST_CASE(files_are_for_their_owner_alone) {
  const mode_t before = ::umask(0);
  auto graph = GraphBuilder().node("ada", "Person");
  const auto db = graph.open_temporary();
  must((*db)->checkpoint());
  ::umask(before);
  BOOST_TEST(mode_of(db->path()) == 0700u);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(db->path())) {
    BOOST_TEST(mode_of(entry.path()) == (entry.is_directory() ? 0700u : 0600u),
               entry.path().string());
  }
}

BOOST_AUTO_TEST_CASE(a_newer_format_is_refused_with_both_numbers) {
  TemporaryDatabase db;
  db.close();
  codec::FormatRecord newer;
  newer.version = codec::format_version + 41;
  must(engine::write_file(db.path() / engine::metadata_file::format, codec::encode(newer)));
  const auto opened = Database::open(db.path());
  BOOST_REQUIRE(!opened);
  BOOST_TEST((opened.error().code == ErrorCode::format_too_new));
  BOOST_TEST(opened.error().message.find(std::to_string(newer.version)) != std::string::npos);
  BOOST_TEST(opened.error().message.find(std::to_string(codec::format_version)) !=
             std::string::npos);
}

// Its host is of a newer version, and a process of this one may attach to it.
BOOST_AUTO_TEST_CASE(a_newer_format_that_is_open_elsewhere_is_busy) {
  TemporaryDatabase db;
  codec::FormatRecord newer;
  newer.version = codec::format_version + 1;
  must(engine::write_file(db.path() / engine::metadata_file::format, codec::encode(newer)));
  Options alone;
  alone.share = Share::exclusive;
  BOOST_TEST((open_error(db.path(), alone) == ErrorCode::busy));
  db.close();
  BOOST_TEST((open_error(db.path(), alone) == ErrorCode::format_too_new));
}

BOOST_AUTO_TEST_CASE(a_damaged_metadata_file_is_refused_with_its_repair_and_rebuilt_by_a_repair) {
  for (const auto name : {engine::metadata_file::format, engine::metadata_file::commit}) {
    auto graph = GraphBuilder().node("ada", "Person");
    const auto db = graph.open_temporary();
    db->close();
    const auto file = db->path() / name;
    const std::string whole = *must(engine::read_file(file));
    std::string damaged = whole;
    damaged[damaged.size() / 2] ^= 1;
    must(engine::write_file(file, damaged));
    const auto refused = Database::open(db->path());
    BOOST_REQUIRE(!refused);
    BOOST_TEST((refused.error().code == ErrorCode::corruption));
    for (const std::string& said : {file.string(), std::string("repair")})
      BOOST_TEST(refused.error().message.find(said) != std::string::npos, said);
    BOOST_TEST((must(engine::read_file(file)) == damaged));

    Options repair;
    repair.repair = true;
    repair.mode = OpenMode::read_only;
    BOOST_TEST((open_error(db->path(), repair) == ErrorCode::corruption));
    BOOST_TEST((must(engine::read_file(file)) == damaged));
    repair.mode = OpenMode::read_write;
    Database repaired = must(Database::open(db->path(), repair));
    BOOST_REQUIRE(repaired.warnings().size() == 1U);
    BOOST_TEST(repaired.warnings()[0].starts_with(file.string() + " is rebuilt from the store"));
    BOOST_TEST(must(repaired.statistics()).nodes == 1U);
    must(repaired.close());
    BOOST_TEST((must(engine::read_file(file)) == whole));
    db->reopen();
    BOOST_TEST((*db)->warnings().empty());
  }
}

BOOST_AUTO_TEST_CASE(a_repair_takes_no_emptied_store_for_a_new_database) {
  TemporaryDatabase db;
  db.close();
  const auto file = db.path() / engine::metadata_file::commit;
  must(engine::write_file(file, "damaged"));
  std::filesystem::remove_all(db.path() / engine::metadata_file::store_directory);
  std::filesystem::create_directory(db.path() / engine::metadata_file::store_directory);
  Options repair;
  repair.repair = true;
  const auto opened = Database::open(db.path(), repair);
  BOOST_REQUIRE(!opened);
  BOOST_TEST(opened.error().message.find("is empty") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_store_that_lost_commits_is_refused) {
  auto graph = GraphBuilder().node("ada", "Person");
  const auto db = graph.open_temporary();
  const std::string id = must((*db)->statistics()).database_id;
  db->close();
  must(engine::write_file(db->path() / engine::metadata_file::commit,
                          codec::encode(codec::CommitFile{id, 99})));
  BOOST_TEST((open_error(db->path()) == ErrorCode::corruption));
}

BOOST_AUTO_TEST_CASE(a_store_of_another_database_is_refused) {
  TemporaryDatabase one, other;
  one.close();
  other.close();
  std::filesystem::remove_all(one.path() / engine::metadata_file::store_directory);
  std::filesystem::rename(other.path() / engine::metadata_file::store_directory,
                          one.path() / engine::metadata_file::store_directory);
  BOOST_TEST((open_error(one.path()) == ErrorCode::corruption));
}

BOOST_AUTO_TEST_CASE(an_emptied_store_is_refused) {
  auto graph = GraphBuilder().node("ada", "Person");
  const auto db = graph.open_temporary();
  db->close();
  const auto store = db->path() / engine::metadata_file::store_directory;
  std::filesystem::remove_all(store);
  std::filesystem::create_directory(store);
  BOOST_TEST((open_error(db->path()) == ErrorCode::corruption));
}

BOOST_AUTO_TEST_CASE(a_bulk_load_that_did_not_end_is_refused_and_one_that_did_is_not) {
  Options bulk;
  bulk.mode = OpenMode::bulk_load;
  TemporaryDatabase db(bulk);
  GraphBuilder().node("ada", "Person", {{"age", 36}}).write(*db);
  BOOST_TEST(std::filesystem::exists(db.path() / engine::metadata_file::bulk));
  db.close();
  BOOST_TEST(!std::filesystem::exists(db.path() / engine::metadata_file::bulk));
  db.reopen(Options{});
  BOOST_TEST(must(must(db->snapshot()).find_node("ada")).has_value());
  BOOST_TEST(must(db->check()).empty());
  db.close();
  must(engine::write_file(db.path() / engine::metadata_file::bulk, ""));
  BOOST_TEST((open_error(db.path()) == ErrorCode::conflict));
}

BOOST_AUTO_TEST_CASE(a_transaction_that_outlives_its_bulk_load_cannot_commit) {
  Options bulk;
  bulk.mode = OpenMode::bulk_load;
  TemporaryDatabase db(bulk);
  Transaction transaction = must(db->begin());
  must(transaction.create_node({{"N"}, {}, "late"}));
  db.close();
  const auto committed = transaction.commit();
  BOOST_REQUIRE(!committed);
  BOOST_TEST((committed.error().code == ErrorCode::conflict));
}

BOOST_AUTO_TEST_CASE(the_mark_of_a_bulk_load_names_the_database_and_the_commit_before_it) {
  TemporaryDatabase db;
  GraphBuilder().node("ada", "Person").write(*db);
  const auto before = must(db->statistics());
  Options bulk;
  bulk.mode = OpenMode::bulk_load;
  db.reopen(bulk);
  const auto bytes = must(engine::read_file(db.path() / engine::metadata_file::bulk));
  BOOST_REQUIRE(bytes.has_value());
  const auto mark = must(codec::decode_commit_file(*bytes));
  BOOST_TEST(mark.database_id == before.database_id);
  BOOST_TEST(mark.commit == before.commits);
}

BOOST_AUTO_TEST_CASE(a_missing_file_of_the_format_is_written_by_the_next_opening_for_writing) {
  TemporaryDatabase db;
  const auto file = db.path() / engine::metadata_file::format;
  const auto written = must(engine::read_file(file));
  BOOST_TEST(written.has_value());
  db.close();
  must(engine::erase_file(file));
  Options read_only;
  read_only.mode = OpenMode::read_only;
  db.reopen(read_only);
  BOOST_TEST(!must(engine::read_file(file)).has_value());
  db.close();
  db.reopen(Options{});
  BOOST_TEST((must(engine::read_file(file)) == written));
}

BOOST_AUTO_TEST_CASE(a_snapshot_outlives_its_database) {
  auto graph = GraphBuilder().node("ada", "Person", {{"age", 36}});
  auto db = graph.open_temporary();
  const Snapshot snapshot = must((*db)->snapshot());
  db->close();
  BOOST_TEST((must(snapshot.find_node("ada"))->property("age") == Value(36)));
}

BOOST_AUTO_TEST_CASE(statistics_count_what_is_there) {
  auto graph = GraphBuilder().node("a", "Person").node("b", "Person").relate("a", "KNOWS", "b");
  const auto db = graph.open_temporary();
  const auto statistics = must((*db)->statistics());
  BOOST_TEST(statistics.nodes == 2u);
  BOOST_TEST(statistics.relationships == 1u);
  BOOST_TEST(statistics.commits == 1u);
  BOOST_TEST(statistics.disk_bytes > 0u);
  BOOST_TEST(statistics.database_id.size() == 32u);
}

BOOST_AUTO_TEST_SUITE_END()
