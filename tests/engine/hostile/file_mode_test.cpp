// Whatever the umask of the process is, only the owner can access the files of a database, and no file is created
// outside of its directory.

#include "tests/engine/hostile/sample_database.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <cairn/backup.hpp>

#include <boost/test/unit_test.hpp>
#include <sys/stat.h>

#include <set>

using namespace cairn;
using test::must;

namespace fs = std::filesystem;

namespace {

/// Every file may be made by everybody for everybody.
class NoUmask {
 public:
  NoUmask() : before_(::umask(0)) {}
  NoUmask(const NoUmask&) = delete;
  NoUmask& operator=(const NoUmask&) = delete;
  ~NoUmask() { ::umask(before_); }

 private:
  mode_t before_;
};

void expect_private(const fs::path& directory) {
  for (const auto& entry : fs::recursive_directory_iterator(directory)) {
    const fs::perms wanted = fs::perms::owner_read | fs::perms::owner_write |
                             (entry.is_directory() ? fs::perms::owner_exec : fs::perms::none);
    BOOST_TEST((entry.symlink_status().permissions() == wanted), entry.path());
  }
}

void expect_only(const fs::path& directory, const std::set<fs::path>& names) {
  std::set<fs::path> found;
  for (const auto& entry : fs::directory_iterator(directory)) found.insert(entry.path().filename());
  BOOST_TEST((found == names), directory);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(file_modes)

BOOST_AUTO_TEST_CASE(files_of_a_new_and_of_a_repaired_database_are_for_their_owner_alone) {
  const test::TemporaryDirectory directory;
  const fs::path path = directory.path() / "db";
  const NoUmask none;
  test::make_sample_database(path, 0, true);
  Options options = test::sample_options();
  options.repair = true;  // makes the vector file again, and writes every table
  Database database = must(Database::open(path, options));
  test::run_all(database, {test::sample_questions().front()});
  must(database.close());
  expect_private(directory.path());
  expect_only(directory.path(), {"db"});
  for (const char* name : {"vector", "segment"}) BOOST_TEST(!fs::is_empty(path / name));
}

BOOST_AUTO_TEST_CASE(backups_and_what_is_restored_from_them_are_for_their_owner_alone) {
  const test::TemporaryDirectory directory;
  const fs::path path = directory.path() / "db", backup = directory.path() / "backup";
  const NoUmask none;
  test::make_sample_database(path, 0, true);
  Database database = must(Database::open(path, test::sample_options()));
  must(database.backup(backup));
  test::run_all(database, {test::sample_questions().back()});
  must(database.backup(backup));  // once more over the last one
  must(restore_backup(backup, directory.path() / "restored"));
  expect_private(directory.path());
  expect_only(directory.path(), {"db", "backup", "restored"});
}

BOOST_AUTO_TEST_CASE(files_of_a_bulk_load_are_for_their_owner_alone) {
  const test::TemporaryDirectory directory;
  const fs::path path = directory.path() / "db";
  const NoUmask none;
  Options options = test::sample_options();
  options.mode = OpenMode::bulk_load;
  Database database = must(Database::open(path, options));
  test::run_all(database, {test::sample_questions().back()});
  BOOST_TEST(fs::exists(path / "BULK"));
  expect_private(directory.path());
  must(database.close());
  expect_private(directory.path());
  expect_only(directory.path(), {"db"});
}

BOOST_AUTO_TEST_SUITE_END()
