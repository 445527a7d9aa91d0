// The memory calls as parts of statements: they see the transaction's changes, commit and roll back with it, need its
// role, and end with its limits.

#include "tests/query/bolt/bolt_client.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <cairn/memory/memory.hpp>
#include <cairn/snapshot.hpp>
#include <cairn/statement.hpp>
#include <cairn/transaction.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>

namespace cairn::test {
namespace {

using query::bolt::Tag;

struct MemoryTransactions : BoltFixture {
  std::string in(Transaction& transaction, std::string_view text) {
    Rows rows = must(must(Statement::parse(text)).run(transaction));
    std::string joined;
    for (const auto& row : must(rows.all())) {
      if (!joined.empty()) joined += "; ";
      for (std::size_t i = 0; i < row.size(); ++i)
        joined += (i == 0 ? "" : " | ") + row[i].to_text();
    }
    return joined;
  }
  std::string result(std::string_view statement) { return result_of(*database, statement); }
  BoltClient client_of_role(const std::string& name, Role role) {
    BoltClient made(shared);
    made.log_on(token({.name = name, .role = role}));
    return made;
  }
};

constexpr const char* total = "CALL memory.search() YIELD total";
constexpr const char* recalled =
    "CALL memory.recall({query: 'green tea'}) YIELD record RETURN record.content";

}  // namespace

BOOST_FIXTURE_TEST_SUITE(memory_transactions, MemoryTransactions)

// Also the very first record of a database, whose indexes are made in the same transaction.
BOOST_AUTO_TEST_CASE(a_transaction_sees_what_it_has_remembered_and_nobody_else_does) {
  {
    Transaction transaction = must(database->begin());
    in(transaction, "CALL memory.add({content: 'green tea'})");
    BOOST_TEST(in(transaction, total) == "1");
    BOOST_TEST(in(transaction, recalled) == "'green tea'");
    // By its words: no vector index can be searched before the commit that makes it.
    const auto by_vector =
        must(Statement::parse("CALL memory.recall({query: 'tea', strategy: 'vector'})"))
            .run(transaction);
    BOOST_REQUIRE(!by_vector);
    BOOST_TEST(by_vector.error().message.find("after its commit") != std::string::npos);
    BOOST_TEST(result(total) == "0");
  }
  BOOST_TEST(result(total) == "0");
  BOOST_TEST(result("SHOW INDEXES YIELD name WHERE name STARTS WITH 'memory_'") == "");
  Transaction transaction = must(database->begin());
  in(transaction, "CALL memory.add({content: 'green tea', external_id: 't'})");
  in(transaction, "CREATE (:Other {x: 1})");
  in(transaction, "CALL memory.update({external_id: 't', changes: {seen: true}})");
  must(transaction.commit());
  BOOST_TEST(result(recalled) == "'green tea'");
  BOOST_TEST(result("MATCH (m:Memory {seen: true}), (o:Other) RETURN count(*)") == "1");
  BOOST_TEST(must(database->check()).empty());
}

BOOST_AUTO_TEST_CASE(a_statement_is_all_or_nothing) {
  result("CALL memory.add({content: 'one', external_id: 'x'})");
  BOOST_TEST((error_of(*database,
                       "UNWIND ['y', 'x'] AS id CALL memory.add({content: 'two', "
                       "external_id: id}) YIELD id AS made RETURN made")
                  .code == ErrorCode::already_exists));
  BOOST_TEST(result(total) == "1");
  // Each call of a statement sees those before it.
  BOOST_TEST(result("UNWIND [1, 2, 3] AS i CALL memory.add({content: 'n'}) YIELD id "
                    "CALL memory.forget({id: id, erase: true}) YIELD forgotten RETURN "
                    "sum(forgotten)") == "3");
  BOOST_TEST(result(total) == "1");
}

// What the statement makes itself after a call goes to its own namespace.
BOOST_AUTO_TEST_CASE(the_namespace_of_the_statement_stays) {
  StatementOptions acme;
  acme.name_space = "acme";
  must(must(execute(*database, "CALL memory.add({content: 'a'}) YIELD id CREATE (:After {id: id})",
                    {}, acme))
           .all());
  BOOST_TEST(result("MATCH (n) RETURN count(n)") == "0");
  BOOST_TEST(result_of(*database, "MATCH (n:After) RETURN count(n)", {}, acme) == "1");
}

BOOST_AUTO_TEST_CASE(what_reads_cannot_write) {
  const Snapshot snapshot = must(database->snapshot());
  const Statement add = must(Statement::parse("CALL memory.add({content: 'x'})"));
  BOOST_TEST(add.is_writing());
  const auto on_snapshot = add.run(snapshot);
  BOOST_REQUIRE(!on_snapshot);
  BOOST_TEST(on_snapshot.error().message.find("needs a writing transaction") != std::string::npos);
  Transaction reading = must(database->begin(TransactionMode::read));
  BOOST_TEST(!add.run(reading).has_value());
  BOOST_TEST(in(reading, total) == "0");
  for (const char* text : {"CALL memory.search()", "CALL memory.describe()",
                           "CALL memory.recall({query: 'x'})", "CALL memory.find({id: 1})",
                           "CALL memory.list({of: 'tasks'})", "CALL memory.history({id: 1})"})
    BOOST_TEST(!must(Statement::parse(text)).is_writing(), text);
  for (const char* text : {"CALL memory.remember({})", "CALL memory.update({})",
                           "CALL memory.forget({})", "CALL memory.restore({})"})
    BOOST_TEST(must(Statement::parse(text)).is_writing(), text);
}

// Who may only read gets no more by a condition, which is a statement of its own.
BOOST_AUTO_TEST_CASE(a_condition_only_reads) {
  result("CALL memory.add({content: 'one'})");
  for (const char* condition :
       {"EXISTS { CALL db.backups() YIELD path RETURN path }",
        "EXISTS { CALL db.csv.load('/etc/passwd') YIELD row RETURN row }",
        "COUNT { CALL db.expire() YIELD erased RETURN erased } > 0",
        "EXISTS { CALL memory.forget({id: 1}) YIELD forgotten RETURN forgotten }"}) {
    const Error refused =
        error_of(*database, "CALL memory.search({where: $where})", {{"where", condition}});
    BOOST_TEST((refused.code == ErrorCode::invalid_argument), condition << refused.message);
    BOOST_TEST(refused.message.find("must only read") != std::string::npos, refused.message);
  }
  BOOST_TEST(result_of(*database, "CALL memory.search({where: $where}) YIELD total",
                       {{"where", "EXISTS { CALL db.labels() YIELD label RETURN label }"}}) == "1");
}

// It would have no end.
BOOST_AUTO_TEST_CASE(a_condition_cannot_call_itself) {
  result("CALL memory.add({content: 'one'})");
  const char* condition =
      "EXISTS { CALL memory.search({where: $where, parameters: {where: $where}}) YIELD total "
      "RETURN total }";
  const Error refused =
      error_of(*database, "CALL memory.search({where: $where, parameters: {where: $where}})",
               {{"where", condition}});
  BOOST_TEST((refused.code == ErrorCode::unsupported), refused.message);
  BOOST_TEST(result("CALL memory.search() YIELD total") == "1");
}

// Sets that the statement has kept are asked for again.
BOOST_AUTO_TEST_CASE(clauses_after_a_call_see_what_it_has_done) {
  result("CALL memory.add({content: 'one', external_id: 'x'})");
  BOOST_TEST(result("MATCH (m:Memory) WITH count(m) AS before CALL memory.add({content: 'two'}) "
                    "YIELD id MATCH (m:Memory) RETURN before, count(m)") == "1 | 2");
  BOOST_TEST(result("MATCH (m:Memory) WITH count(m) AS before CALL memory.forget({external_id: "
                    "'x'}) YIELD forgotten MATCH (m:Memory) RETURN before, count(m)") == "2 | 1");
}

// The condition is a statement of the call, and would take minutes.
BOOST_AUTO_TEST_CASE(a_call_ends_with_the_time_of_its_statement) {
  result("CALL memory.add({content: 'one'})");
  StatementOptions short_time;
  short_time.timeout = std::chrono::milliseconds(100);
  const auto begin = std::chrono::steady_clock::now();
  const Error ended = error_of(*database,
                               "CALL memory.search({where: 'size([a IN range(1, 100000) WHERE "
                               "size([b IN range(1, 100000) WHERE b = 0]) > 0]) > 0'})",
                               {}, short_time);
  BOOST_TEST((ended.code == ErrorCode::resource_limit), ended.message);
  BOOST_TEST((std::chrono::steady_clock::now() - begin < std::chrono::seconds(10)));
}

BOOST_AUTO_TEST_CASE(the_limits_of_the_statement_are_those_of_the_call) {
  result(
      "UNWIND range(1, 300) AS i CALL memory.add({content: 'tea ' + toString(i)}) YIELD id "
      "RETURN count(id)");
  StatementOptions tight;
  tight.memory_bytes = 20'000;
  BOOST_TEST((error_of(*database, "CALL memory.search({limit: 300})", {}, tight).code ==
              ErrorCode::resource_limit));
  std::stop_source stopped;
  stopped.request_stop();
  StatementOptions cancelled;
  cancelled.cancel = stopped.get_token();
  BOOST_TEST((error_of(*database, total, {}, cancelled).code == ErrorCode::cancelled));
}

BOOST_AUTO_TEST_CASE(a_driver_remembers_and_recalls) {
  BoltClient writer = client_of_role("writer", Role::write);
  BOOST_TEST(writer.result("CALL memory.add($record) YIELD external_id",
                           {{"record", Map{{"content", "green tea"}, {"external_id", "t"}}}}) ==
             "'t'");
  writer.ask(Tag::begin, {Map()});
  writer.result("CALL memory.update({external_id: 't', changes: {seen: true}})");
  BOOST_TEST(writer.result("CALL memory.find({external_id: 't'}) YIELD record RETURN "
                           "record.metadata.seen") == "true");
  writer.ask(Tag::rollback);
  BOOST_TEST(writer.result("CALL memory.find({external_id: 't'}) YIELD record RETURN "
                           "record.metadata.seen") == "null");
  BOOST_TEST(failure_title(writer.run("CALL memory.forget({external_id: 't'})")) == "Forbidden");
  BoltClient reader = client_of_role("reader", Role::read);
  BOOST_TEST(reader.result(recalled) == "'green tea'");
  BOOST_TEST(failure_title(reader.run("CALL memory.add({content: 'x'})")) == "Forbidden");
  BoltClient forgetter = client_of_role("forgetter", Role::forget);
  BOOST_TEST(forgetter.result("CALL memory.forget({external_id: 't', erase: true})") == "1 | 1");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
