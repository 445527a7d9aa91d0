// Snapshots, transactions and other calls of an attached process.

#include "query/attach/procedures.hpp"
#include "tests/query/attach/attached_fixture.hpp"
#include "tests/query/bolt/bolt_client.hpp"

#include <cairn/tokens.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <stop_token>

namespace cairn::test {

BOOST_AUTO_TEST_SUITE(attached_calls)

BOOST_AUTO_TEST_CASE(a_malformed_call_is_refused_before_it_changes_anything) {
  TemporaryDatabase host;
  Transaction transaction = must(host->begin());
  const NodeId node = must(transaction.create_node({{"A"}, {}}));
  const StatementOptions options;
  const query::bolt::CallPlace place{*host, &transaction, nullptr, options};
  const auto refused = [&](std::string_view name, const Map& arguments) {
    const auto result = query::attach::run_procedure(name, arguments, place);
    BOOST_TEST((!result && result.error().code == ErrorCode::io_error), name);
  };
  const Map made = {{"labels", list_of({"A"})}, {"properties", Map()}, {"external_id", ""}};
  Map without_namespace = made;
  without_namespace.emplace("fields", Map());
  refused("restore_node", without_namespace);
  refused("erase_node", {{"id", "7"}});
  const std::int64_t id = static_cast<std::int64_t>(node.value);
  refused("add_label", {{"id", id}, {"label", 7}});
  Rows rows = must(must(Statement::parse("MATCH (n) RETURN labels(n)")).run(transaction));
  const auto all = must(rows.all());
  BOOST_TEST_REQUIRE(all.size() == 1u);
  BOOST_TEST(all[0][0].to_text() == "['A']");
}

BOOST_AUTO_TEST_CASE(a_snapshot_stays_as_it_was) {
  AttachedFixture fixture;
  must(execute(fixture.database, "CREATE (:A {x: 1})"));
  const Snapshot before = must(fixture.database.snapshot());
  must(execute(fixture.database, "CREATE (:A {x: 2})"));
  const auto count = must(Statement::parse("MATCH (n:A) RETURN count(*)"));
  Rows rows = must(count.run(before));
  BOOST_TEST((*must(rows.next()))[0].as_integer() == 1);
  BOOST_TEST(before.commit_number() + 1 == must(fixture.database.snapshot()).commit_number());
  // An error leaves it as it is.
  BOOST_TEST(!must(Statement::parse("UNWIND [0] AS i RETURN 1 / i")).run(before)->next());
  Rows again = must(count.run(before));
  BOOST_TEST((*must(again.next()))[0].as_integer() == 1);
}

// A RESET that stops one statement does not end the transaction.
BOOST_AUTO_TEST_CASE(a_snapshot_goes_on_after_a_statement_was_cancelled) {
  AttachedFixture fixture;
  const Snapshot snapshot = must(fixture.database.snapshot());
  std::stop_source source;
  StatementOptions options;
  options.cancel = source.get_token();
  const Statement many = must(Statement::parse("UNWIND range(1, 1000000) AS i RETURN i"));
  Rows rows = must(many.run(snapshot, {}, options));
  source.request_stop();
  BOOST_TEST(!rows.all().has_value());
  BOOST_TEST(outcome_text(snapshot.labels()) == "success");
}

BOOST_AUTO_TEST_CASE(rows_outlive_their_snapshot) {
  AttachedFixture fixture;
  Rows rows = [&] {
    const Snapshot snapshot = must(fixture.database.snapshot());
    return must(must(Statement::parse("UNWIND range(1, 5000) AS i RETURN i")).run(snapshot));
  }();
  BOOST_TEST(must(rows.all()).size() == 5'000u);
}

BOOST_AUTO_TEST_CASE(a_transaction_sees_its_own_writes_and_nobody_else_does) {
  AttachedFixture fixture;
  Transaction transaction = must(fixture.database.begin());
  const NodeId ada = must(transaction.create_node({{"Person"}, {{"name", "Ada"}}, "urn:ada"}));
  const NodeId bob = must(transaction.create_node({{"Person"}, {{"name", "Bob"}}}));
  const RelationshipId knows = must(transaction.create_relationship({ada, "KNOWS", bob}));
  must(transaction.set_property(ada, "born", 1815));
  must(transaction.set_properties(knows, {{"since", 1833}}));
  must(transaction.add_label(bob, "Friend"));
  BOOST_TEST(must(transaction.find_node("urn:ada"))->property("born").as_integer() == 1815);
  BOOST_TEST(must(transaction.find_node(bob))->has_label("Friend"));
  BOOST_TEST(fixture.count() == 0);
  must(transaction.commit());
  BOOST_TEST(!transaction.is_open());
  BOOST_TEST(fixture.count() == 2);
  const Snapshot snapshot = must(fixture.database.snapshot());
  BOOST_TEST(must(snapshot.find_relationship(knows))->property("since").as_integer() == 1833);
  BOOST_TEST(must(snapshot.find_node("urn:ada"))->external_id() == "urn:ada");
  BOOST_TEST(!must(snapshot.find_node(NodeId{4'000'000})).has_value());
  BOOST_TEST(must(snapshot.labels()).size() == 2u);
  BOOST_TEST(must(snapshot.relationship_types()).front().name == "KNOWS");
  BOOST_TEST(must(snapshot.properties()).size() == 2u);
  BOOST_TEST(!must(snapshot.indexes()).empty());
}

BOOST_AUTO_TEST_CASE(what_is_softly_deleted_is_seen_where_it_is_asked_for) {
  AttachedFixture fixture;
  const NodeId hidden = [&] {
    Transaction transaction = must(fixture.database.begin());
    const NodeId node = must(transaction.create_node({{"A"}, {}, "hidden"}));
    must(transaction.create_node({{"A"}}));
    must(set_deleted(transaction, node, 42));
    must(transaction.commit());
    return node;
  }();
  BOOST_TEST(fixture.count() == 1);
  const Snapshot snapshot = must(fixture.database.snapshot());
  const Snapshot all = snapshot.with_deleted();
  const Statement count = must(Statement::parse("MATCH (n) RETURN count(*)"));
  Rows rows = must(count.run(all));
  BOOST_TEST((*must(rows.next()))[0].as_integer() == 2);
  BOOST_TEST(must(all.labels()).front().count == 2u);
  BOOST_TEST(must(count_nodes(all, Filter())) == 2u);
  BOOST_TEST(must(snapshot.labels()).front().count == 1u);
  BOOST_TEST(must(system_fields(snapshot, hidden))->deleted_at.value() == 42);
  BOOST_TEST((must(find_node_id(snapshot, "", "hidden")).value() == hidden));
  Transaction transaction = must(fixture.database.begin());
  must(set_deleted(transaction, hidden, std::nullopt));
  BOOST_TEST((set_deleted(transaction, NodeId{99}, 1).error().code == ErrorCode::not_found));
  must(transaction.commit());
  BOOST_TEST(fixture.count() == 2);
}

BOOST_AUTO_TEST_CASE(a_transaction_reads_records_of_every_namespace) {
  AttachedFixture fixture;
  Transaction transaction = must(fixture.database.begin());
  const NodeId ada = must(restore_node(transaction, {{"A"}, {}, "one"}, {.name_space = "acme"}));
  const NodeId bob = must(transaction.create_node({{"B"}}));
  const RelationshipId knows = must(transaction.create_relationship({ada, "KNOWS", bob}));
  must(transaction.create_relationship({bob, "LIKES", ada}));
  BOOST_TEST((must(find_node_id(transaction, "acme", "one")).value() == ada));
  BOOST_TEST(!must(find_node_id(transaction, "", "one")).has_value());
  BOOST_TEST(must(adjacent_relationships(transaction, ada)).size() == 2u);
  const auto known = must(adjacent_relationships(transaction, ada, "KNOWS"));
  BOOST_TEST_REQUIRE(known.size() == 1u);
  BOOST_TEST((known[0].relationship == knows));
  BOOST_TEST((known[0].other == bob));
  BOOST_TEST(known[0].is_outgoing);
  must(set_deleted(transaction, knows, 7));
  BOOST_TEST(must(system_fields(transaction, knows))->deleted_at.value() == 7);
  must(transaction.commit());
}

BOOST_AUTO_TEST_CASE(a_reading_transaction_is_one_and_writes_nothing) {
  AttachedFixture fixture;
  must(execute(fixture.database, "CREATE (:A)-[:R]->(:B)"));
  Transaction transaction = must(fixture.database.begin(TransactionMode::read));
  must(execute(fixture.database, "CREATE (:A)"));
  Rows rows =
      must(must(Statement::parse("MATCH (n) RETURN id(n) AS id ORDER BY id")).run(transaction));
  const auto all = must(rows.all());
  BOOST_TEST_REQUIRE(all.size() == 2u);
  const NodeId first{static_cast<std::uint64_t>(all[0][0].as_integer())};
  const NodeId second{static_cast<std::uint64_t>(all[1][0].as_integer())};
  BOOST_TEST(must(find_relationships(transaction, first, "R", second)).size() == 1u);
  BOOST_TEST(must(adjacent_relationships(transaction, second)).size() == 1u);
  BOOST_TEST(!must(find_node_id(transaction, "", "none")).has_value());
  BOOST_TEST((set_deleted(transaction, first, 1).error().code == ErrorCode::unsupported));
  BOOST_TEST((transaction.create_node({{"A"}}).error().code == ErrorCode::unsupported));
  must(transaction.commit());
  BOOST_TEST(fixture.count() == 3);
}

BOOST_AUTO_TEST_CASE(functions_of_an_attached_program_are_refused_with_the_ways_out) {
  AttachedFixture fixture;
  must(fixture.database.register_function(
      "app.half(x :: INTEGER) :: FLOAT", [](std::span<const Value> arguments) -> Result<Value> {
        return static_cast<double>(arguments[0].as_integer()) / 2;
      }));
  const auto refused = execute(fixture.database, "RETURN app.half(3) AS x");
  BOOST_TEST((refused.error().code == ErrorCode::unsupported), outcome_text(refused));
  for (const std::string& part : {std::to_string(fixture.host->id()), fixture.path().string(),
                                  std::string("register it and run the statement there")})
    BOOST_TEST(refused.error().message.find(part) != std::string::npos, refused.error().message);
  // As the host it can.
  fixture.host->end();
  Rows rows = must(execute(fixture.database, "CREATE (:A) RETURN app.half(3) AS x"));
  BOOST_TEST((*must(rows.next()))[0].as_float() == 1.5);
}

BOOST_AUTO_TEST_CASE(a_backup_is_stopped) {
  AttachedFixture fixture;
  must(execute(fixture.database, "CREATE (:A)"));
  std::stop_source stop;
  stop.request_stop();
  const auto backup =
      fixture.database.backup(fixture.directory.path() / "backup", stop.get_token());
  BOOST_TEST((backup.error().code == ErrorCode::cancelled), outcome_text(backup));
  BOOST_TEST(fixture.count() == 1);
}

BOOST_AUTO_TEST_CASE(a_transaction_that_ends_without_commit_is_rolled_back) {
  AttachedFixture fixture;
  {
    Transaction transaction = must(fixture.database.begin());
    must(transaction.create_node({{"A"}}));
  }
  {
    Transaction transaction = must(fixture.database.begin());
    must(execute(fixture.database, "MATCH (n) RETURN n"));
    must(transaction.create_node({{"A"}}));
    transaction.rollback();
    BOOST_TEST((transaction.commit().error().code == ErrorCode::conflict));
  }
  BOOST_TEST(fixture.count() == 0);
}

BOOST_AUTO_TEST_CASE(errors_that_change_nothing_leave_a_transaction_open) {
  AttachedFixture fixture;
  Transaction transaction = must(fixture.database.begin());
  must(transaction.create_node({{"A"}, {}, "one"}));
  BOOST_TEST(
      (transaction.create_node({{"A"}, {}, "one"}).error().code == ErrorCode::already_exists));
  BOOST_TEST((transaction.set_property(NodeId{99}, "x", 1).error().code == ErrorCode::not_found));
  must(transaction.commit());
  BOOST_TEST(fixture.count() == 1);
}

BOOST_AUTO_TEST_CASE(a_statement_that_fails_leaves_its_transaction_for_rollback_only) {
  AttachedFixture fixture;
  Transaction transaction = must(fixture.database.begin());
  const auto failing = must(Statement::parse("UNWIND [1, 0] AS i CREATE (:A {x: 1 / i})"));
  BOOST_TEST(!failing.run(transaction).has_value());
  const auto again = transaction.create_node({{"B"}});
  BOOST_TEST(again.error().message.find("can only be rolled back") != std::string::npos);
  transaction.rollback();
  BOOST_TEST(fixture.count() == 0);
}

BOOST_AUTO_TEST_CASE(one_turn_is_for_all_processes) {
  Options options;
  options.writer_timeout = std::chrono::milliseconds(200);
  AttachedFixture fixture(options);
  Database other = fixture.open();
  Transaction first = must(fixture.database.begin());
  const auto second = other.begin();
  BOOST_TEST((second.error().code == ErrorCode::busy));
  must(first.commit());
  must(must(other.begin()).commit());
}

BOOST_AUTO_TEST_CASE(a_thread_does_not_wait_for_itself) {
  AttachedFixture fixture;
  Transaction first = must(fixture.database.begin());
  const auto begin = std::chrono::steady_clock::now();
  BOOST_TEST((fixture.database.begin().error().code == ErrorCode::busy));
  BOOST_TEST((execute(fixture.database, "CREATE (n)").error().code == ErrorCode::busy));
  BOOST_TEST((std::chrono::steady_clock::now() - begin < std::chrono::seconds(2)));
  must(first.commit());
  must(execute(fixture.database, "CREATE (n)"));
}

BOOST_AUTO_TEST_CASE(write_and_read_run_a_function_in_a_transaction) {
  AttachedFixture fixture;
  must(fixture.database.write([](Transaction& transaction) -> Status {
    CAIRN_TRY(transaction.create_node({{"A"}}));
    return {};
  }));
  const Status refused = fixture.database.write([](Transaction& transaction) -> Status {
    CAIRN_TRY(transaction.create_node({{"A"}}));
    return Error{ErrorCode::cancelled, "no", {}};
  });
  BOOST_TEST(outcome_text(refused) == "cancelled: no");
  std::size_t labels = 0;
  must(fixture.database.read([&](const Snapshot& snapshot) -> Status {
    CAIRN_ASSIGN(const auto found, snapshot.labels());
    labels = found.size();
    return {};
  }));
  BOOST_TEST(labels == 1u);
  BOOST_TEST(fixture.count() == 1);
}

BOOST_AUTO_TEST_CASE(calls_on_the_database_go_to_the_host) {
  AttachedFixture fixture;
  must(execute(fixture.database, "CREATE (:A)-[:R]->(:B)"));
  const DatabaseStatistics statistics = must(fixture.database.statistics());
  BOOST_TEST(statistics.nodes == 2u);
  BOOST_TEST(statistics.relationships == 1u);
  BOOST_TEST(must(fixture.database.check()).empty());
  must(fixture.database.checkpoint());
  BOOST_TEST(must(fixture.database.erase_expired()) == 0u);
  BOOST_TEST(!fixture.database.metrics().values.empty());
  const BackupReport report = must(fixture.database.backup(fixture.directory.path() / "backup"));
  BOOST_TEST(report.database_id == statistics.database_id);
  BOOST_TEST(must(verify_backup(fixture.directory.path() / "backup")).commit == report.commit);
}

BOOST_AUTO_TEST_CASE(roles_name_the_host_and_who_is_attached) {
  AttachedFixture fixture;
  const DatabaseRole role = must(fixture.database.role());
  BOOST_TEST(!role.is_host);
  BOOST_TEST(role.host == fixture.host->id());
  BOOST_TEST((role.attached == std::vector<std::int64_t>{::getpid()}));
}

// The result of a statement that erased something is with its commit, until a scrub.
BOOST_AUTO_TEST_CASE(a_scrub_runs_in_the_host) {
  AttachedFixture fixture;
  const std::string marker = "zq5520817";
  const auto files_with_it = [&] {
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(fixture.path())) {
      if (!entry.is_regular_file()) continue;
      std::ifstream file(entry.path(), std::ios::binary);
      const std::string bytes{std::istreambuf_iterator<char>(file), {}};
      files += bytes.find(marker) != std::string::npos ? 1 : 0;
    }
    return files;
  };
  const auto erase_one = [&] {
    must(execute(fixture.database, "CREATE (:P {" + marker + ": '" + marker + "'})"));
    must(fixture.database.checkpoint());
    Rows rows = must(execute(fixture.database,
                             "MATCH (n) WITH n, n." + marker + " AS s DETACH DELETE n RETURN s"));
    BOOST_TEST((*must(rows.next()))["s"].as_string() == marker);
    BOOST_TEST(files_with_it() > 0U);
  };
  erase_one();
  const ScrubReceipt receipt = must(fixture.database.scrub({.by = "a client"}));
  BOOST_TEST(receipt.by == "a client");
  BOOST_TEST(receipt.tables > 0U);
  BOOST_TEST(files_with_it() == 0U);
  erase_one();
  Rows rows = must(execute(fixture.database, "CALL db.scrub() YIELD tables, commit"));
  BOOST_TEST((*must(rows.next()))["tables"].as_integer() > 0);
  BOOST_TEST(files_with_it() == 0U);
}

// `cairn serve` in a directory that another process has open.
BOOST_AUTO_TEST_CASE(an_attached_server_refuses_ids_of_requests) {
  AttachedFixture fixture;
  const std::string secret =
      must(create_token(fixture.database, {.name = "all", .role = Role::admin}));
  const BoltLimits limits;
  query::bolt::WrongTokens wrong_tokens{10};
  query::bolt::Shared shared{fixture.database, limits, wrong_tokens, "127.0.0.1:7687"};
  BoltClient client(shared);
  client.log_on(secret);
  const Map request{{"tx_metadata", Map{{"cairn_request_id", "r1"}}}};
  const std::string refusal = failure_text(client.run("CREATE (:A)", {}, request));
  BOOST_TEST(refusal.find("cairn_request_id") != std::string::npos, refusal);
  BOOST_TEST(client.ask(query::bolt::Tag::reset).name() == "SUCCESS");
  BOOST_TEST(failure_text(client.ask(query::bolt::Tag::begin, {request})) == refusal);
  BOOST_TEST(client.ask(query::bolt::Tag::reset).name() == "SUCCESS");
  static_cast<void>(client.result("CREATE (:A)"));
  BOOST_TEST(fixture.count() == 1);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
