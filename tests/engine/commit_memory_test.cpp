// Memory that ends anywhere within a commit: the commit is there or not, nothing takes its place, and the process lives.

#include "tests/support/counted_memory.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/rounds.hpp"

#include <cairn/statement.hpp>

#include <boost/test/unit_test.hpp>

#include <new>
#include <optional>
#include <string>

using namespace cairn;
using test::must;

namespace {

constexpr const char* indexes[] = {
    "CREATE VECTOR INDEX v FOR (n:Kept) ON (n.v) OPTIONS {indexConfig: {`vector.dimensions`: 3}}",
    "CREATE FULLTEXT INDEX t FOR (n:Kept) ON EACH [n.text]",
    "CREATE CONSTRAINT FOR (n:Kept) REQUIRE n.name IS UNIQUE"};

NewNode node_named(const std::string& name) {
  return {{"Kept", "Of" + name},
          {{"name", name}, {"text", "words of " + name}, {"v", Vector({1, 2, 3})}},
          name};
}

void make(Database& database, const std::string& name) {
  Transaction transaction = must(database.begin());
  must(transaction.create_node(node_named(name)));
  must(transaction.commit());
}

/// Everything that finds the node agrees on whether it is there.
bool has(const Snapshot& snapshot, const std::string& name) {
  const bool is_there = must(snapshot.find_node(name)).has_value();
  for (const char* text : {"MATCH (n:Kept) WHERE n.name = $name RETURN n.name",
                           "CALL db.index.fulltext.queryNodes('t', $name) YIELD node "
                           "RETURN node.name"}) {
    Rows rows = must(must(Statement::parse(text)).run(snapshot, {{"name", Value(name)}}));
    const auto row = must(rows.next());
    BOOST_TEST(row.has_value() == is_there, text << " " << name);
    if (row) BOOST_TEST((*row)[0].as_string() == name);
  }
  return is_there;
}

/// What became of the commit in which an allocation failed.
struct Outcome {
  bool failed_allocation = false;
  bool committed = false;
};

Outcome commit_without_memory(Database& database, std::size_t allocations) {
  Transaction transaction = must(database.begin());
  must(transaction.create_node(node_named("first")));
  Outcome outcome;
  const test::FailingAllocation failing(allocations);
  try {
    const Status committed = transaction.commit();
    outcome.failed_allocation = test::FailingAllocation::has_failed();
    outcome.committed = committed.has_value();
    if (!committed)
      BOOST_TEST((committed.error().code == ErrorCode::resource_limit ||
                  committed.error().code == ErrorCode::io_error));
  } catch (const std::bad_alloc&) {  // as its docstring has it
    outcome.failed_allocation = true;
  }
  return outcome;
}

/// True once a commit needs fewer allocations than that.
bool fail_allocation(std::size_t allocations) {
  test::TemporaryDatabase database;
  make(*database, "base");
  for (const char* const statement : indexes) must(execute(*database, statement));
  const Outcome first = commit_without_memory(*database, allocations);
  Status second;
  {
    auto transaction = database->begin();
    if (transaction) {
      second = transaction->create_node(node_named("second")) ? transaction->commit() : Status();
    }
  }
  const std::string about = "allocation " + std::to_string(allocations);
  {
    const Snapshot now = must(database->snapshot());
    BOOST_TEST(has(now, "base"), about);
    BOOST_TEST(has(now, "first") >= first.committed, about);
    BOOST_TEST(has(now, "second") == second.has_value(), about);
  }
  static_cast<void>(database->close());
  const Database again = must(Database::open(database.path()));
  const auto findings = must(again.check());
  BOOST_TEST(findings.empty(),
             about << ": " << (findings.empty() ? "" : findings[0].place + findings[0].problem));
  const Snapshot now = must(again.snapshot());
  BOOST_TEST(has(now, "base"), about);
  BOOST_TEST(has(now, "first") >= first.committed, about);
  BOOST_TEST(has(now, "second") == second.has_value(), about);
  return !first.failed_allocation;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(commit_memory)

BOOST_AUTO_TEST_CASE(a_failed_allocation_loses_no_commit_and_lets_none_take_its_place) {
  constexpr std::size_t all = 55;
  const std::size_t step = all / test::rounds(5, all);  // every one in the long form
  std::size_t allocations = 0;
  while (!fail_allocation(allocations)) allocations += step;
  BOOST_TEST_MESSAGE(allocations << " allocations of a commit, of which each " << step
                                 << ". failed once");
  BOOST_TEST(allocations > 100U);
}

BOOST_AUTO_TEST_SUITE_END()
