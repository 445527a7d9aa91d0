// A replica of a home, and what its readers may demand.
#include "codec/commit_record.hpp"
#include "engine/home/home_names.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/temporary_directory.hpp"

#include <cairn/cairn.hpp>

#include <boost/test/unit_test.hpp>
#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace cairn;
using namespace cairn::test;
using namespace std::chrono_literals;

namespace {

using Clock = std::chrono::steady_clock;

constexpr ReadContract strong{.max_staleness = 0ms};

/// A home, and owners of it one after the other. The commit with the number n makes the node {n: n}.
struct FollowedFixture {
  TemporaryDirectory root;
  std::string home = "dir:" + (root.path() / "store").string();
  std::unique_ptr<Database> owner;
  std::uint64_t commits = 0;
  int directories = 0;

  FollowedFixture() {
    open_owner(true);
    commit();
  }
  /// Opens the home as its next owner. With an empty directory it takes over from the owner before; with that of the owner
  /// before, it is closed first.
  void open_owner(bool is_empty) {
    if (is_empty) ++directories;
    if (!is_empty) owner.reset();
    Options options;
    options.home = home;
    options.share = Share::exclusive;
    owner = std::make_unique<Database>(
        must(Database::open(root.path() / ("owner" + std::to_string(directories)), options)));
  }
  void commit() {
    const auto next = static_cast<std::int64_t>(commits + 1);
    must(owner->write([&](Transaction& transaction) -> Status {
      CAIRN_TRY(transaction.create_node({{"A"}, {{"n", next}}}));
      return {};
    }));
    ++commits;
  }
  [[nodiscard]] HomeFollower follower(const std::string& name = "follower") const {
    return must(HomeFollower::open(home, root.path() / name));
  }
};

/// While it lives, this process writes no file beyond one byte, as on a full disk.
class FullDisk {
 public:
  FullDisk() : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &limit_);
    rlimit small = limit_;
    small.rlim_cur = 1;
    ::setrlimit(RLIMIT_FSIZE, &small);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &limit_);
    std::signal(SIGXFSZ, handler_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  void (*handler_)(int);
  rlimit limit_{};
};

/// True if the database has the nodes of exactly these commits.
bool is_whole(const FollowedDatabase& state) {
  Rows rows = must(execute(*state.database, "MATCH (n:A) RETURN count(n), coalesce(max(n.n), 0)"));
  const Row row = *must(rows.next());
  const auto expected = static_cast<std::int64_t>(state.commit);
  return row[0] == Value(expected) && row[1] == Value(expected);
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(home_follower, FollowedFixture)

BOOST_AUTO_TEST_CASE(a_replica_reads_what_was_committed_and_writes_nothing) {
  HomeFollower replica = follower();
  const FollowedDatabase first = must(replica.read());
  BOOST_TEST(is_whole(first));
  BOOST_TEST(!execute(*first.database, "CREATE (:A)"));
  commit();
  const FollowedDatabase second = must(replica.read(strong));
  BOOST_TEST(second.commit == 2U);
  BOOST_TEST(is_whole(second));
  // A state does not change under its reader.
  BOOST_TEST(first.commit == 1U);
  BOOST_TEST(is_whole(first));
  BOOST_TEST(must(home_history(home)).owner.find("process") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_causal_read_waits_for_its_commit) {
  HomeFollower replica = follower();
  const auto missing = replica.read({.at_least = 2, .patience = 100ms});
  BOOST_REQUIRE(!missing);
  BOOST_TEST((missing.error().code == ErrorCode::busy));
  BOOST_TEST(missing.error().message.find("commit 2") != std::string::npos);
  std::thread later([&] {
    std::this_thread::sleep_for(200ms);
    commit();
  });
  const FollowedDatabase state = must(replica.read({.at_least = 2}));
  later.join();
  BOOST_TEST(state.commit == 2U);
  BOOST_TEST(is_whole(state));
}

BOOST_AUTO_TEST_CASE(a_store_that_does_not_answer_ends_only_reads_that_demand_it) {
  HomeFollower replica = follower();
  const auto store = root.path() / "store";
  std::filesystem::rename(store, root.path() / "away");
  std::filesystem::copy_file(root.path() / "owner1" / "HOME", store);
  std::this_thread::sleep_for(300ms);
  BOOST_TEST(is_whole(must(replica.read())));
  BOOST_TEST(must(replica.read({.max_staleness = 1min})).staleness >= 300ms);
  const auto refused = replica.read({.max_staleness = 0ms, .patience = 50ms});
  BOOST_REQUIRE(!refused);
  BOOST_TEST((refused.error().code == ErrorCode::busy));
  std::filesystem::remove(store);
  std::filesystem::rename(root.path() / "away", store);
  BOOST_TEST(is_whole(must(replica.read(strong))));
}

BOOST_AUTO_TEST_CASE(a_full_disk_ends_only_reads_that_demand_new_commits) {
  HomeFollower replica =
      must(HomeFollower::open(home, root.path() / "follower", {.look_interval = 0ms}));
  commit();
  {
    const FullDisk full;
    BOOST_TEST(must(replica.read()).commit == 1U);
    const auto refused = replica.read({.max_staleness = 0ms, .patience = 50ms});
    BOOST_REQUIRE(!refused);
    BOOST_TEST((refused.error().code == ErrorCode::busy));
    BOOST_TEST(refused.error().message.find("make room on the disk") != std::string::npos,
               refused.error().message);
  }
  // The same copy goes on.
  const FollowedDatabase state = must(replica.read(strong));
  BOOST_TEST(state.commit == 2U);
  BOOST_TEST(is_whole(state));
  BOOST_TEST(std::filesystem::exists(root.path() / "follower" / "states" / "1"));
}

BOOST_AUTO_TEST_CASE(the_longest_times_are_no_short_ones) {
  HomeFollower replica = follower();
  constexpr auto for_ever = std::chrono::milliseconds::max();
  BOOST_TEST(is_whole(must(replica.read({.max_staleness = for_ever, .patience = for_ever}))));
  HomeFollower lazy =
      must(HomeFollower::open(home, root.path() / "lazy", {.look_interval = for_ever}));
  commit();
  BOOST_TEST(must(lazy.read()).commit == 1U);
  BOOST_TEST(must(lazy.read({.at_least = 2})).commit == 2U);
}

BOOST_AUTO_TEST_CASE(a_replica_of_a_deleted_home_says_so) {
  HomeFollower replica = follower();
  must(delete_home(home, must(home_history(home)).database_id, OwnedHome::erase));
  const auto refused = replica.read(strong);
  BOOST_REQUIRE(!refused);
  BOOST_TEST((refused.error().code == ErrorCode::not_found));
}

BOOST_AUTO_TEST_CASE(a_replica_that_was_not_read_for_long_fetches_the_newest_checkpoint) {
  HomeFollower replica = follower();
  for (int i = 0; i < 4; ++i) {
    commit();
    must(owner->close());
    open_owner(false);
  }
  BOOST_TEST(must(home_history(home)).states.front().commit > 1U);
  const FollowedDatabase state = must(replica.read(strong));
  BOOST_TEST(state.commit == commits);
  BOOST_TEST(is_whole(state));
}

// A collector erases the oldest slots first, and a slow node may fence a slot after it was erased. The follower must not take
// that fence for the end of the epoch while the slots of the next epochs are still there.
BOOST_AUTO_TEST_CASE(a_late_fence_in_a_collected_slot_hides_no_commit) {
  namespace fs = std::filesystem;
  HomeFollower replica = follower();
  const auto folder = [&] {
    for (const auto& entry : fs::recursive_directory_iterator(root.path() / "store"))
      if (entry.path().filename() == "log") return entry.path();
    return fs::path();
  }();
  BOOST_REQUIRE(!folder.empty());
  constexpr auto keeping = fs::copy_options::recursive | fs::copy_options::update_existing;
  const fs::path all = root.path() / "all_slots";
  fs::copy(folder, all, keeping);
  const auto slots_of_first = [&] {
    return std::distance(fs::directory_iterator(all / "0000000000000001"), {});
  };
  const auto next = static_cast<std::uint64_t>(slots_of_first()) + 1;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) commit();
    fs::copy(folder, all, keeping);
    must(owner->close());
    open_owner(false);
    fs::copy(folder, all, keeping);
  }
  commit();
  fs::copy(folder, all, keeping);
  // The slots of the first epoch are collected but for the late fence, those of the next epochs not yet.
  const auto collected = engine::home_name::slot(1, next).substr(std::string("log/").size());
  BOOST_REQUIRE(!fs::exists(folder / collected));
  fs::copy(all, folder, keeping);
  fs::remove_all(folder / "0000000000000001");
  codec::CommitRecord fence;
  fence.kind = codec::RecordKind::fence;
  fence.database_id = must(home_history(home)).database_id;
  fence.epoch = 1;
  fence.slot = next;
  fence.opening = 1;
  fs::create_directory(folder / "0000000000000001");
  std::ofstream(folder / collected, std::ios::binary) << codec::encode(fence);
  const FollowedDatabase state = must(replica.read(strong));
  BOOST_TEST(state.commit == commits);
  BOOST_TEST(is_whole(state));
}

