// A child process that was forked while the database was open. Calls that would wait for the parent's threads return an
// error, closing does nothing, and the parent continues.

#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <boost/test/unit_test.hpp>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <optional>

using namespace cairn;
using test::must;

namespace {

/// Runs it in a forked child, which a hang ends. Whether it returned true.
bool in_child(const std::function<bool()>& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(20);
    ::_exit(work() ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  BOOST_TEST(WIFEXITED(status), "the child was ended by signal " << WTERMSIG(status));
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

template <class T>
bool is_told(const Result<T>& result) {
  return !result && result.error().code == ErrorCode::unsupported &&
         result.error().message.find("fork()") != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(forked_child)

BOOST_AUTO_TEST_CASE(every_call_that_would_write_or_wait_says_why) {
  const test::TemporaryDirectory directory;
  Database database = must(Database::open(directory.path() / "db"));
  test::run_all(database, {"CREATE FULLTEXT INDEX t FOR (n:N) ON EACH [n.text]",
                           "CREATE (:N {text: 'before'})"});
  Transaction open = must(database.begin());
  must(open.create_node({{"N"}, {{"text", "parent's"}}, ""}));
  BOOST_TEST(in_child([&] { return is_told(database.checkpoint()); }));
  BOOST_TEST(in_child([&] { return is_told(database.begin()); }));
  BOOST_TEST(in_child([&] { return is_told(database.begin(TransactionMode::read)); }));
  BOOST_TEST(in_child([&] { return is_told(database.snapshot()); }));
  BOOST_TEST(in_child([&] { return is_told(database.check()); }));
  BOOST_TEST(in_child([&] { return is_told(database.statistics()); }));
  BOOST_TEST(in_child([&] { return is_told(database.erase_expired()); }));
  BOOST_TEST(in_child([&] { return is_told(open.commit()); }));
  must(open.commit());
  BOOST_TEST(test::result_of(database, "MATCH (n:N) RETURN count(*)") == "2");
}

BOOST_AUTO_TEST_CASE(a_snapshot_of_before_can_be_read) {
  const test::TemporaryDirectory directory;
  Database database = must(Database::open(directory.path() / "db"));
  test::run_all(database, {"CREATE (:N)"});
  const Snapshot snapshot = must(database.snapshot());
  BOOST_TEST(in_child([&] { return must(snapshot.labels()).size() == 1; }));
}

BOOST_AUTO_TEST_CASE(closing_it_does_nothing_to_the_parents) {
  const test::TemporaryDirectory directory;
  std::optional<Database> database = must(Database::open(directory.path() / "db"));
  test::run_all(*database, {"CREATE (:N)"});
  std::optional<Transaction> open = must(database->begin());
  std::optional<Snapshot> snapshot = must(database->snapshot());
  BOOST_TEST(in_child([&] {
    open.reset();
    snapshot.reset();
    const bool closed = database->close().has_value();
    database.reset();
    return closed;
  }));
  must(open->commit());
  test::run_all(*database, {"CREATE (:N)"});
  const auto second = Database::open(directory.path() / "db");
  BOOST_REQUIRE(!second);  // the child has not unlocked it
  BOOST_TEST((second.error().code == ErrorCode::busy));
  snapshot.reset();
  open.reset();
  must(database->close());
  database.emplace(must(Database::open(directory.path() / "db")));
  BOOST_TEST(test::result_of(*database, "MATCH (n:N) RETURN count(*)") == "2");
  BOOST_TEST(must(database->check()).empty());
}

BOOST_AUTO_TEST_CASE(a_child_that_lives_on_does_not_hold_the_lock) {
  const test::TemporaryDirectory directory;
  Database database = must(Database::open(directory.path() / "db"));
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(60);
    ::pause();
  }
  must(database.close());
  BOOST_TEST(Database::open(directory.path() / "db").has_value());
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
}

BOOST_AUTO_TEST_SUITE_END()
