// What .dump writes, .import reads back to an equal database.

#include "tests/support/rounds.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/tools/random_database.hpp"
#include "tools/shell/session.hpp"

#include <cairn/transfer.hpp>

#include <sstream>

using namespace cairn;
using namespace cairn::test;
using namespace cairn::tools;

namespace {

/// A session on a database, and what it prints.
struct Shell {
  explicit Shell(Database& opened) : database(opened) {}

  std::string run(const std::string& line) {
    out.str("");
    BOOST_TEST(session.run_all(line), err.str());
    return out.str();
  }

  Database& database;
  std::ostringstream out;
  std::ostringstream err;
  Session session{database, {}, {}, out, err};
};

std::string indexes_of(Database& database) {
  return must(index_statements(must(database.snapshot())));
}

// Without gaps among its ids, a copy has the same ones.
void expect_equal_copy(std::uint64_t seed) {
  const test::TemporaryDirectory temporary;
  RandomDatabase original(temporary.path() / "db", seed);
  original.fill(true);
  const std::string file = (temporary.path() / "dump.jsonl").string();
  Shell shell(original.database);
  const std::string lines = shell.run(".dump");
  const std::string indexes = indexes_of(original.database);
  shell.run(".dump " + file);
  Database copy = must(Database::open(temporary.path() / "copy"));
  Shell copied(copy);
  copied.run(".import " + file);
  BOOST_TEST((copied.run(".dump") == lines));
  BOOST_TEST(indexes_of(copy) == indexes);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(dump)

BOOST_AUTO_TEST_CASE(an_import_of_a_dump_is_the_same_database) {
  for (std::size_t round = 0; round < test::rounds(8, 300); ++round) {
    const std::uint64_t seed = test::test_seed() + round;
    BOOST_TEST_CONTEXT("CAIRN_TEST_SEED=" << seed) { expect_equal_copy(seed); }
  }
}

BOOST_AUTO_TEST_CASE(opening_fails_or_changes_the_database) {
  const test::TemporaryDirectory temporary;
  Database database = must(Database::open(temporary.path() / "db"));
  static_cast<void>(must(Database::open(temporary.path() / "other")).close());
  Shell shell(database);
  shell.run("CREATE (:P);");
  BOOST_TEST(!shell.session.run_all(".open " + (temporary.path() / "none").string()));
  BOOST_TEST(shell.err.str().find("there is no database") != std::string::npos);
  BOOST_TEST(!std::filesystem::exists(temporary.path() / "none"));
  shell.run(".format jsonl");
  BOOST_TEST(shell.run("MATCH (n) RETURN count(*) AS n;") == "{\"n\":1}\n");
  shell.run(".open " + (temporary.path() / "other").string());
  BOOST_TEST(shell.run("MATCH (n) RETURN count(*) AS n;") == "{\"n\":0}\n");
  shell.run(".open " + (temporary.path() / "db").string());  // which was closed
  BOOST_TEST(shell.run("MATCH (n) RETURN count(*) AS n;") == "{\"n\":1}\n");
  shell.session.run_all("");
}

BOOST_AUTO_TEST_SUITE_END()
