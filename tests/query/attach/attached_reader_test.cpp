// A process that opens a database with OpenMode::read_only while another one has it open: it is attached, and changes
// nothing.

#include "tests/query/attach/attached_fixture.hpp"

#include <cairn/backup.hpp>
#include <cairn/scrub.hpp>
#include <cairn/tokens.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <csignal>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cairn::test {
namespace {

Options reading() {
  Options options;
  options.mode = OpenMode::read_only;
  return options;
}

struct ReaderFixture : AttachedFixture {
  ReaderFixture() { must(execute(database, "CREATE (:A {i: 1})")); }
  [[nodiscard]] Database open_to_read() const { return must(Database::open(path(), reading())); }
};

std::int64_t count_all(Database& database) {
  Rows rows = must(execute(database, "MATCH (n) RETURN count(*)"));
  return (*must(rows.next()))[0].as_integer();
}

using Call = std::function<std::string(Database&)>;

/// Calls whose error is the same for a local database.
const std::vector<std::pair<std::string, Call>>& writing_calls() {
  const auto statement = [](std::string text) {
    return std::pair<std::string, Call>(
        text, [text](Database& database) { return outcome_text(execute(database, text)); });
  };
  static const std::vector<std::pair<std::string, Call>> all = {
      statement("CREATE (:B)"),
      statement("MATCH (n) SET n.i = 2 RETURN n"),
      statement("CREATE INDEX FOR (n:A) ON (n.i)"),
      statement("CALL db.expire()"),
      statement("CALL memory.add({content: 'tea'}) YIELD id"),
      statement("DROP NAMESPACE tenant"),
      statement("UNWIND [1, 2] AS i CALL { WITH i CREATE (:B) } IN TRANSACTIONS"),
      {"begin", [](Database& database) { return outcome_text(database.begin()); }},
      {"begin if free",
       [](Database& database) {
         return outcome_text(database.begin(TransactionMode::write_if_free));
       }},
      {"erase_expired", [](Database& database) { return outcome_text(database.erase_expired()); }},
      {"checkpoint", [](Database& database) { return outcome_text(database.checkpoint()); }}};
  return all;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(attached_reader, ReaderFixture)

BOOST_AUTO_TEST_CASE(a_reader_attaches_and_sees_what_others_write) {
  Database reader = open_to_read();
  BOOST_TEST(!must(reader.role()).is_host);
  BOOST_TEST(must(reader.role()).host == host->id());
  BOOST_TEST(count_all(reader) == 1);
  must(execute(database, "CREATE (:A {i: 2})"));
  BOOST_TEST(count_all(reader) == 2);
  BOOST_TEST(must(must(reader.snapshot()).labels()).size() == 1u);
  BOOST_TEST(must(reader.check()).empty());
  Transaction transaction = must(reader.begin(TransactionMode::read));
  const Statement change = must(Statement::parse("CREATE (:B)"));
  BOOST_TEST(must(Statement::parse("MATCH (n) RETURN n")).run(transaction).has_value());
  BOOST_TEST(!change.run(transaction).has_value());
}

BOOST_AUTO_TEST_CASE(a_reader_is_refused_changes_as_where_nobody_else_has_the_database) {
  std::vector<std::string> attached;
  {
    Database reader = open_to_read();
    for (const auto& [name, call] : writing_calls()) attached.push_back(call(reader));
    for (const std::string& outcome :
         {outcome_text(execute(reader, "CALL db.scrub()")),
          outcome_text(reader.backup(directory.path() / "backup")), outcome_text(reader.scrub({}))})
      BOOST_TEST(outcome.starts_with("unsupported: "), outcome);
  }
  BOOST_TEST(count() == 1);
  must(database.close());
  BOOST_TEST(host->end() == 0);
  Database local = open_to_read();
  for (std::size_t i = 0; i < writing_calls().size(); ++i)
    BOOST_TEST(attached[i] == writing_calls()[i].second(local), writing_calls()[i].first);
}

// The host is not asked.
BOOST_AUTO_TEST_CASE(a_reader_is_refused_changes_at_once) {
  Database reader = open_to_read();
  BOOST_TEST(count_all(reader) == 1);
  host->signal(SIGSTOP);
  const auto begin = std::chrono::steady_clock::now();
  for (const auto& [name, call] : writing_calls())
    if (name != "checkpoint") BOOST_TEST(call(reader).starts_with("unsupported: "), name);
  BOOST_TEST((std::chrono::steady_clock::now() - begin < std::chrono::seconds(5)));
  host->signal(SIGCONT);
  BOOST_TEST(count_all(reader) == 1);
}

// It leaves the place of the host to others, and gives the lock back when it ends.
BOOST_AUTO_TEST_CASE(a_reader_goes_on_by_itself_when_the_host_has_ended) {
  std::optional<Database> reader = open_to_read();
  BOOST_TEST(count_all(*reader) == 1);
  must(database.close());
  host->kill();
  BOOST_TEST(count_all(*reader) == 1);
  BOOST_TEST(outcome_text(execute(*reader, "CREATE (:B)")).starts_with("unsupported: "));
  Database second = open_to_read();
  BOOST_TEST(count_all(second) == 1);
  must(second.close());
  reader.reset();
  const HostProcess next(path());
  BOOST_TEST(next.role() == "host");
}

BOOST_AUTO_TEST_CASE(a_reader_follows_the_next_host) {
  Database reader = open_to_read();
  host->kill();
  must(execute(database, "CREATE (:A)"));
  BOOST_TEST(must(database.role()).is_host);
  const HostProcess other(path());
  BOOST_TEST(other.role() == "attached");
  must(database.close());
  BOOST_TEST(count_all(reader) == 2);
}

BOOST_AUTO_TEST_CASE(a_reader_is_told_of_a_process_that_shares_nothing) {
  must(database.close());
  BOOST_TEST(host->end() == 0);
  const HostProcess holder(path(), {}, {"exclusive=1"});
  Options options = reading();
  options.attach_timeout = std::chrono::milliseconds(100);
  const auto refused = Database::open(path(), options);
  BOOST_TEST((refused.error().code == ErrorCode::busy));
  BOOST_TEST(refused.error().message.find("it does not share the database") != std::string::npos,
             refused.error().message);
  options.share = Share::exclusive;
  BOOST_TEST((Database::open(path(), options).error().code == ErrorCode::busy));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
