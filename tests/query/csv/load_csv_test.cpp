// LOAD CSV: rows of a file beneath Options::file_root, and nothing of any other.

#include "tests/support/temporary_directory.hpp"

#include <cairn/statement.hpp>

#include <boost/test/unit_test.hpp>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace cairn {
namespace {

namespace fs = std::filesystem;

Options with_root(const fs::path& root) {
  Options options;
  options.file_root = root;
  return options;
}

struct Files {
  Files() {
    write("people.csv", "name,born\nAda,1815\nBob,\n\"Cleo\"\"\",\"\"\n");
    write("semicolons.csv", "a;b\r\n1;\"2\n3\"\r\n");
  }

  void write(const std::string& name, std::string_view text) const {
    std::ofstream(root / name, std::ios::binary) << text;
  }

  static std::string text_of(Result<Rows> rows) {
    if (!rows) return rows.error().message;
    const auto all = rows->all();
    if (!all) return all.error().message;
    std::string text;
    for (const auto& row : *all) {
      for (const Value& value : row) text += value.to_text() + " ";
      text += "\n";
    }
    return text;
  }

  std::string run(std::string_view text, const Parameters& parameters = {},
                  const StatementOptions& options = {}) {
    return text_of(execute(database, text, parameters, options));
  }

  test::TemporaryDirectory temporary;
  fs::path root = [this] {
    fs::create_directory(temporary.path() / "files");
    return temporary.path() / "files";
  }();
  Database database = Database::open(temporary.path() / "db", with_root(root)).value();
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(load_csv, Files)

BOOST_AUTO_TEST_CASE(records_are_maps_or_lists_of_texts) {
  BOOST_TEST(
      run("LOAD CSV WITH HEADERS FROM 'people.csv' AS row RETURN row") ==
      "{born: '1815', name: 'Ada'} \n{born: null, name: 'Bob'} \n{born: '', name: 'Cleo\"'} \n");
  BOOST_TEST(run("LOAD CSV FROM $file AS row RETURN row[0], size(row)",
                 {{"file", "file:///people.csv"}}) ==
             "'name' 2 \n'Ada' 2 \n'Bob' 2 \n'Cleo\"' 2 \n");
  BOOST_TEST(run("LOAD CSV FROM 'semicolons.csv' AS row FIELDTERMINATOR ';' RETURN row") ==
             "['a', 'b'] \n['1', '2\\n3'] \n");
  BOOST_TEST(run("UNWIND ['people.csv', 'semicolons.csv'] AS file LOAD CSV FROM file AS row "
                 "RETURN file, count(*) ORDER BY file") ==
             "'people.csv' 4 \n'semicolons.csv' 3 \n");
}

BOOST_AUTO_TEST_CASE(rows_become_nodes_within_a_statement_and_a_transaction) {
  run("LOAD CSV WITH HEADERS FROM 'people.csv' AS row "
      "CREATE (:P {name: row.name, born: toInteger(row.born)})");
  BOOST_TEST(run("MATCH (p:P) WHERE p.born = 1815 RETURN p.name") == "'Ada' \n");
  Transaction transaction = database.begin().value();
  const auto statement =
      Statement::parse("LOAD CSV FROM 'people.csv' AS row CREATE (:Q) RETURN count(*)").value();
  BOOST_TEST(text_of(statement.run(transaction)) == "4 \n");
}

BOOST_AUTO_TEST_CASE(a_word_of_it_may_be_a_name) {
  BOOST_TEST(run("WITH 1 AS load, 2 AS csv, 3 AS headers, 4 AS from RETURN load + csv + headers") ==
             "6 \n");
}

BOOST_AUTO_TEST_CASE(only_files_beneath_the_root_are_read) {
  write("../secret.csv", "x\n");
  fs::create_symlink(temporary.path() / "secret.csv", root / "link.csv");
  fs::create_directory_symlink(temporary.path(), root / "out");
  fs::create_directory(root / "inside");
  write("inside/in.csv", "inner\n");
  ::mkfifo((root / "fifo.csv").c_str(), 0600);
  const auto load = [&](const std::string& path) {
    return run("LOAD CSV FROM $path AS row RETURN row[0]", {{"path", path}});
  };
  BOOST_TEST(load("inside/in.csv") == "'inner' \n");
  BOOST_TEST(load("./inside//in.csv") == "'inner' \n");
  for (const std::string& path :
       {std::string("../secret.csv"), std::string("inside/../../secret.csv"),
        std::string("link.csv"), std::string("out/secret.csv"),
        (temporary.path() / "secret.csv").string(), std::string(),
        std::string("file:////") + (temporary.path() / "secret.csv").string(),
        std::string("inside"), std::string("fifo.csv"), std::string("people.csv\0x", 12)})
    BOOST_TEST(load(path).find("'x'") == std::string::npos, path << ": " << load(path));
  BOOST_TEST(load("../secret.csv").find("Options::file_root") != std::string::npos);
  BOOST_TEST(load("none.csv").find("none.csv") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(without_a_root_or_leave_no_file_is_read) {
  StatementOptions options;
  options.use_files = false;
  BOOST_TEST(run("LOAD CSV FROM 'people.csv' AS row RETURN row", {}, options).find("use_files") !=
             std::string::npos);
  Database rootless = Database::open(temporary.path() / "rootless").value();
  const auto refused = execute(rootless, "LOAD CSV FROM 'people.csv' AS row RETURN row");
  BOOST_TEST(text_of(execute(rootless, "LOAD CSV FROM 'people.csv' AS row RETURN row"))
                 .find("Options::file_root is not set") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_wrong_file_is_named_with_its_line) {
  write("broken.csv", "a,b\n1,2\n3,\"4\n");
  BOOST_TEST(run("LOAD CSV FROM 'broken.csv' AS row RETURN row")
                 .find("broken.csv, line 3: a quote is opened and never closed") !=
             std::string::npos);
  write("twice.csv", "a,a\n1,2\n");
  BOOST_TEST(run("LOAD CSV WITH HEADERS FROM 'twice.csv' AS row RETURN row")
                 .find("twice.csv, line 1: two columns are named 'a'") != std::string::npos);
  BOOST_TEST(run("LOAD CSV FROM 1 AS row RETURN row").find("path of a file") != std::string::npos);
  BOOST_TEST(run("LOAD CSV FROM 'people.csv' AS row FIELDTERMINATOR '::' RETURN row")
                 .find("FIELDTERMINATOR") != std::string::npos);
}

/// A file that takes long, of which little may be held.
struct LongFile : Files {
  LongFile() {
    std::ofstream stream(root / "long.csv", std::ios::binary);
    std::string line(1'000, 'x');
    line += '\n';
    for (int i = 0; i < 40'000; ++i) stream << line;
  }
};

BOOST_FIXTURE_TEST_CASE(a_file_is_read_as_its_rows_are_asked_for, LongFile) {
  StatementOptions options;
  options.memory_bytes = std::size_t{8} << 20;  // the file has five times as much
  BOOST_TEST(run("LOAD CSV FROM 'long.csv' AS row RETURN count(*)", {}, options) == "40000 \n");
  write("open.csv", "\"" + std::string(std::size_t{9} << 20, 'x'));
  BOOST_TEST(run("LOAD CSV FROM 'open.csv' AS row RETURN 1", {}, options).find("more than 8 MiB") !=
             std::string::npos);
  Rows rows =
      execute(database, "LOAD CSV FROM 'long.csv' AS row RETURN row[0]", {}, options).value();
  BOOST_TEST(rows.next().value().has_value());
  std::ofstream(root / "long.csv", std::ios::trunc) << "";  // most of it was not read yet
  std::size_t count = 1;
  while (rows.next().value()) ++count;
  BOOST_TEST(count < 40'000U);
}

BOOST_FIXTURE_TEST_CASE(loading_stops_when_it_is_told_to, LongFile) {
  StatementOptions options;
  std::stop_source source;
  options.cancel = source.get_token();
  Rows rows =
      execute(database, "LOAD CSV FROM 'long.csv' AS row RETURN row[0]", {}, options).value();
  BOOST_TEST(rows.next().value().has_value());
  source.request_stop();
  auto next = rows.next();
  while (next && *next) next = rows.next();
  BOOST_TEST(!next);
  StatementOptions hurried;
  hurried.timeout = std::chrono::milliseconds(0);
  BOOST_TEST(run("LOAD CSV FROM 'long.csv' AS row RETURN count(*)", {}, hurried).find("timeout") !=
             std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn
