// Records that have expired: how they are erased, by a call and in the background.

#include "codec/meta.hpp"
#include "codec/request_name.hpp"
#include "engine/database/access.hpp"
#include "engine/database/client_entries.hpp"
#include "engine/database/core.hpp"
#include "engine/write/writer.hpp"
#include "tests/support/graph_builder.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>
#include <thread>

using namespace cairn;
using test::must;
using test::TemporaryDatabase;
using namespace std::chrono_literals;

namespace {

constexpr std::int64_t past = 1;
constexpr std::int64_t far = 4'000'000'000'000'000;

Options options_with(std::chrono::milliseconds interval) {
  Options options;
  options.durability = Durability::async;
  options.expiry_interval = interval;
  return options;
}

/// `count` expired nodes in a ring of relationships, and one that stays.
void fill(Database& database, int count) {
  Transaction transaction = must(database.begin());
  const NodeId kept = must(transaction.create_node({{"Kept"}, {}, "", far}));
  for (int i = 0; i < count; ++i) {
    const NodeId node = must(transaction.create_node({{"Old"}, {{"i", i}}, "", past + i}));
    must(transaction.create_relationship({node, "R", kept, {}}));
  }
  must(transaction.create_relationship({kept, "S", kept, {}, past}));
  must(transaction.create_relationship({kept, "T", kept, {}, far}));
  must(transaction.commit());
}

std::uint64_t records(Database& database) {
  const DatabaseStatistics statistics = must(database.statistics());
  return statistics.nodes + statistics.relationships;
}

std::int64_t system_time() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::microseconds>(now).count();
}

