// A host that closes in order: calls of attached processes that it has begun end there, or run again at the next host.

#include "tests/query/attach/attached_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>
#include <thread>

namespace cairn::test {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds moment{200};

/// A statement that computes for about a second.
class LongStatement {
 public:
  explicit LongStatement(Database& database) {
    milliseconds time{0};
    for (rounds_ = 100; time < milliseconds(100); rounds_ *= 2) {
      const auto begin = Clock::now();
      must(execute(database, text() + "RETURN sum", {{"rounds", rounds_}}));
      time = std::chrono::duration_cast<milliseconds>(Clock::now() - begin);
    }
    rounds_ = rounds_ / 2 * 1'000 / time.count();
  }

  /// Runs it, followed by `end`, in which `sum` is a number.
  [[nodiscard]] std::string outcome(Database& database, const std::string& end) const {
    return outcome_text(execute(database, text() + end, {{"rounds", rounds_}}));
  }

 private:
  static std::string text() {
    return "UNWIND range(1, 1000) AS i UNWIND range(1, $rounds) AS j WITH sum(i * j % 7) AS sum ";
  }

  std::int64_t rounds_ = 0;
};

Options only_attached(milliseconds attach_timeout) {
  Options options;
  options.share = Share::attach_only;
  options.attach_timeout = attach_timeout;
  return options;
}

/// A host, and a process that cannot take its place.
struct ClosingFixture {
  explicit ClosingFixture(const Options& options = {})
      : host(directory.path() / "db", options),
        database(must(Database::open(directory.path() / "db", only_attached(milliseconds(100))))) {}

  TemporaryDirectory directory;
  HostProcess host;
  Database database;
};

/// Closes the host in a moment. Returns how long that took.
milliseconds close_soon(HostProcess& host) {
  std::this_thread::sleep_for(moment);
  const auto begin = Clock::now();
  BOOST_TEST(host.end() == 0);
  return std::chrono::duration_cast<milliseconds>(Clock::now() - begin);
}

std::int64_t count(Database& database, const std::string& pattern) {
  Rows rows = must(execute(database, "MATCH " + pattern + " RETURN count(*)"));
  return (*must(rows.next()))[0].as_integer();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(closing_host)

BOOST_AUTO_TEST_CASE(a_statement_that_has_begun_ends_before_its_host) {
  for (const char* const end : {"RETURN sum", "CREATE (:A {sum: sum})"}) {
    ClosingFixture fixture;
    const LongStatement statement(fixture.database);
    std::string outcome;
    std::thread caller([&] { outcome = statement.outcome(fixture.database, end); });
    close_soon(fixture.host);
    caller.join();
    BOOST_TEST(outcome == "success", end << ": " << outcome);
  }
}

// The client asks for more as soon as it has read what came.
BOOST_AUTO_TEST_CASE(rows_that_are_being_read_are_read_to_their_end) {
  ClosingFixture fixture;
  Rows rows = must(execute(fixture.database, "UNWIND range(1, 100000) AS i RETURN i"));
  must(rows.next());
  std::thread closer([&] { close_soon(fixture.host); });
  std::int64_t read = 1;
  std::string failure;
  for (bool is_open = true; is_open; ++read) {
    if (read % 1'000 == 0) std::this_thread::sleep_for(milliseconds(5));
    const auto row = rows.next();
    if (!row) failure = row.error().message;
    is_open = row && *row;
  }
  closer.join();
  BOOST_TEST(failure == "");
  BOOST_TEST(read == 100'001);
}

BOOST_AUTO_TEST_CASE(a_transaction_that_is_being_written_is_committed) {
  ClosingFixture fixture;
  Transaction transaction = must(fixture.database.begin());
  std::thread closer([&] { close_soon(fixture.host); });
  std::string failure;
  for (int i = 0; i < 50 && failure.empty(); ++i) {
    const auto made = transaction.create_node({{"A"}});
    if (!made) failure = made.error().message;
    std::this_thread::sleep_for(milliseconds(10));
  }
  BOOST_TEST(failure == "");
  BOOST_TEST(outcome_text(transaction.commit()) == "success");
  closer.join();
  Database database = must(Database::open(fixture.directory.path() / "db"));
  BOOST_TEST(count(database, "(n:A)") == 50);
}

BOOST_AUTO_TEST_CASE(what_is_idle_keeps_no_host_open) {
  AttachedFixture fixture;
  const Snapshot snapshot = must(fixture.database.snapshot());
  Transaction transaction = must(fixture.database.begin());
  BOOST_TEST(close_soon(*fixture.host).count() < 1'800);
  BOOST_TEST(outcome_text(snapshot.labels()).starts_with("conflict: "));
  BOOST_TEST(outcome_text(transaction.commit()).starts_with("conflict: "));
}

// The host gives a twentieth of a second.
BOOST_AUTO_TEST_CASE(a_statement_that_takes_too_long_for_its_host_runs_at_the_next_one) {
  Options hurried;
  hurried.attach_timeout = milliseconds(100);
  for (const char* const end : {"RETURN sum", "CREATE (:A {sum: sum})"}) {
    AttachedFixture fixture(hurried);
    const LongStatement statement(fixture.database);
    std::string outcome;
    std::thread caller([&] { outcome = statement.outcome(fixture.database, end); });
    BOOST_TEST(close_soon(*fixture.host).count() < 700);
    caller.join();
    BOOST_TEST(outcome == "success", end << ": " << outcome);
    BOOST_TEST(must(fixture.database.role()).is_host);
    BOOST_TEST(fixture.count() == (std::string(end).starts_with("CREATE") ? 1 : 0));
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
