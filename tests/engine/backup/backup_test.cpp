#include "codec/backup_manifest.hpp"
#include "engine/database/access.hpp"
#include "engine/view/view.hpp"
#include "tests/engine/backup/backup_sample.hpp"
#include "tests/model/random.hpp"
#include "tests/support/value_generator.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <fstream>
#include <stop_token>
#include <thread>

using namespace cairn;
using namespace cairn::test;

namespace fs = std::filesystem;

namespace {

struct Fixture {
  TemporaryDirectory directory;
  fs::path place = directory.path() / "backup";
  fs::path restored = directory.path() / "restored";
  CrashHistory history{test_seed(), 0};
  TemporaryDatabase database;

  std::string restored_difference() {
    must(restore_backup(place, restored));
    return difference(restored, history);
  }
};

template <class T>
std::string code_of(const Result<T>& result) {
  return result ? "ok" : std::string(to_string(result.error().code));
}

void write_file(const fs::path& file, const std::string& text) { std::ofstream(file) << text; }

std::vector<codec::BackupNote> notes_of(Database& database) {
  return must(Access::view(must(database.snapshot()))->describe_backups());
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(backup, Fixture)

BOOST_AUTO_TEST_CASE(a_restored_backup_is_the_database_as_of_its_commit) {
  work(*database, history, 60);
  const BackupReport report = must(database->backup(place));
  CrashHistory later = history;
  work(*database, later, 20);

  BOOST_TEST(report.database_id == must(database->statistics()).database_id);
  BOOST_TEST(report.commit == 60U);
  BOOST_TEST(report.made_at > 0);
  const BackupReport verified = must(verify_backup(place));
  BOOST_TEST(verified.commit == report.commit);
  BOOST_TEST(verified.files == report.files);
  BOOST_TEST(verified.bytes == report.bytes);
  BOOST_TEST(restored_difference() == "");
  BOOST_TEST(difference(*database, later) == "");
}

BOOST_AUTO_TEST_CASE(a_restored_database_keeps_its_id_and_shares_no_file) {
  work(*database, history, 30);
  const BackupReport report = must(database->backup(place));
  BOOST_TEST(report.linked_files > 0U);
  must(restore_backup(place, restored));
  for (const auto& entry : fs::recursive_directory_iterator(restored))
    if (entry.is_regular_file()) BOOST_TEST(fs::hard_link_count(entry) == 1U, entry.path());
  Database other = must(Database::open(restored));
  BOOST_TEST(must(other.statistics()).database_id == report.database_id);
  CrashHistory going_on = history;
  work(other, going_on, 30);
  must(other.close());
  BOOST_TEST(code_of(verify_backup(place)) == "ok");
  BOOST_TEST(difference(*database, history) == "");
}

BOOST_AUTO_TEST_CASE(a_second_backup_copies_only_what_is_new) {
  work(*database, history, 400);
  // The data are so large that options and lists of tables, which are copied each time, are
  // negligible.
  Random random(test_seed());
  std::string text;
  while (text.size() < 2U << 20) text += std::to_string(random.number());
  Transaction transaction = must(database->begin());
  must(transaction.create_node({{filling}, {{"text", text}}}));
  must(transaction.commit());
  const BackupReport first = must(database->backup(place));
  work(*database, history, 3);
  const BackupReport second = must(database->backup(place));

  BOOST_TEST(second.commit == first.commit + 3);
  BOOST_TEST(first.linked_files > 0U);
  BOOST_TEST(second.copied_bytes < second.bytes / 2);
  BOOST_TEST(code_of(verify_backup(place)) == "ok");
  BOOST_TEST(restored_difference() == "");
  const BackupReport third = must(database->backup(place));
  BOOST_TEST(third.copied_bytes < third.bytes / 2);
}

BOOST_AUTO_TEST_CASE(one_that_is_stopped_tells_what_is_kept) {
  work(*database, history, 30);
  std::stop_source stop;
  stop.request_stop();
  const auto first = database->backup(place, stop.get_token());
  BOOST_TEST(code_of(first) == "cancelled");
  BOOST_TEST(first.error().message ==
             "the backup was stopped: nothing of it is stored in " + place.string());
  BOOST_TEST(code_of(verify_backup(place)) == "not_found");
  BOOST_TEST(fs::is_empty(place));
  must(database->backup(place));
  CrashHistory later = history;
  work(*database, later, 30);
  BOOST_TEST(database->backup(place, stop.get_token()).error().message ==
             "the backup was stopped: " + place.string() + " still has the backup of commit 30");
  BOOST_TEST(restored_difference() == "");
}

// Whenever it is, the backup is the new one or the one before.
BOOST_AUTO_TEST_CASE(one_that_is_stopped_at_any_moment_leaves_a_whole_one) {
  std::uint64_t kept = 0;
  std::size_t stopped = 0;
  Random random(test_seed());
  for (int round = 0; round < 20; ++round) {
    work(*database, history, 10);
    std::stop_source stop;
    std::jthread stopper([&, pause = random.below(20'000)] {
      std::this_thread::sleep_for(std::chrono::microseconds(pause));
      stop.request_stop();
    });
    const auto report = database->backup(place, stop.get_token());
    BOOST_REQUIRE((report || code_of(report) == "cancelled"));
    if (report) kept = report->commit;
    stopped += report ? 0 : 1;
    const auto verified = verify_backup(place);
    if (kept == 0)
      BOOST_TEST(code_of(verified) == "not_found");
    else
      BOOST_TEST(must(verified).commit == kept);
  }
  BOOST_TEST_MESSAGE(stopped << " of 20 were stopped");
}

// What no list names is gone, or a directory of daily backups would grow for ever.
BOOST_AUTO_TEST_CASE(files_that_no_backup_needs_go) {
  for (int i = 0; i < 6; ++i) {
    work(*database, history, 40);
    must(database->backup(place));
  }
  const BackupReport report = must(verify_backup(place));
  std::uint64_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(place))
    files += entry.is_regular_file() ? 1 : 0;
  BOOST_TEST(files == report.files + 1);
}

// A restored database makes files of names that the backup has already, with another content.
BOOST_AUTO_TEST_CASE(a_restored_database_can_go_on_with_its_backup) {
  work(*database, history, 50);
  must(database->backup(place));
  must(restore_backup(place, restored));
  CrashHistory other = history;
  work(*database, history, 50);
  const BackupReport first = must(database->backup(place));
  database.close();
  BOOST_TEST(first.commit == 100U);

  Database second = must(Database::open(restored));
  // The same number of commits, and others.
  {
    Transaction transaction = must(second.begin());
    must(transaction.commit());
  }
  work(second, other, 49);
  // Its state is older by a commit than the backup, which must not be lost for it.
  const auto refused = second.backup(place);
  BOOST_REQUIRE(!refused);
  BOOST_TEST((refused.error().code == ErrorCode::conflict));
  BOOST_TEST(refused.error().message.find("backup of commit 100") != std::string::npos);
  BOOST_TEST(must(verify_backup(place)).commit == 100U);
  work(second, other, 1);
  const BackupReport report = must(second.backup(place));
  must(second.close());
  must(restore_backup(place, directory.path() / "again"));
  BOOST_TEST(difference(directory.path() / "again", other) == "");
  BOOST_TEST(report.database_id == first.database_id);
}

BOOST_AUTO_TEST_CASE(backups_are_remembered_over_a_reopening) {
  work(*database, history, 5);
  must(database->backup(directory.path() / "one"));
  work(*database, history, 5);
  const BackupReport two = must(database->backup(directory.path() / "two"));
  database.reopen();
  auto notes = notes_of(*database);
  BOOST_TEST_REQUIRE(notes.size() == 2U);
  BOOST_TEST(notes[0].path == (fs::canonical(directory.path()) / "two").string());
  BOOST_TEST(notes[0].commit == two.commit);
  BOOST_TEST(notes[0].made_at == two.made_at);
  BOOST_TEST(notes[1].commit == 5U);
  must(database->backup(directory.path() / "one"));
  notes = notes_of(*database);
  BOOST_TEST_REQUIRE(notes.size() == 2U);
  BOOST_TEST(notes[0].path.ends_with("/one"));
}

BOOST_AUTO_TEST_CASE(a_backup_waits_for_no_writing_transaction) {
  work(*database, history, 5);
  Transaction open = must(database->begin());
  must(apply(open, CrashHistory(history).next(), 0));
  BOOST_TEST(must(database->backup(place)).commit == 5U);
  must(open.commit());
  BOOST_TEST(notes_of(*database).size() == 1U);
  BOOST_TEST(restored_difference() == "");
}

BOOST_AUTO_TEST_CASE(a_wrong_directory_is_refused_and_stays_as_it_is) {
  work(*database, history, 5);
  fs::create_directory(place);
  write_file(place / "letter.txt", "mine");
  BOOST_TEST(code_of(database->backup(place)) == "invalid_argument");
  BOOST_TEST(fs::file_size(place / "letter.txt") == 4U);
  BOOST_TEST(code_of(database->backup(directory.path() / "none" / "backup")) == "not_found");
  BOOST_TEST(code_of(database->backup("")) == "invalid_argument");
  write_file(directory.path() / "file", "mine");
  BOOST_TEST(code_of(database->backup(directory.path() / "file")) == "invalid_argument");
  for (const char* inside : {"", "backup", "store/backup", "vector"})
    BOOST_TEST(code_of(database->backup(database.path() / inside)) != "ok", inside);
  BOOST_TEST(!fs::exists(database.path() / "backup"));
  fs::create_directory_symlink(database.path(), directory.path() / "link");
  BOOST_TEST(code_of(database->backup(directory.path() / "link" / "b")) == "invalid_argument");

  const fs::path good = directory.path() / "good";
  must(database->backup(good));
  TemporaryDatabase stranger;
  BOOST_TEST(code_of(stranger->backup(good)) == "invalid_argument");
  BOOST_TEST(code_of(verify_backup(good)) == "ok");
}

BOOST_AUTO_TEST_CASE(a_mode_that_cannot_be_backed_up_is_told) {
  work(*database, history, 5);
  database.reopen(Options{.mode = OpenMode::read_only});
  BOOST_TEST(code_of(database->backup(place)) == "unsupported");
  TemporaryDatabase bulk(Options{.mode = OpenMode::bulk_load});
  BOOST_TEST(code_of(bulk->backup(place)) == "conflict");
  BOOST_TEST(!fs::exists(place));
}

BOOST_AUTO_TEST_CASE(a_restoration_takes_no_place_that_is_used) {
  work(*database, history, 5);
  must(database->backup(place));
  fs::create_directory(restored);
  write_file(restored / "letter.txt", "mine");
  BOOST_TEST(code_of(restore_backup(place, restored)) == "invalid_argument");
  BOOST_TEST(code_of(restore_backup(place, database.path())) == "invalid_argument");
  BOOST_TEST(code_of(restore_backup(place, place)) == "invalid_argument");
  BOOST_TEST(code_of(restore_backup(directory.path(), restored)) == "not_found");
  BOOST_TEST(code_of(restore_backup(directory.path() / "none", restored)) == "not_found");
  fs::remove(restored / "letter.txt");
  // What a restoration left that was killed.
  fs::create_directories(directory.path() / "restored.restoring" / "store");
  write_file(directory.path() / "restored.restoring" / "store" / "000001.sst", "half");
  BOOST_TEST(restored_difference() == "");
  BOOST_TEST(!fs::exists(directory.path() / "restored.restoring"));
}

BOOST_AUTO_TEST_SUITE_END()
