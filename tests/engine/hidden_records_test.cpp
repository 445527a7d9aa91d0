// Records that are hidden softly, and other calls for programs that work past what statements see.
#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <cairn/embedding_space.hpp>
#include <cairn/statement.hpp>
#include <cairn/system_fields.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <thread>

namespace cairn::test {
namespace {

struct Fixture {
  Fixture() {
    Transaction transaction = must(database->begin());
    ada = must(transaction.create_node({{"Person"}, {{"name", "Ada"}}, "urn:ada"}));
    bob = must(transaction.create_node({{"Person"}, {{"name", "Bob"}}}));
    knows = must(transaction.create_relationship({ada, "KNOWS", bob, {}}));
    likes = must(transaction.create_relationship({bob, "LIKES", ada, {}}));
    self = must(transaction.create_relationship({ada, "KNOWS", ada, {}}));
    must(transaction.commit());
  }

  /// How many people a statement on the snapshot sees.
  static std::int64_t people(const Snapshot& snapshot) {
    const Statement statement = must(Statement::parse("MATCH (p:Person) RETURN count(*)"));
    Rows rows = must(statement.run(snapshot));
    return must(rows.all()).at(0).at(0).as_integer();
  }

  TemporaryDatabase database;
  NodeId ada;
  NodeId bob;
  RelationshipId knows;
  RelationshipId likes;
  RelationshipId self;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(hidden_records, Fixture)

BOOST_AUTO_TEST_CASE(a_hidden_node_is_seen_with_the_deleted_ones_alone) {
  Transaction transaction = must(database->begin());
  must(set_deleted(transaction, ada, 1'000));
  must(set_deleted(transaction, knows, 1'000));
  BOOST_TEST((must(system_fields(transaction, knows))->deleted_at == 1'000));
  must(transaction.commit());
  const Snapshot snapshot = must(database->snapshot());
  const Snapshot all = snapshot.with_deleted();
  BOOST_TEST(people(snapshot) == 1);
  BOOST_TEST(people(all) == 2);
  BOOST_TEST(all.commit_number() == snapshot.commit_number());
  BOOST_TEST(must(snapshot.find_node(ada)).has_value());
  BOOST_TEST((must(system_fields(snapshot, ada))->deleted_at == 1'000));
  BOOST_TEST(must(database->check()).empty());
}

BOOST_AUTO_TEST_CASE(what_was_hidden_is_shown_again) {
  Transaction transaction = must(database->begin());
  must(set_deleted(transaction, ada, 1'000));
  must(set_deleted(transaction, ada, std::nullopt));
  must(transaction.commit());
  BOOST_TEST(people(must(database->snapshot())) == 2);
  BOOST_TEST(must(database->check()).empty());
}

BOOST_AUTO_TEST_CASE(a_view_with_deleted_records_keeps_the_store_alive) {
  std::optional<Snapshot> all = must(database->snapshot()).with_deleted();
  database.close();
  BOOST_TEST(people(*all) == 2);
}

BOOST_AUTO_TEST_CASE(hiding_needs_a_record_and_a_writer_that_is_open) {
  Transaction reading = must(database->begin(TransactionMode::read));
  BOOST_TEST((set_deleted(reading, ada, 1).error().code == ErrorCode::unsupported));
  Transaction transaction = must(database->begin());
  BOOST_TEST((set_deleted(transaction, NodeId{999'999}, 1).error().code == ErrorCode::not_found));
  must(transaction.commit());
  BOOST_TEST((set_deleted(transaction, ada, 1).error().code == ErrorCode::conflict));
}

BOOST_AUTO_TEST_CASE(a_name_is_found_in_its_namespace_without_its_node) {
  Transaction transaction = must(database->begin());
  SystemFields fields;
  fields.name_space = "other";
  const NodeId other = must(restore_node(transaction, {{}, {}, "urn:ada"}, fields));
  BOOST_TEST((must(find_node_id(transaction, "other", "urn:ada")) == other));
  must(transaction.commit());
  const Snapshot snapshot = must(database->snapshot());
  BOOST_TEST((must(find_node_id(snapshot, "", "urn:ada")) == ada));
  BOOST_TEST((must(find_node_id(snapshot, "other", "urn:ada")) == other));
  BOOST_TEST(!must(find_node_id(snapshot, "other", "urn:bob")).has_value());
  BOOST_TEST(!must(find_node_id(snapshot, "nowhere", "urn:ada")).has_value());
}

BOOST_AUTO_TEST_CASE(relationships_of_a_node_are_given_hidden_or_not) {
  Transaction transaction = must(database->begin());
  must(set_deleted(transaction, likes, 5));
  const auto all = must(adjacent_relationships(transaction, ada));
  BOOST_TEST(all.size() == 3U);
  BOOST_TEST(std::ranges::count_if(all, [&](const AdjacentRelationship& one) {
               return one.relationship == self && one.is_outgoing && one.other == ada;
             }) == 1);
  const auto liked = must(adjacent_relationships(transaction, ada, "LIKES"));
  BOOST_REQUIRE(liked.size() == 1U);
  BOOST_TEST((liked[0].relationship == likes && liked[0].other == bob && !liked[0].is_outgoing));
  BOOST_TEST(must(adjacent_relationships(transaction, ada, "HATES")).empty());
}

BOOST_AUTO_TEST_CASE(an_index_says_whose_vectors_it_takes) {
  run_all(*database, {"CREATE VECTOR INDEX named FOR (m:Memory) ON (m.v) OPTIONS {indexConfig: "
                      "{`vector.dimensions`: 2, `vector.model`: 'service-3'}}",
                      "CREATE VECTOR INDEX nameless FOR (m:Memory) ON (m.w) OPTIONS {indexConfig: "
                      "{`vector.dimensions`: 2}}",
                      "CREATE FULLTEXT INDEX texts FOR (m:Memory) ON EACH [m.text]"});
  const Snapshot snapshot = must(database->snapshot());
  BOOST_TEST(must(index_model(snapshot, "named")) == "service-3");
  BOOST_TEST(must(index_model(snapshot, "nameless")).empty());
  BOOST_TEST((index_model(snapshot, "texts").error().code == ErrorCode::invalid_argument));
  BOOST_TEST((index_model(snapshot, "nothing").error().code == ErrorCode::not_found));
}

BOOST_AUTO_TEST_CASE(a_writer_that_does_not_wait_is_refused_while_another_has_the_turn) {
  Transaction first = must(database->begin());
  std::thread([&] {
    const auto second = database->begin(TransactionMode::write_if_free);
    BOOST_TEST((!second && second.error().code == ErrorCode::busy));
  }).join();
  first.rollback();
  Transaction third = must(database->begin(TransactionMode::write_if_free));
  must(third.create_node({{"Person"}, {}}));
  must(third.commit());
  BOOST_TEST(people(must(database->snapshot())) == 3);
}

BOOST_AUTO_TEST_CASE(a_database_for_reading_refuses_a_writer_that_does_not_wait_as_any) {
  Options options;
  options.mode = OpenMode::read_only;
  database.reopen(options);
  const auto refused = database->begin(TransactionMode::write_if_free);
  BOOST_TEST((!refused && refused.error().code == ErrorCode::unsupported));
}

BOOST_AUTO_TEST_CASE(a_reference_finds_the_database_until_it_is_closed) {
  const DatabaseReference reference(*database);
  {
    const auto open = must(reference.lock());
    BOOST_TEST(people(must(open->snapshot())) == 2);
  }
  BOOST_TEST(people(must(database->snapshot())) == 2);
  Database moved = std::move(*database);
  BOOST_TEST(people(must(must(reference.lock())->snapshot())) == 2);
  must(moved.close());
  BOOST_TEST((reference.lock().error().code == ErrorCode::conflict));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