BOOST_AUTO_TEST_CASE(two_followers_do_not_share_a_directory) {
  std::optional<FollowedDatabase> state;
  {
    HomeFollower replica = follower();
    state = must(replica.read());
    BOOST_TEST(
        (HomeFollower::open(home, root.path() / "follower").error().code == ErrorCode::busy));
  }
  // As long as a state is read.
  BOOST_TEST(!HomeFollower::open(home, root.path() / "follower"));
  state.reset();
  HomeFollower replica = follower();
  const auto states = root.path() / "follower" / "states";
  const auto in_states = std::distance(std::filesystem::directory_iterator(states), {});
  BOOST_TEST(in_states == 1);
}

BOOST_AUTO_TEST_CASE(readers_hold_only_so_many_states) {
  HomeFollower replica =
      must(HomeFollower::open(home, root.path() / "few", {.look_interval = 0ms, .most_states = 3}));
  std::deque<FollowedDatabase> held;
  for (int i = 0; i < 3; ++i) {
    held.push_back(must(replica.read(strong)));
    commit();
  }
  // A read without demands gets the newest of them.
  BOOST_TEST(must(replica.read()).commit == 3U);
  const auto refused = replica.read({.max_staleness = 0ms, .patience = 50ms});
  BOOST_REQUIRE(!refused);
  BOOST_TEST((refused.error().code == ErrorCode::busy));
  BOOST_TEST(refused.error().message.find("readers hold 3 states") != std::string::npos);
  for (const FollowedDatabase& state : held) BOOST_TEST(is_whole(state));
  held.pop_front();
  const FollowedDatabase newest = must(replica.read(strong));
  BOOST_TEST(newest.commit == 4U);
  BOOST_TEST(is_whole(newest));
  for (const FollowedDatabase& state : held) BOOST_TEST(is_whole(state));
}

// States share one store, so that a new one costs no copy of it.
BOOST_AUTO_TEST_CASE(states_share_one_directory) {
  HomeFollower replica = follower();
  std::deque<FollowedDatabase> held;
  for (int i = 0; i < 4; ++i) {
    held.push_back(must(replica.read(strong)));
    commit();
  }
  const auto states = root.path() / "follower" / "states";
  BOOST_TEST(std::distance(std::filesystem::directory_iterator(states), {}) == 1);
}

BOOST_AUTO_TEST_CASE(vectors_and_texts_are_found_in_new_commits) {
  must(execute(*owner,
               "CREATE VECTOR INDEX v FOR (m:M) ON (m.e) OPTIONS {indexConfig: "
               "{`vector.dimensions`: 2, `vector.similarity_function`: 'cosine'}}"));
  must(execute(*owner, "CREATE FULLTEXT INDEX t FOR (m:M) ON EACH [m.text]"));
  HomeFollower replica = follower();
  must(execute(*owner, "CREATE (:M {text: 'green tea', e: vector([1.0, 0.0], 2, FLOAT32)})"));
  must(execute(*owner, "CREATE (:M {text: 'black coffee', e: vector([0.0, 1.0], 2, FLOAT32)})"));
  const FollowedDatabase state = must(replica.read(strong));
  const auto found = [&](const char* text) {
    Rows rows = must(execute(*state.database, text));
    return (*must(rows.next()))[0].to_text();
  };
  BOOST_TEST(
      found("MATCH (m:M) SEARCH m IN (VECTOR INDEX v FOR [0.1, 0.9] LIMIT 1) RETURN m.text") ==
      "'black coffee'");
  BOOST_TEST(found("CALL db.index.fulltext.queryNodes('t', 'tea') YIELD node RETURN node.text") ==
             "'green tea'");
}