/// Whether it becomes true within some seconds.
template <class Condition>
bool comes_true(Condition&& condition) {
  for (int i = 0; i < 500; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(10ms);
  }
  return false;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(expiry)

BOOST_AUTO_TEST_CASE(nodes_go_with_their_relationships_and_the_number_is_told) {
  TemporaryDatabase database(options_with(0ms));
  fill(*database, 10);
  BOOST_TEST(records(*database) == 23u);
  BOOST_TEST(must(database->erase_expired()) == 21u);
  BOOST_TEST(records(*database) == 2u);
  BOOST_TEST(must(database->erase_expired()) == 0u);
  const Snapshot snapshot = must(database->snapshot());
  BOOST_TEST(must(snapshot.labels()).front().name == "Kept");
  BOOST_TEST(must(snapshot.relationship_types()).front().name == "T");
  BOOST_TEST(must(database->check()).empty());
}

BOOST_AUTO_TEST_CASE(no_more_than_the_limit_go_in_one_commit) {
  TemporaryDatabase database(options_with(0ms));
  fill(*database, 10);
  for (const std::size_t expected : {4u, 4u, 4u, 4u, 4u, 1u, 0u}) {
    const std::uint64_t commits = must(database->statistics()).commits;
    BOOST_TEST(must(database->erase_expired(4)) == expected);
    BOOST_TEST(must(database->statistics()).commits == commits + (expected > 0 ? 1 : 0));
    BOOST_TEST(must(database->check()).empty());
  }
  BOOST_TEST(must(database->erase_expired(0)) == 0u);
}

BOOST_AUTO_TEST_CASE(a_node_with_more_relationships_than_the_limit_goes_in_several_steps) {
  TemporaryDatabase database(options_with(0ms));
  Transaction transaction = must(database->begin());
  const NodeId hub = must(transaction.create_node({{"Hub"}, {}, "urn:hub", past}));
  for (int i = 0; i < 25; ++i) {
    const NodeId leaf = must(transaction.create_node({{"Leaf"}, {}, ""}));
    must(transaction.create_relationship(
        {i % 2 == 0 ? hub : leaf, "R", i % 2 == 0 ? leaf : hub, {}}));
  }
  must(transaction.create_relationship({hub, "R", hub, {}}));
  must(transaction.commit());
  for (const std::size_t expected : {10u, 10u, 7u, 0u})
    BOOST_TEST(must(database->erase_expired(10)) == expected);
  BOOST_TEST(records(*database) == 25u);
  BOOST_TEST(must(database->check()).empty());
}

BOOST_AUTO_TEST_CASE(every_namespace_is_meant) {
  TemporaryDatabase database(options_with(0ms));
  Transaction transaction = must(database->begin());
  must(Access::writer(transaction)->use_place({.name_space = "tenant"}));
  must(transaction.create_node({{"A"}, {}, "urn:1", past}));
  must(transaction.commit());
  BOOST_TEST(must(database->erase_expired()) == 1u);
  BOOST_TEST(records(*database) == 0u);
  BOOST_TEST(must(database->check()).empty());
}

BOOST_AUTO_TEST_CASE(a_moment_that_is_changed_within_the_transaction_counts) {
  TemporaryDatabase database(options_with(0ms));
  fill(*database, 3);
  Transaction transaction = must(database->begin());
  const auto writer = Access::writer(transaction);
  const NodeId added = must(transaction.create_node({{"New"}, {}, "", past}));
  must(transaction.set_expiry(NodeId{2}, std::nullopt));
  // Two old nodes and the new one, two relationships of the old ones, and the one that expired by itself.
  const engine::ErasedRecords erased = must(writer->erase_expired(past + 10, 100));
  BOOST_TEST(erased.nodes == 3u);
  BOOST_TEST(erased.relationships == 3u);
  BOOST_TEST(!must(transaction.find_node(added)).has_value());
  BOOST_TEST(must(transaction.find_node(NodeId{2})).has_value());
  must(transaction.commit());
  BOOST_TEST(must(database->check()).empty());
}

BOOST_AUTO_TEST_CASE(the_background_erases_what_has_expired) {
  TemporaryDatabase database(options_with(20ms));
  fill(*database, 2'500);
  BOOST_TEST(comes_true([&] { return records(*database) == 2; }));
  BOOST_TEST(must(database->check()).empty());
}

BOOST_AUTO_TEST_CASE(the_background_leaves_a_transaction_alone) {
  Options options = options_with(20ms);
  options.writer_idle_limit = 1ms;  // the turn could be taken away, by who waits for it
  TemporaryDatabase database(options);
  Transaction first = must(database->begin());
  const NodeId node = must(first.create_node({{"A"}, {}, "", system_time() + 100'000}));
  must(first.commit());
  Transaction transaction = must(database->begin());
  std::this_thread::sleep_for(400ms);  // the node expires, and the background would erase it
  BOOST_TEST(records(*database) == 1u);
  must(transaction.set_property(node, "x", 1));
  must(transaction.commit());
  BOOST_TEST(comes_true([&] { return records(*database) == 0; }));
}

BOOST_AUTO_TEST_CASE(the_background_takes_no_turn_for_nothing) {
  TemporaryDatabase database(options_with(10ms));
  Transaction transaction = must(database->begin());
  must(transaction.create_node({{"A"}, {}, "", far}));
  must(transaction.commit());
  std::this_thread::sleep_for(100ms);
  BOOST_TEST(must(database->statistics()).commits == 1u);
}

BOOST_AUTO_TEST_CASE(closing_ends_it) {
  TemporaryDatabase database(options_with(1ms));
  fill(*database, 5'000);
  const auto begun = std::chrono::steady_clock::now();
  database.close();
  BOOST_TEST((std::chrono::steady_clock::now() - begun < 5s));
  database.reopen();
  BOOST_TEST(must(database->check()).empty());
}

BOOST_AUTO_TEST_CASE(without_an_interval_and_while_loading_nothing_is_erased) {
  TemporaryDatabase database(options_with(0ms));
  fill(*database, 3);
  std::this_thread::sleep_for(50ms);
  BOOST_TEST(records(*database) == 9u);
  Options loading = options_with(1ms);
  loading.mode = OpenMode::bulk_load;
  database.reopen(loading);
  std::this_thread::sleep_for(50ms);
  BOOST_TEST(records(*database) == 9u);
  Options reading = options_with(1ms);
  reading.mode = OpenMode::read_only;
  database.reopen(reading);
  std::this_thread::sleep_for(50ms);
  BOOST_TEST(records(*database) == 9u);
  BOOST_TEST((database->erase_expired().error().code == ErrorCode::unsupported));
}

/// Stores the newest commit of a client that was made some time ago.
void keep_client(Database& database, const std::string& name, std::chrono::microseconds age,
                 bool is_unfinished = false) {
  must(Access::core(database)->write_note(
      codec::client_entry_key(name),
      codec::encode(codec::ClientEntry{1, system_time() - age.count(), {}, is_unfinished})));
}

bool has_client(Database& database, const std::string& name) {
  return must(Access::core(database)->note(codec::client_entry_key(name))).has_value();
}

BOOST_AUTO_TEST_CASE(clients_and_requests_are_forgotten_after_their_times) {
  TemporaryDatabase database(options_with(0ms));
  const auto request = [](const char* id) { return codec::request_name("token", "acme", id); };
  keep_client(*database, "young", 23h);
  keep_client(*database, "old", 25h);
  keep_client(*database, request("young"), 9min);
  keep_client(*database, request("old"), 11min);
  keep_client(*database, request("running"), 23h, true);
  keep_client(*database, request("abandoned"), 25h, true);
  must(engine::forget_old_clients(*Access::core(*database), {}, system_time()));
  for (const std::string& name : {std::string("young"), request("young"), request("running")})
    BOOST_TEST(has_client(*database, name), name);
  for (const std::string& name : {std::string("old"), request("old"), request("abandoned")})
    BOOST_TEST(!has_client(*database, name), name);
}

// The request that drops the namespace is newer than the others, and its entry is needed if its answer is lost.
BOOST_AUTO_TEST_CASE(requests_of_a_namespace_are_forgotten_if_they_are_older) {
  TemporaryDatabase database(options_with(0ms));
  const auto request = [](const char* name_space, const char* id) {
    return codec::request_name("token", name_space, id);
  };
  keep_client(*database, request("acme", "old"), 2min);
  keep_client(*database, request("acme", "running"), 2min, true);
  keep_client(*database, request("acme", "drop"), 0min);
  keep_client(*database, request("acme2", "old"), 2min);
  const std::int64_t before = system_time() - std::chrono::microseconds(1min).count();
  must(engine::forget_requests_in(*Access::core(*database), "acme", before));
  for (const std::string& name : {request("acme", "drop"), request("acme2", "old")})
    BOOST_TEST(has_client(*database, name), name);
  for (const std::string& name : {request("acme", "old"), request("acme", "running")})
    BOOST_TEST(!has_client(*database, name), name);
}

// After 60 intervals, which are an hour by default.
BOOST_AUTO_TEST_CASE(old_clients_are_forgotten_in_the_background) {
  TemporaryDatabase database(options_with(5ms));
  keep_client(*database, "young", 1h);
  keep_client(*database, "old", 25h);
  BOOST_TEST(comes_true([&] { return !has_client(*database, "old"); }));
  BOOST_TEST(has_client(*database, "young"));
}

BOOST_AUTO_TEST_SUITE_END()
