// Work that holds old data and runs nothing is listed as idle, and can be ended: snapshots, and transactions that have only
// read. A result that is computed and not read to its end holds none.

#include "engine/database/access.hpp"
#include "engine/database/core.hpp"
#include "tests/query/attach/attached_fixture.hpp"
#include "tests/query/bolt/bolt_client.hpp"
#include "tests/support/run_query.hpp"

#include <cairn/tokens.hpp>

#include <boost/test/unit_test.hpp>

#include <string>

namespace cairn::test {
namespace {

using query::bolt::Tag;

constexpr const char* terminated = "the transaction was terminated; begin it again";

/// Ids and states of what runs and of what is idle, but for the statement that asks.
struct Listing {
  explicit Listing(Database& listed, const StatementOptions& options = {})
      : database(listed), caller(options) {}

  /// As "Idle; Running", in order.
  [[nodiscard]] std::string states() const { return column("status", "status"); }
  /// Of the only one.
  [[nodiscard]] std::string idle_id() const {
    const std::string id = column("transactionId", "transactionId", "Idle");
    BOOST_TEST_REQUIRE((id != "" && id.find(';') == std::string::npos), id);
    return id;
  }
  void terminate_idle() const {
    const std::string id = idle_id();
    BOOST_TEST(result_of(database, "TERMINATE TRANSACTION '" + id + "'") != "");
  }

  Database& database;
  const StatementOptions caller;