// Random histories: commits, checkpoints, owners that release the home and owners that are taken over, and reads of two
// replicas.
BOOST_AUTO_TEST_CASE(no_read_of_a_random_history_contradicts_its_contract) {
  std::mt19937 random(24);
  const auto draw = [&](int below) {
    return std::uniform_int_distribution<int>(0, below - 1)(random);
  };
  std::deque<HomeFollower> replicas;
  for (int i = 0; i < 2; ++i) replicas.push_back(follower("replica" + std::to_string(i)));
  std::vector<std::uint64_t> seen(2, 0);
  for (int step = 0; step < 400; ++step) {
    const int what = draw(20);
    if (what < 11) commit();
    if (what == 11) must(owner->close());
    if (what == 11 || what == 12) open_owner(draw(2) == 0);
    if (what < 13) continue;
    const auto at = static_cast<std::size_t>(draw(2));
    ReadContract contract;
    if (what == 13) contract.at_least = commits;
    if (what > 16) contract = strong;
    const FollowedDatabase state = must(replicas[at].read(contract));
    BOOST_TEST(is_whole(state), "step " << step);
    BOOST_TEST(state.commit >= seen[at]);
    BOOST_TEST(state.commit >= contract.at_least);
    if (contract.max_staleness) BOOST_TEST(state.commit == commits);
    seen[at] = state.commit;
  }
}

// An owner that commits all the time. Each reader knows what was acknowledged, and when.
BOOST_AUTO_TEST_CASE(no_read_beside_commits_contradicts_its_contract) {
  HomeFollower replica = follower();
  std::mutex mutex;  // guards acknowledged
  std::vector<std::pair<Clock::time_point, std::uint64_t>> acknowledged{{Clock::now(), 1}};
  const auto known_at = [&](Clock::time_point time) {
    const std::lock_guard lock(mutex);
    std::uint64_t known = 0;
    for (const auto& [when, commit] : acknowledged)
      if (when <= time) known = commit;
    return known;
  };
  std::atomic<bool> is_over = false;
  std::atomic<int> wrong = 0;
  std::atomic<int> reads = 0;
  std::thread writer([&] {
    while (!is_over) {
      commit();
      if (commits % 40 == 0) open_owner(false);
      const std::lock_guard lock(mutex);
      acknowledged.emplace_back(Clock::now(), commits);
    }
  });
  const auto read = [&](std::chrono::milliseconds staleness, bool is_causal) {
    while (!is_over) {
      const auto begin = Clock::now();
      ReadContract contract{.max_staleness = staleness};
      if (is_causal) contract = {.at_least = known_at(begin)};
      const std::uint64_t least = is_causal ? contract.at_least : known_at(begin - staleness);
      const auto state = replica.read(contract);
      ++reads;
      if (!state || state->commit < least || !is_whole(*state)) ++wrong;
    }
  };
  std::vector<std::thread> readers;
  readers.emplace_back(read, 0ms, false);
  readers.emplace_back(read, 0ms, false);
  readers.emplace_back(read, 100ms, false);
  readers.emplace_back(read, 0ms, true);
  std::this_thread::sleep_for(4s);
  is_over = true;
  writer.join();
  for (std::thread& reader : readers) reader.join();
  BOOST_TEST(wrong == 0);
  BOOST_TEST(reads > 20);
  BOOST_TEST_MESSAGE(reads << " reads beside " << commits << " commits");
}

// Another follower may use the directory that took the place.
BOOST_AUTO_TEST_CASE(a_replica_touches_nothing_in_a_directory_that_took_the_place_of_its_own) {
  const auto directory = root.path() / "follower";
  std::optional<HomeFollower> replica = follower();
  must(replica->read());
  std::filesystem::rename(directory, root.path() / "moved");
  const auto copy_of_other = directory / "states" / "1" / "store";
  std::filesystem::create_directories(copy_of_other);
  commit();
  const auto late = replica->read(strong);
  const std::string said = late ? "success" : late.error().message;
  BOOST_TEST(said.find("was deleted or replaced while process") != std::string::npos, said);
  replica.reset();
  BOOST_TEST(std::filesystem::exists(copy_of_other));
}

BOOST_AUTO_TEST_SUITE_END()
