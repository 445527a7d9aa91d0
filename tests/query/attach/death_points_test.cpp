// A host dies at a named point of its work: no call of an attached process fails, and each write is there once.

#include "tests/query/attach/attached_fixture.hpp"

#include <boost/test/unit_test.hpp>
#include <sys/wait.h>

#include <array>
#include <chrono>
#include <csignal>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace cairn::test {
namespace {

constexpr int writes = 60;

Options sharing() {
  Options options;
  options.share = Share::automatic;
  return options;
}

/// Single statements, some of which return rows, and transactions of a function. Returns the first failure.
std::string write_all(Database& database) {
  for (int number = 1; number <= writes; ++number) {
    const Parameters parameters{{"number", number}};
    const auto by_function = [&](Transaction& transaction) -> Status {
      CAIRN_TRY(transaction.create_node({{"A"}, parameters}));
      return {};
    };
    std::string outcome;
    if (number % 3 == 0)
      outcome = outcome_text(database.write(by_function));
    else
      outcome = outcome_text(execute(
          database, "CREATE (n:A {number: $number}) RETURN n.number AS number", parameters));
    if (outcome != "success") return std::to_string(number) + ": " + outcome;
  }
  return "";
}

void check_each_write_is_there_once(Database& database) {
  Rows rows = must(execute(
      database, "MATCH (n:A) RETURN n.number AS number, count(*) AS times ORDER BY number"));
  const auto all = must(rows.all());
  BOOST_TEST_REQUIRE(all.size() == static_cast<std::size_t>(writes));
  for (int number = 1; number <= writes; ++number) {
    const auto& row = all[static_cast<std::size_t>(number - 1)];
    BOOST_TEST(row[0].as_integer() == number);
    BOOST_TEST(row[1].as_integer() == 1, number << " is there several times");
  }
  BOOST_TEST(must(database.check()).empty());
}

/// Whether a process has been killed within ten seconds. It stays a child of this one.
bool is_killed_soon(pid_t process) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (std::chrono::steady_clock::now() < end) {
    siginfo_t what{};
    if (::waitid(P_PID, static_cast<id_t>(process), &what, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        what.si_pid == process)
      return what.si_code == CLD_KILLED;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return false;
}

/// A statement that makes one thing, and the one that removes it.
struct Pair {
  const char* make;
  const char* remove;
  const char* name_space = "";
};

constexpr std::array pairs = {
    Pair{"CREATE INDEX i FOR (n:A) ON (n.p)", "DROP INDEX i"},
    Pair{"CREATE VECTOR INDEX v FOR (n:A) ON (n.v) OPTIONS {indexConfig: {`vector.dimensions`: 2}}",
         "DROP INDEX v"},
    Pair{"CREATE FULLTEXT INDEX t FOR (n:A) ON EACH [n.t]", "DROP INDEX t"},
    Pair{"CREATE CONSTRAINT u FOR (n:A) REQUIRE n.u IS UNIQUE", "DROP CONSTRAINT u"},
    Pair{"CREATE CONSTRAINT k FOR (n:A) REQUIRE (n.k) IS NODE KEY", "DROP CONSTRAINT k"},
    Pair{"CREATE CONSTRAINT n FOR (n:A) REQUIRE n.n IS NOT NULL", "DROP CONSTRAINT n"},
    Pair{"CREATE (:B)", "DROP NAMESPACE acme", "acme"},
};

/// The changes of a statement, all kinds together, or its error.
std::string changed(Database& database, const Pair& pair, const char* text) {
  StatementOptions options;
  options.name_space = pair.name_space;
  const auto rows = execute(database, text, {}, options);
  if (!rows) return text + (" " + outcome_text(rows));
  const Changes& changes = rows->changes();
  return std::to_string(changes.indexes_added + changes.indexes_removed +
                        changes.constraints_added + changes.constraints_removed +
                        changes.nodes_created + changes.nodes_deleted);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(death_points)

// The log is also written when a database is opened, so that the point comes soon.
BOOST_AUTO_TEST_CASE(a_host_that_dies_within_a_commit_loses_and_doubles_nothing) {
  for (const std::string point : {"before_write", "after_write", "before_answer"})
    for (const int count : {20, 21, 22}) {
      BOOST_TEST_CONTEXT(point << " " << count) {
        TemporaryDirectory directory;
        const auto path = directory.path() / "db";
        HostProcess host(path, {}, {"dies_at=" + point, "dies_after=" + std::to_string(count)});
        Database database = must(Database::open(path, sharing()));
        BOOST_TEST(!must(database.role()).is_host);
        BOOST_TEST(write_all(database) == "");
        BOOST_TEST(is_killed_soon(host.id()));
        BOOST_TEST(must(database.role()).is_host);
        check_each_write_is_there_once(database);
      }
    }
}

// The answer is lost, and the next host gets the same call.
BOOST_AUTO_TEST_CASE(a_token_is_made_and_revoked_once_whatever_becomes_of_the_host) {
  for (const int count : {20, 21, 22, 23}) {
    BOOST_TEST_CONTEXT(count) {
      TemporaryDirectory directory;
      const auto path = directory.path() / "db";
      HostProcess host(path, {}, {"dies_at=before_answer", "dies_after=" + std::to_string(count)});
      Database database = must(Database::open(path, sharing()));
      for (int i = 0; i < 20; ++i) {
        const auto secret = create_token(database, {.name = "agent"});
        BOOST_TEST_REQUIRE(outcome_text(secret) == "success");
        const auto found = must(find_token(database, *secret));
        BOOST_TEST((found && found->name == "agent"));
        BOOST_TEST(must(revoke_token(database, "agent")));
        BOOST_TEST(must(list_tokens(database)).empty());
      }
      BOOST_TEST(is_killed_soon(host.id()));
      BOOST_TEST(!must(revoke_token(database, "agent")));
    }
  }
}

// The host has the call and ends, so that the next one gets it again. It must not take the first round for the one that
// removed it.
BOOST_AUTO_TEST_CASE(what_never_existed_is_not_removed_whatever_becomes_of_the_host) {
  const auto outcome = [](const std::function<std::string(Database&)>& remove) {
    AttachedFixture fixture;
    fixture.host->signal(SIGSTOP);
    std::string removed;
    {
      const std::jthread calling([&] { removed = remove(fixture.database); });
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
      fixture.host->kill();
    }
    return removed;
  };
  BOOST_TEST(outcome([](Database& database) {
               const auto was_there = revoke_token(database, "nobody");
               return was_there ? std::string(*was_there ? "revoked" : "absent")
                                : outcome_text(was_there);
             }) == "absent");
  BOOST_TEST(outcome([](Database& database) {
               return outcome_text(drop_name_space(database, "acme"));
             }).starts_with("not_found"));
}

BOOST_AUTO_TEST_CASE(a_namespace_is_dropped_once_whatever_becomes_of_the_host) {
  for (const int count : {20, 21}) {
    BOOST_TEST_CONTEXT(count) {
      TemporaryDirectory directory;
      const auto path = directory.path() / "db";
      HostProcess host(path, {}, {"dies_at=before_answer", "dies_after=" + std::to_string(count)});
      Database database = must(Database::open(path, sharing()));
      StatementOptions options;
      options.name_space = "acme";
      for (int i = 0; i < 20; ++i) {
        must(execute(database, "CREATE (:A)", {}, options));
        BOOST_TEST(outcome_text(drop_name_space(database, "acme")) == "success");
      }
      BOOST_TEST(is_killed_soon(host.id()));
      BOOST_TEST((drop_name_space(database, "acme").error().code == ErrorCode::not_found));
    }
  }
}

// A batch that was committed is not run again, and the error says how many there are.
BOOST_AUTO_TEST_CASE(a_call_in_transactions_commits_no_batch_twice_whatever_becomes_of_the_host) {
  constexpr int rows = 20;
  int interrupted = 0, completed = 0;
  for (const std::string point : {"before_write", "before_answer"})
    for (int count = 12; count < 40; count += 3) {
      BOOST_TEST_CONTEXT(point << " " << count) {
        TemporaryDirectory directory;
        const auto path = directory.path() / "db";
        HostProcess host(path, {}, {"dies_at=" + point, "dies_after=" + std::to_string(count)});
        Database database = must(Database::open(path, sharing()));
        const std::string outcome =
            outcome_text(execute(database,
                                 "UNWIND range(1, 20) AS i CALL (i) { CREATE (:A {number: i}) } IN "
                                 "TRANSACTIONS OF 1 ROW"));
        Rows found = must(execute(database,
                                  "MATCH (n:A) RETURN count(n) AS made, count(DISTINCT n.number) "
                                  "AS numbers, max(n.number) AS last"));
        const Row row = *must(found.next());
        const std::int64_t made = row["made"].as_integer();
        BOOST_TEST(row["numbers"].as_integer() == made);
        BOOST_TEST(row["last"].as_integer() == made);
        if (outcome == "success") {
          ++completed;
          BOOST_TEST(made == rows);
        } else {
          ++interrupted;
          BOOST_TEST(outcome.starts_with("conflict: the answer was lost, because the host or the "
                                         "connection ended while the statement ran: " +
                                         std::to_string(made) + " row"),
                     outcome);
        }
        BOOST_TEST(must(database.check()).empty());
      }
    }
  BOOST_TEST(interrupted > 0);
  BOOST_TEST(completed > 0);
}

// It would meet its own first run: what it makes is there already, what it removes is gone.
BOOST_AUTO_TEST_CASE(a_statement_about_the_schema_is_executed_once_whatever_becomes_of_the_host) {
  constexpr int first_count = 20, commits = 2 * static_cast<int>(pairs.size());
  for (int count = first_count; count < first_count + commits; ++count) {
    BOOST_TEST_CONTEXT(count) {
      TemporaryDirectory directory;
      const auto path = directory.path() / "db";
      HostProcess host(path, {}, {"dies_at=before_answer", "dies_after=" + std::to_string(count)});
      Database database = must(Database::open(path, sharing()));
      for (int round = 0; round < 4; ++round)
        for (const Pair& pair : pairs) {
          BOOST_TEST(changed(database, pair, pair.make) == "1");
          BOOST_TEST(changed(database, pair, pair.remove) == "1");
        }
      BOOST_TEST(is_killed_soon(host.id()));
      BOOST_TEST(must(database.check()).empty());
    }
  }
}

// It has the lock, and the others wait for it.
BOOST_AUTO_TEST_CASE(a_host_that_dies_while_it_takes_over_is_followed_by_another) {
  for (const std::string point : {"binding", "naming"}) {
    BOOST_TEST_CONTEXT(point) {
      TemporaryDirectory directory;
      const auto path = directory.path() / "db";
      HostProcess host(path);
      HostProcess next(path, {}, {"prefers_to_host=1", "dies_at=" + point});
      BOOST_TEST(next.role() == "attached");
      Database database = must(Database::open(path, sharing()));
      must(execute(database, "CREATE (:B)"));
      host.kill();
      BOOST_TEST(is_killed_soon(next.id()));
      BOOST_TEST(write_all(database) == "");
      BOOST_TEST(must(database.role()).is_host);
      check_each_write_is_there_once(database);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_host_that_dies_while_it_hands_over_is_followed_by_another) {
  TemporaryDirectory directory;
  const auto path = directory.path() / "db";
  HostProcess host(path, {}, {"dies_at=handing_over"});
  Database database = must(Database::open(path, sharing()));
  must(execute(database, "CREATE (:B)"));
  BOOST_TEST(host.end() == -1);
  BOOST_TEST(write_all(database) == "");
  check_each_write_is_there_once(database);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
