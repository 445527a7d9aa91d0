// BACKUP TO and SHOW BACKUPS, and that no path of a statement leads out of Options::file_root.
#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <cairn/backup.hpp>
#include <cairn/statement.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <fstream>

using namespace cairn;
using namespace cairn::test;
using namespace std::string_literals;

namespace fs = std::filesystem;

namespace {

struct Fixture {
  TemporaryDirectory directory;
  fs::path top = fs::canonical(directory.path());
  fs::path root = top / "root";
  fs::path outside = top / "outside";
  TemporaryDatabase database{options()};

  Fixture() {
    fs::create_directory(outside);
    run_all(*database, {"CREATE (:P {name: 'Ada'})", "CREATE (:P {name: 'Bob'})"});
  }
  Options options() const {
    fs::create_directories(root / "a" / "b");
    return Options{.file_root = root};
  }
  std::string backed_up(const std::string& text, const Parameters& parameters = {}) {
    return result_of(*database, text, parameters);
  }
  std::string refused(const std::string& path) {
    const Error error = error_of(*database, "BACKUP TO $path", {{"path", path}});
    return std::string(to_string(error.code));
  }
  /// Every file and link in the temporary directory, with its size.
  std::vector<std::string> everything() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(top))
      names.push_back(entry.path().string());
    std::ranges::sort(names);
    return names;
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(backup_statement, Fixture)

BOOST_AUTO_TEST_CASE(a_statement_writes_a_backup_and_says_what_it_holds) {
  const auto rows =
      rows_of(*database, "BACKUP TO 'monday' YIELD commit, files RETURN commit, files > 3");
  BOOST_TEST(rows == std::vector<std::string>{"2 | true"}, boost::test_tools::per_element());
  BOOST_TEST(must(verify_backup(root / "monday")).commit == 2U);
  must(restore_backup(root / "monday", top / "restored"));
  Database restored = must(Database::open(top / "restored"));
  BOOST_TEST(result_of(restored, "MATCH (p:P) RETURN count(p)") == "2");
}

BOOST_AUTO_TEST_CASE(a_backup_alone_gives_one_row_with_all_columns) {
  const Statement statement = must(Statement::parse("BACKUP TO $path;"));
  Rows rows = must(statement.run(*database, {{"path", "a/b/tuesday"}}));
  const std::vector<std::string> columns = {"databaseId", "commit",      "madeAt",     "files",
                                            "bytes",      "linkedFiles", "copiedBytes"};
  BOOST_TEST(rows.columns() == columns, boost::test_tools::per_element());
  // Done before the first row is asked for.
  BOOST_TEST(verify_backup(root / "a" / "b" / "tuesday").has_value());
  BOOST_TEST(must(rows.all()).size() == 1U);
  BOOST_TEST(!statement.is_writing());
}

BOOST_AUTO_TEST_CASE(backups_are_listed_also_after_a_reopening) {
  backed_up("BACKUP TO 'one'");
  run_all(*database, {"CREATE (:P)"});
  backed_up("CALL db.backup('two')");
  database.reopen();
  const std::string one = (root / "one").string();
  const std::string two = (root / "two").string();
  BOOST_TEST(result_of(*database, "SHOW BACKUPS YIELD path, commit RETURN path, commit") ==
             "'" + two + "' | 3; '" + one + "' | 2");
  BOOST_TEST(result_of(*database, "SHOW BACKUPS WHERE commit = 2 RETURN path") == "'" + one + "'");
  BOOST_TEST(
      result_of(*database,
                "SHOW BACKUPS YIELD madeAt RETURN all(x IN collect(madeAt) WHERE x <= datetime() "
                "AND x > datetime() - duration('PT1H'))") == "true");
}

BOOST_AUTO_TEST_CASE(no_path_leads_out_of_the_root) {
  fs::create_directory(top / "root-sibling");
  fs::create_directory_symlink(outside, root / "out");
  fs::create_directory_symlink("../..", root / "a" / "up");
  fs::create_directory_symlink("b", root / "a" / "inside");
  fs::create_directory_symlink("/", root / "all");
  fs::create_directory_symlink("/proc/self/cwd", root / "cwd");
  fs::create_symlink("nowhere", root / "dangling");
  fs::create_symlink("loop", root / "loop");
  std::ofstream(root / "file") << "mine";
  const auto before = everything();
  const std::vector<std::string> paths = {"",
                                          ".",
                                          "/",
                                          "..",
                                          "../outside",
                                          "../outside/b",
                                          "../root-sibling/b",
                                          "../root/b",
                                          "a/../../outside/b",
                                          "a/b/../../../outside/b",
                                          "a/../b",
                                          "./../outside/b",
                                          "//tmp/b",
                                          "/tmp/b",
                                          (outside / "b").string(),
                                          (root / "b").string(),
                                          "out",
                                          "out/b",
                                          "out/",
                                          "a/up/outside/b",
                                          "a/inside/b",
                                          "all/tmp/b",
                                          "cwd/b",
                                          "dangling",
                                          "dangling/b",
                                          "loop",
                                          "loop/b",
                                          "file/b",
                                          "b\0/../../outside"s,
                                          "..\0"s};
  for (const std::string& path : paths) BOOST_TEST(refused(path) == "invalid_argument", path);
  BOOST_TEST(refused("none/b") == "not_found");
  BOOST_TEST(refused("a") == "invalid_argument");     // has a directory in it
  BOOST_TEST(refused("file") == "invalid_argument");  // a file
  BOOST_TEST(refused(std::string(300, 'x')) == "io_error");
  BOOST_TEST(everything() == before, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(without_a_root_the_error_names_the_option) {
  database.reopen(Options{});
  const Error error = error_of(*database, "BACKUP TO 'monday'");
  BOOST_TEST((error.code == ErrorCode::unsupported));
  BOOST_TEST(error.message.find("Options::file_root") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_statement_that_may_use_no_files_is_refused) {
  const Error error =
      error_of(*database, "BACKUP TO 'monday'", {}, StatementOptions{.use_files = false});
  BOOST_TEST((error.code == ErrorCode::unsupported));
  BOOST_TEST(error.message.find("use_files") != std::string::npos);
  BOOST_TEST(!fs::exists(root / "monday"));
}

BOOST_AUTO_TEST_CASE(a_backup_runs_neither_in_a_transaction_nor_on_a_snapshot) {
  const Statement statement = must(Statement::parse("BACKUP TO 'monday'"));
  const auto code_of = [](Result<Rows> rows) {
    if (!rows) return rows.error().code;
    const auto all = rows->all();
    return all ? ErrorCode{} : all.error().code;
  };
  Transaction transaction = must(database->begin());
  BOOST_TEST((code_of(statement.run(transaction)) == ErrorCode::unsupported));
  // In the same thread, which has the turn: the database itself waits for nobody.
  BOOST_TEST((code_of(statement.run(*database)) == ErrorCode{}));
  must(transaction.commit());
  BOOST_TEST((code_of(statement.run(must(database->snapshot()))) == ErrorCode::unsupported));
}

BOOST_AUTO_TEST_CASE(what_is_no_path_is_told_and_an_explanation_writes_nothing) {
  BOOST_TEST((error_of(*database, "BACKUP TO 1").code == ErrorCode::type_error));
  BOOST_TEST((error_of(*database, "BACKUP TO null").code == ErrorCode::type_error));
  BOOST_TEST((error_of(*database, "BACKUP 'monday'").code == ErrorCode::parse_error));
  BOOST_TEST((error_of(*database, "BACKUP TO").code == ErrorCode::parse_error));
  BOOST_TEST(plan_of(*database, "EXPLAIN BACKUP TO 'monday'").find("db.backup") !=
             std::string::npos);
  BOOST_TEST(!fs::exists(root / "monday"));
  // The words are no reserved ones.
  BOOST_TEST(result_of(*database, "WITH 1 AS backup, 2 AS to RETURN backup + to") == "3");
}

BOOST_AUTO_TEST_SUITE_END()