 private:
  [[nodiscard]] std::string column(const std::string& name, const std::string& order,
                                   const std::string& status = "") const {
    Rows rows = must(execute(database,
                             "SHOW TRANSACTIONS YIELD transactionId, status, currentQuery WHERE "
                             "NOT currentQuery STARTS WITH 'SHOW' AND status STARTS WITH $status "
                             "RETURN " +
                                 name + " ORDER BY " + order,
                             {{"status", status}}, caller));
    std::string text;
    for (const auto& row : must(rows.all()))
      text += (text.empty() ? "" : "; ") + row[0].as_string();
    return text;
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(idle)

// Nobody could see who keeps old data from being erased otherwise.
BOOST_AUTO_TEST_CASE(an_idle_snapshot_is_listed_and_ended) {
  AttachedFixture fixture;
  const auto listed = [&](const std::string& status) {
    Rows rows = must(execute(fixture.database,
                             "SHOW TRANSACTIONS YIELD transactionId, status, currentQuery WHERE "
                             "status = $status AND NOT currentQuery STARTS WITH 'SHOW' "
                             "RETURN transactionId",
                             {{"status", status}}));
    return must(rows.all());
  };
  const Statement many = must(Statement::parse("UNWIND range(1, 100000) AS i RETURN i"));
  {
    const Snapshot snapshot = must(fixture.database.snapshot());
    BOOST_TEST(listed("Idle").size() == 1u);
    Rows rows = must(many.run(snapshot));
    BOOST_TEST(listed("Idle").empty());
    BOOST_TEST(listed("Running").size() == 1u);
    BOOST_TEST(must(rows.all()).size() == 100'000u);
    BOOST_TEST(listed("Idle").size() == 1u);
    BOOST_TEST(!must(Statement::parse("UNWIND [0] AS i RETURN 1 / i")).run(snapshot)->next());
    BOOST_TEST(listed("Idle").size() == 1u);
  }
  BOOST_TEST(listed("Idle").empty());
  const Snapshot ended = must(fixture.database.snapshot());
  Transaction reading = must(fixture.database.begin(TransactionMode::read));
  BOOST_TEST(listed("Idle").size() == 2u);
  for (const auto& row : listed("Idle"))
    BOOST_TEST(result_of(fixture.database, "TERMINATE TRANSACTION '" + row[0].as_string() + "'") !=
               "");
  BOOST_TEST(listed("Idle").empty());
  BOOST_TEST(listed("Terminated").size() == 2u);
  BOOST_TEST(outcome_text(ended.labels()) == std::string("cancelled: ") + terminated);
  BOOST_TEST(outcome_text(many.run(reading)) == std::string("cancelled: ") + terminated);
  BOOST_TEST(listed("Terminated").empty());
  BOOST_TEST(outcome_text(ended.labels()) == std::string("cancelled: ") + terminated);
  BOOST_TEST(outcome_text(many.run(reading)) == std::string("cancelled: ") + terminated);
  BOOST_TEST(outcome_text(reading.commit()) == std::string("cancelled: ") + terminated);
}

BOOST_FIXTURE_TEST_CASE(an_idle_transaction_of_a_driver_is_listed_and_ended, BoltFixture) {
  BoltClient driver = client();
  BOOST_TEST(driver.ask(Tag::begin, {Map()}).name() == "SUCCESS");
  BOOST_TEST(driver.result("RETURN 1") == "1");
  Rows rows = must(execute(*database,
                           "SHOW TRANSACTIONS YIELD transactionId, status, username "
                           "WHERE status = 'Idle' RETURN transactionId, username"));
  const auto idle = must(rows.all());
  BOOST_TEST_REQUIRE(idle.size() == 1u);
  BOOST_TEST(idle[0][1].as_string() == "all");
  BOOST_TEST(result_of(*database, "TERMINATE TRANSACTION '" + idle[0][0].as_string() + "'") != "");
  BOOST_TEST(driver.result("CREATE (:Lost)").ends_with(terminated));
  BOOST_TEST(driver.ask(Tag::reset).name() == "SUCCESS");
  BOOST_TEST(driver.result("MATCH (n) RETURN count(n)") == "0");
  // Also by a commit, though there is nothing to write.
  BOOST_TEST(driver.ask(Tag::begin, {Map()}).name() == "SUCCESS");
  Listing(*database).terminate_idle();
  BOOST_TEST(failure_text(driver.ask(Tag::commit)).ends_with(terminated));
}

BOOST_FIXTURE_TEST_CASE(idle_work_of_others_is_hidden_from_a_tenant, BoltFixture) {
  secret = token({"of a", Role::write, "a", {"a"}});
  BoltClient driver = client();
  BOOST_TEST(driver.ask(Tag::begin, {Map()}).name() == "SUCCESS");
  const auto tenant = [](const std::string& name) {
    StatementOptions options;
    options.name_space = name;
    options.listed_name_spaces = {{name}};
    return options;
  };
  BOOST_TEST(Listing(*database).states() == "Idle");
  BOOST_TEST(Listing(*database, tenant("a")).states() == "Idle");
  BOOST_TEST(Listing(*database, tenant("b")).states() == "");
}

/// A statement that gives so many rows, and then an error.
std::string failing_after(int rows) {
  return "UNWIND range(1, " + std::to_string(rows) +
         ") AS i RETURN i AS n UNION ALL UNWIND [0] AS i RETURN 10 / i AS n";
}

// The error is an outcome like the end, so that nothing runs any more.
BOOST_FIXTURE_TEST_CASE(a_transaction_is_idle_while_an_error_is_not_pulled, BoltFixture) {
  const Listing listing(*database);
  BoltClient driver = client();
  BOOST_TEST(driver.ask(Tag::begin, {Map()}).name() == "SUCCESS");
  driver.run(failing_after(1));
  BOOST_TEST(driver.pull(1) == "1");
  BOOST_TEST(listing.states() == "Idle");
  listing.terminate_idle();
  BOOST_TEST(driver.pull().ends_with(terminated));
  BOOST_TEST(listing.states() == "");
}

/// A result of three rows, two of which are sent and one is computed.
void leave_computed(BoltClient& driver, const Listing& listing) {
  driver.run("UNWIND range(1, 3) AS i RETURN i");
  BOOST_TEST(listing.states() == "Running");
  BOOST_TEST(driver.pull(2) == "1; 2");
  BOOST_TEST(listing.states() == "Running");
  // The first call may make one row alone, as the machine is slow.
  for (int call = 0; call < 2; ++call) driver.session().prepare([] { return false; });
}

BOOST_FIXTURE_TEST_CASE(a_transaction_is_idle_while_a_computed_result_is_not_pulled, BoltFixture) {
  const Listing listing(*database);
  BoltClient driver = client();
  BOOST_TEST(driver.ask(Tag::begin, {Map()}).name() == "SUCCESS");
  leave_computed(driver, listing);
  BOOST_TEST(listing.states() == "Idle");
  driver.run("UNWIND range(1, 3) AS i RETURN i");
  BOOST_TEST(listing.states() == "Running");
  BOOST_TEST(driver.pull() == "1; 2; 3");
  BOOST_TEST(listing.states() == "Idle");
  BOOST_TEST(driver.pull(-1, 0) == "3");
  BOOST_TEST(listing.states() == "Idle");
  leave_computed(driver, listing);
  listing.terminate_idle();
  BOOST_TEST(listing.states() == "Terminated");
  const std::string ended = driver.pull();
  BOOST_TEST(ended.ends_with(terminated), ended);
  BOOST_TEST(listing.states() == "");
  BOOST_TEST(driver.ask(Tag::reset).name() == "SUCCESS");
  BOOST_TEST(driver.result("RETURN 1") == "1");
}

// Whether there are more rows is looked at too.
BOOST_FIXTURE_TEST_CASE(a_transaction_is_idle_while_a_last_portion_that_is_full_is_not_pulled,
                        BoltFixture) {
  const Listing listing(*database);
  BoltClient driver = client();
  BOOST_TEST(driver.ask(Tag::begin, {Map()}).name() == "SUCCESS");
  driver.run("UNWIND range(1, 4) AS i RETURN i");
  BOOST_TEST(driver.pull(2) == "1; 2");
  for (int call = 0; call < 3; ++call) driver.session().prepare([] { return false; });
  BOOST_TEST(listing.states() == "Idle");
  BOOST_TEST(driver.pull() == "3; 4");
}

// The host would keep the rest of the result open, and the snapshot could not be ended.
BOOST_AUTO_TEST_CASE(a_snapshot_is_idle_after_a_result_was_cancelled) {
  AttachedFixture fixture;
  const Listing listing(fixture.database);
  const Statement many = must(Statement::parse("UNWIND range(1, 1000000) AS i RETURN i"));
  const Snapshot snapshot = must(fixture.database.snapshot());
  std::stop_source stop;
  StatementOptions options;
  options.cancel = stop.get_token();
  {
    Rows rows = must(many.run(snapshot, {}, options));
    for (int row = 0; row < 40; ++row) BOOST_TEST(must(rows.next()).has_value());
    stop.request_stop();
    auto row = rows.next();
    while (row && *row) row = rows.next();
    BOOST_TEST(!row.has_value());
  }
  BOOST_TEST(listing.states() == "Idle");
  listing.terminate_idle();
  BOOST_TEST(outcome_text(snapshot.labels()) == std::string("cancelled: ") + terminated);
}

// The register is not entered and left for each portion.
BOOST_FIXTURE_TEST_CASE(the_entry_of_an_idle_transaction_stays_while_rows_are_pulled, BoltFixture) {
  const Listing listing(*database);
  BoltClient driver = client();
  BOOST_TEST(driver.ask(Tag::begin, {Map()}).name() == "SUCCESS");
  leave_computed(driver, listing);
  const std::string id = listing.idle_id();
  BOOST_TEST(driver.pull() == "3");
  BOOST_TEST(listing.idle_id() == id);
}

// A transaction with the writer lock is listed as its writer alone.
BOOST_FIXTURE_TEST_CASE(a_result_of_a_transaction_that_writes_now_is_not_listed_as_idle,
                        BoltFixture) {
  const Listing listing(*database);
  BoltClient driver = client();
  BOOST_TEST(driver.ask(Tag::begin, {Map()}).name() == "SUCCESS");
  leave_computed(driver, listing);
  BOOST_TEST(driver.result("CREATE ()") == "");
  BOOST_TEST(listing.states() == "Idle");
  BOOST_TEST(listing.idle_id().starts_with("writer-"));
  BOOST_TEST(driver.pull(-1, 0) == "3");
  BOOST_TEST(driver.ask(Tag::commit).name() == "SUCCESS");
  BOOST_TEST(listing.states() == "");
}

// Nobody waits for the answer to a DISCARD, so that the next other request is told.
BOOST_FIXTURE_TEST_CASE(a_discarded_result_does_not_hide_that_its_transaction_was_ended,
                        BoltFixture) {
  const Listing listing(*database);
  BoltClient driver = client();
  BOOST_TEST(driver.ask(Tag::begin, {Map()}).name() == "SUCCESS");
  leave_computed(driver, listing);
  listing.terminate_idle();
  BOOST_TEST(driver.ask(Tag::discard, {Map{{"n", -1}}}).name() == "SUCCESS");
  BOOST_TEST(listing.states() == "Terminated");
  BOOST_TEST(driver.result("RETURN 1").ends_with(terminated));
}

BOOST_AUTO_TEST_CASE(a_dropped_result_does_not_hide_that_its_snapshot_was_ended) {
  AttachedFixture fixture;
  const Listing listing(fixture.database);
  const Statement failing = must(Statement::parse(failing_after(32)));
  const Snapshot snapshot = must(fixture.database.snapshot());
  {
    Rows rows = must(failing.run(snapshot));  // the first portion ends before the error
    BOOST_TEST(listing.states() == "Idle");
    listing.terminate_idle();
  }
  BOOST_TEST(outcome_text(snapshot.labels()) == std::string("cancelled: ") + terminated);
}

// "run it again" would be wrong: somebody wants it to end.
BOOST_AUTO_TEST_CASE(each_result_of_a_snapshot_that_was_ended_says_so) {
  AttachedFixture fixture;
  const Listing listing(fixture.database);
  const Statement failing = must(Statement::parse(failing_after(32)));
  const Snapshot snapshot = must(fixture.database.snapshot());
  Rows first = must(failing.run(snapshot));
  Rows second = must(failing.run(snapshot));
  listing.terminate_idle();
  for (Rows* rows : {&first, &second, &second})
    BOOST_TEST(outcome_text(rows->all()) == std::string("cancelled: ") + terminated);
}

BOOST_AUTO_TEST_CASE(a_function_that_reads_is_not_run_again_after_it_was_ended) {
  AttachedFixture fixture;
  const Listing listing(fixture.database);
  int runs = 0;
  const Status done = fixture.database.read([&](const Snapshot& snapshot) -> Status {
    if (++runs == 1) listing.terminate_idle();
    CAIRN_TRY(snapshot.labels());
    return {};
  });
  BOOST_TEST(outcome_text(done) == std::string("cancelled: ") + terminated);
  BOOST_TEST(runs == 1);
}

// Old data could not be erased for as long as the client leaves the result open.
BOOST_FIXTURE_TEST_CASE(a_result_that_is_computed_keeps_no_snapshot, BoltFixture) {
  const Listing listing(*database);
  const auto held = [&] {
    must(execute(*database, "CREATE (:Newer)"));
    const auto core = Access::core(*database);
    return core->held_before(core->newest_snapshot()).size();
  };
  BoltClient driver = client();
  const std::size_t before = held();
  leave_computed(driver, listing);
  BOOST_TEST(listing.states() == "");
  BOOST_TEST(held() == before);
  BOOST_TEST(driver.pull() == "3");
  driver.run(failing_after(1));
  BOOST_TEST(driver.pull(1) == "1");
  BOOST_TEST(held() == before);
  const std::string failure = driver.pull();
  BOOST_TEST(failure.find("divi") != std::string::npos, failure);
}

// What the summary says is complete at the end of the rows.
BOOST_FIXTURE_TEST_CASE(a_result_that_is_computed_keeps_its_summary, BoltFixture) {
  BoltClient driver = client();
  driver.run("PROFILE UNWIND range(1, 3) AS i OPTIONAL MATCH (n:Missing) RETURN i, n");
  BOOST_TEST(driver.pull(2) == "1 | null; 2 | null");
  for (int call = 0; call < 2; ++call) driver.session().prepare([] { return false; });
  BOOST_TEST(driver.pull() == "3 | null");
  BOOST_TEST(driver.pulled["profile"].map() != nullptr);
  BOOST_TEST(driver.pulled["statuses"].to_text().find("Missing") != std::string::npos);
}

// Its changes are committed, and nobody can end that.
BOOST_FIXTURE_TEST_CASE(rows_of_a_commit_that_were_not_pulled_are_not_listed, BoltFixture) {
  BoltClient driver = client();
  driver.run("UNWIND range(1, 3) AS i CREATE (n {i: i}) RETURN n.i");
  BOOST_TEST(Listing(*database).states() == "");
  BOOST_TEST(driver.pull(1) == "1");
  driver.session().prepare([] { return false; });
  BOOST_TEST(Listing(*database).states() == "");
  BOOST_TEST(driver.pull() == "2; 3");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
