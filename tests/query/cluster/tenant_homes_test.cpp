// The homes of two nodes of one store, in this process.
#include "query/cluster/tenant_homes.hpp"

#include "engine/home/home.hpp"
#include "engine/home/home_names.hpp"
#include "engine/home/home_watch.hpp"
#include "engine/store/lock_file.hpp"
#include "query/cluster/health_page.hpp"
#include "query/cluster/left_replicas.hpp"
#include "tests/engine/home/s3_stub.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/temporary_directory.hpp"

#include <cairn/database.hpp>
#include <cairn/home.hpp>
#include <cairn/options.hpp>

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

using namespace cairn;
using namespace cairn::test;
using query::bolt::MayMake;
using query::bolt::SeenCommit;
using query::bolt::TenantEntry;
using query::bolt::TenantPlace;
using query::cluster::ClusterTokens;
using query::cluster::HealthPage;
using query::cluster::NodeSettings;
using query::cluster::TenantHomes;

namespace {

const TenantEntry make{MayMake::yes};
const TenantEntry reading{MayMake::no, true};

/// After it a node looks at the head of a home before it serves.
constexpr std::chrono::milliseconds vouching_time{2'100};

class TestNode {
 public:
  TestNode(const TemporaryDirectory& root, const std::string& store, const std::string& name,
           std::size_t most_open)
      : page_(must(HealthPage::open({"127.0.0.1", 0}, [this] {
          ++asked_;
          return HealthPage::Content{};
        }))) {
    settings_.homes = store;
    settings_.directory = root.path() / name / "homes";
    settings_.self = {name + ":7687", page_->address().text()};
    settings_.home_memory_bytes = std::size_t{32} << 20;
    std::filesystem::create_directories(root.path() / name);
    tokens_ = must(ClusterTokens::open(root.path() / name, store));
    homes_ = std::make_unique<TenantHomes>(settings_, *tokens_, most_open);
    settings_.make_room = [this](std::atomic<bool>& is_open) { return homes_->make_room(is_open); };
  }
  TenantHomes* operator->() { return homes_.get(); }
  /// Ends the health page, as the end of the process does.
  void fall_silent() { page_->close(); }
  /// How often other nodes have asked the health page.
  [[nodiscard]] int asked() const { return asked_; }

 private:
  std::atomic<int> asked_ = 0;
  std::unique_ptr<HealthPage> page_;
  NodeSettings settings_;
  std::unique_ptr<ClusterTokens> tokens_;
  std::unique_ptr<TenantHomes> homes_;
};

struct HomesFixture {
  TemporaryDirectory root;
  std::string store = "dir:" + (root.path() / "store").string();
  TestNode one{root, store, "one", 8};
  TestNode two{root, store, "two", 8};

  /// Takes a home by force, as a program of its own does.
  void steal(const std::string& tenant) const {
    Options options;
    options.home = store + "#" + tenant;
    must(must(Database::open(root.path() / "thief", options)).close());
  }
};

Status create_node(Database& database) {
  return database.write([](Transaction& transaction) -> Status {
    CAIRN_TRY(transaction.create_node({{"A"}, {}}));
    return {};
  });
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(tenant_homes, HomesFixture)

BOOST_AUTO_TEST_CASE(a_home_is_made_only_by_who_may) {
  const auto refused = one->enter("acme", {});
  BOOST_REQUIRE(!refused);
  BOOST_TEST((refused.error().code == ErrorCode::not_found));
  BOOST_TEST((home_history(store + "#acme").error().code == ErrorCode::not_found));
  BOOST_TEST(one->open_homes() == 0U);
  BOOST_TEST(must(one->enter("acme/team", make)).database != nullptr);
  BOOST_TEST(must(one->enter("acme", {})).database != nullptr);
  BOOST_TEST(must(two->enter("acme", {})).server == "one:7687");
}

BOOST_AUTO_TEST_CASE(a_home_in_which_nothing_was_committed_is_there) {
  static_cast<void>(must(one->enter("acme", make)));
  must(one->close_all());
  BOOST_TEST(must(two->enter("acme", {})).database != nullptr);
}

BOOST_AUTO_TEST_CASE(a_node_opens_no_more_homes_than_it_has_memory_for) {
  TestNode small(root, store, "small", 2);
  {
    const TenantPlace a = must(small->enter("a", make));
    const TenantPlace b = must(small->enter("b", make));
    const auto refused = small->enter("c", make);
    BOOST_REQUIRE(!refused);
    BOOST_TEST((refused.error().code == ErrorCode::busy));
    BOOST_TEST(refused.error().message.find("--memory-mb") != std::string::npos);
    BOOST_TEST(must(small->enter("a", make)).database == a.database);
  }
  BOOST_TEST(must(small->enter("c", make)).database != nullptr);
  BOOST_TEST(small->open_homes() == 2U);
  // What was closed for it is released.
  BOOST_TEST(must(two->enter("b", {})).database != nullptr);
}

BOOST_AUTO_TEST_CASE(the_end_of_a_node_is_no_failure_for_a_home_that_was_taken) {
  for (const char* tenant : {"taken", "deleted", "kept"}) {
    const TenantPlace place = must(one->enter(tenant, make));
    must(create_node(*place.database));
  }
  steal("taken");
  const std::string deleted = store + "#deleted";
  must(delete_home(deleted, must(home_history(deleted)).database_id, OwnedHome::erase));
  must(one->close_all());
  BOOST_TEST(must(home_history(store + "#kept")).owner.empty());
}

BOOST_AUTO_TEST_CASE(a_node_that_lost_a_home_does_not_serve_it) {
  must(create_node(*must(one->enter("acme", make)).database));
  one.fall_silent();
  // The owner's health page refuses connections, so the other node takes the home.
  const TenantPlace taken = must(two->enter("acme", {}));
  BOOST_REQUIRE(taken.database != nullptr);
  must(create_node(*taken.database));
  std::this_thread::sleep_for(vouching_time);
  const TenantPlace asked = must(one->enter("acme", {}));
  BOOST_TEST(asked.database == nullptr);
  BOOST_TEST(asked.server == "two:7687");
}

BOOST_AUTO_TEST_CASE(a_node_that_has_not_the_home_reads_a_replica_of_it) {
  const TenantPlace owner = must(one->enter("acme", make));
  must(create_node(*owner.database));
  const TenantPlace replica = must(two->enter("acme", reading));
  BOOST_REQUIRE(replica.database != nullptr);
  BOOST_TEST(replica.server == "two:7687");
  BOOST_TEST(two->open_homes() == 1U);
  BOOST_TEST(must(replica.database->snapshot()).commit_number() == 1U);
  // A client that has seen a commit reads it.
  must(create_node(*owner.database));
  const std::string id = must(home_history(store + "#acme")).database_id;
  TenantEntry seen = reading;
  seen.seen = {SeenCommit{"another", 7}, SeenCommit{id, 2}};
  BOOST_TEST(must(must(two->enter("acme", seen)).database->snapshot()).commit_number() == 2U);
  // Writing goes to the owner; after its end the replica gives way to the home, as soon as the owner is asked again.
  BOOST_TEST(must(two->enter("acme", make)).database == nullptr);
  must(one->close_all());
  std::this_thread::sleep_for(vouching_time);
  const TenantPlace taken = must(two->enter("acme", reading));
  must(create_node(*taken.database));
  BOOST_TEST(two->open_homes() == 1U);
  must(two->close_all());
  BOOST_TEST(two->open_homes() == 0U);
}

BOOST_AUTO_TEST_CASE(reads_of_a_replica_ask_for_the_owner_at_most_every_two_seconds) {
  const TenantPlace owner = must(one->enter("acme", make));
  must(create_node(*owner.database));
  const std::string id = must(home_history(store + "#acme")).database_id;
  const auto begin = std::chrono::steady_clock::now();
  TenantEntry seen = reading;
  for (std::uint64_t commit = 1; commit <= 10; ++commit) {
    seen.seen = {SeenCommit{id, commit}};
    const TenantPlace read = must(two->enter("acme", seen));
    BOOST_TEST(must(read.database->snapshot()).commit_number() == commit);
    must(create_node(*owner.database));
  }
  const auto took = std::chrono::steady_clock::now() - begin;
  BOOST_TEST(one.asked() <= 1 + took / std::chrono::seconds(2));
  // A write asks at once, and so does a read after a while: then a node that has gone is found out.
  const int before = one.asked();
  BOOST_TEST(must(two->enter("acme", {})).database == nullptr);
  BOOST_TEST(one.asked() > before);
  one.fall_silent();
  std::this_thread::sleep_for(vouching_time);
  must(create_node(*must(two->enter("acme", reading)).database));
}

BOOST_AUTO_TEST_CASE(a_read_that_failed_asks_again_for_the_owner) {
  must(create_node(*must(one->enter("acme", make)).database));
  static_cast<void>(must(two->enter("acme", reading)));
  const std::string home = store + "#acme";
  must(delete_home(home, must(home_history(home)).database_id, OwnedHome::erase));
  // The replica looks at its home after its interval, and finds that it was deleted.
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  const auto deleted = two->enter("acme", reading);
  BOOST_REQUIRE(!deleted);
  BOOST_TEST((deleted.error().code == ErrorCode::not_found));
  BOOST_TEST(!two->enter("acme", reading));
  BOOST_TEST(two->open_homes() == 0U);
}

// A home counts from the moment at which it may be opened, so that threads that open others at once do not pass the limit
// together.
BOOST_AUTO_TEST_CASE(homes_that_are_opened_at_once_keep_the_limit) {
  for (int round = 0; round < 4; ++round) {
    TestNode small(root, store, "small" + std::to_string(round), 2);
    std::atomic<int> open = 0;
    std::atomic<int> most = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 6; ++i)
      threads.emplace_back([&, tenant = "r" + std::to_string(10 * round + i)] {
        const auto place = small->enter(tenant, make);
        if (!place) return;
        const int now = ++open;
        for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) continue;
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        --open;
      });
    for (std::thread& thread : threads) thread.join();
    BOOST_TEST(most <= 2);
    BOOST_TEST(most >= 1);
  }
}

BOOST_AUTO_TEST_CASE(a_node_erases_what_killed_replicas_left) {
  namespace fs = std::filesystem;
  const fs::path homes = root.path() / "left";
  for (const char* home : {"a-replica", "b-replica", "c"}) {
    fs::create_directories(homes / "00" / home / "states" / "1" / "store");
    std::ofstream(homes / "00" / home / "LOCK");
  }
  {
    const auto read = must(engine::LockFile::take(homes / "00" / "b-replica" / "LOCK",
                                                  engine::LockFile::Sharing::exclusive));
    query::cluster::erase_left_replicas(homes);
  }
  BOOST_TEST(!fs::exists(homes / "00" / "a-replica" / "states"));
  BOOST_TEST(fs::exists(homes / "00" / "b-replica" / "states" / "1"));
  BOOST_TEST(fs::exists(homes / "00" / "c" / "states" / "1"));
}

BOOST_AUTO_TEST_CASE(a_replica_gives_way_to_other_homes) {
  TestNode small(root, store, "small", 1);
  for (const char* tenant : {"a", "b"}) must(create_node(*must(one->enter(tenant, make)).database));
  for (const char* tenant : {"a", "b", "a"})
    BOOST_TEST(must(small->enter(tenant, reading)).database != nullptr, tenant);
  BOOST_TEST(small->open_homes() == 1U);
}

// A state that is read keeps its replica, whose directory no second one can have.
BOOST_AUTO_TEST_CASE(a_replica_that_is_read_stays_and_is_read_again) {
  TestNode small(root, store, "small", 1);
  for (const char* tenant : {"a", "b"}) must(create_node(*must(one->enter(tenant, make)).database));
  {
    const TenantPlace a = must(small->enter("a", reading));
    const auto refused = small->enter("b", reading);
    BOOST_REQUIRE(!refused);
    BOOST_TEST((refused.error().code == ErrorCode::busy));
    BOOST_TEST(must(small->enter("a", reading)).database != nullptr);
  }
  const TenantPlace b = must(small->enter("b", reading));
  BOOST_TEST(small->open_homes() == 1U);
  // The home comes here and goes again, while the state is read.
  must(one->close_all());
  BOOST_TEST(must(small->enter("b", {})).database != b.database);
  must(small->close_all());
  BOOST_TEST(must(b.database->snapshot()).commit_number() == 1U);
}

BOOST_AUTO_TEST_CASE(a_home_that_comes_and_goes_is_read_by_the_replica_before) {
  must(create_node(*must(one->enter("a", make)).database));
  const TenantPlace before = must(two->enter("a", reading));
  one.fall_silent();
  must(create_node(*must(two->enter("a", {})).database));
  TestNode three(root, store, "three", 8);
  two.fall_silent();
  must(create_node(*must(three->enter("a", {})).database));
  std::this_thread::sleep_for(vouching_time);
  const TenantPlace after = must(two->enter("a", reading));
  BOOST_REQUIRE(after.database != nullptr);
  BOOST_TEST(must(after.database->snapshot()).commit_number() == 3U);
  BOOST_TEST(must(before.database->snapshot()).commit_number() == 1U);
}

// The other owner comes while this node opens the database, after it has replaced the head.
BOOST_AUTO_TEST_CASE(a_node_that_lost_a_home_while_it_opened_it_does_not_serve_it) {
  const std::string home = store + "#acme";
  must(create_node(*must(two->enter("acme", make)).database));
  must(two->close_all());
  std::atomic<bool> is_taken = false;
  std::unique_ptr<engine::Home> other;
  std::thread thief([&] {
    auto watch = must(engine::HomeWatch::open(home));
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (!must(watch.look())->owner.address.starts_with("one:"))
      if (std::chrono::steady_clock::now() > end) return;
    other = must(engine::Home::open(home, {}));
    is_taken = true;
  });
  const auto place = one->enter("acme", {});
  const bool was_taken = is_taken;
  thief.join();
  BOOST_TEST_MESSAGE("taken " << (was_taken ? "meanwhile" : "too late"));
  BOOST_TEST((!was_taken || !place || place->database == nullptr));
}

// The slower node of each race finds out, though it took over first and was replaced before it had read the head.
BOOST_AUTO_TEST_CASE(of_two_nodes_that_take_a_home_at_once_one_serves_it) {
  constexpr int tenants = 8;
  const auto race = [](TestNode& node) {
    for (int i = 0; i < tenants; ++i) static_cast<void>(node->enter("t" + std::to_string(i), make));
  };
  std::thread other([&] { race(two); });
  race(one);
  other.join();
  std::this_thread::sleep_for(vouching_time);
  for (int i = 0; i < tenants; ++i) {
    const std::string tenant = "t" + std::to_string(i);
    const TenantPlace at_one = must(one->enter(tenant, {}));
    const TenantPlace at_two = must(two->enter(tenant, {}));
    BOOST_TEST((at_one.database == nullptr) != (at_two.database == nullptr), tenant);
    BOOST_TEST(at_one.server == at_two.server);
  }
}

#ifdef CAIRN_TEST_S3

// The answer to its look is late, and meanwhile the home is another one's.
BOOST_AUTO_TEST_CASE(an_owner_vouches_from_when_it_asked_and_not_from_the_answer) {
  S3Stub stub;
  stub.set_environment();
  store = "s3://bucket/late";
  TestNode owner(root, store, "owner", 8);
  must(create_node(*must(owner->enter("acme", make)).database));
  const std::string head = must(engine::home_name::root("acme")) + engine::home_name::head;
  std::this_thread::sleep_for(vouching_time);
  std::atomic<bool> is_late{false};
  stub.after_request = [&](const HttpRequest& request) {
    if (!request.path.ends_with(head) || is_late.exchange(true)) return;
    Options options;
    options.home = store + "#acme";
    Database thief = must(Database::open(root.path() / "thief", options));
    must(create_node(thief));
    must(thief.close());
    std::this_thread::sleep_for(vouching_time);
  };
  // It began before the other one's commit.
  BOOST_TEST(must(owner->enter("acme", {})).database != nullptr);
  BOOST_TEST(is_late.load());
  const TenantPlace place = must(owner->enter("acme", {}));
  BOOST_TEST(must(place.database->snapshot()).commit_number() == 2U);
}

// A close waits for the store, and other homes open meanwhile, in the room of others.
BOOST_AUTO_TEST_CASE(a_home_that_closes_slowly_makes_only_its_successor_wait) {
  S3Stub stub;
  stub.set_environment();
  store = "s3://bucket/slow";
  const std::string head = must(engine::home_name::root("a")) + engine::home_name::head;
  std::atomic<bool> is_slow{false};
  std::promise<void> closing;
  std::promise<void> goes_on;
  stub.before_request = [&](const HttpRequest& request) {
    const bool is_head = request.method == "PUT" && request.path.ends_with(head);
    if (!is_head || !is_slow.exchange(false)) return;
    closing.set_value();
    goes_on.get_future().wait();
  };
  TestNode small(root, store, "small", 2);
  for (const char* tenant : {"a", "b"})
    must(create_node(*must(small->enter(tenant, make)).database));
  is_slow = true;
  const auto enter = [&](const char* tenant) { return small->enter(tenant, make).has_value(); };
  auto successor = std::async(std::launch::async, enter, "c");
  closing.get_future().wait();
  auto other = std::async(std::launch::async, enter, "d");
  const bool has_waited = other.wait_for(std::chrono::seconds(10)) != std::future_status::ready;
  const std::size_t open = small->open_homes();
  goes_on.set_value();
  BOOST_TEST(!has_waited);
  BOOST_TEST(open == 2U);
  BOOST_TEST(other.get());
  BOOST_TEST(successor.get());
  BOOST_TEST(small->open_homes() == 2U);
}

#endif

BOOST_AUTO_TEST_SUITE_END()
