// Copies of a state of a home: in a directory, and under another address.
#include "engine/system/clock.hpp"
#include "tests/query/home/homes.hpp"

#include <cairn/home.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace cairn;
using namespace cairn::test;
namespace fs = std::filesystem;

namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::map<std::string, std::string> files_of(const fs::path& directory) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(directory)) {
    if (!entry.is_regular_file()) continue;
    std::ostringstream bytes;
    bytes << std::ifstream(entry.path(), std::ios::binary).rdbuf();
    files[entry.path().string()] = bytes.str();
  }
  return files;
}

/// A home of three owners, the last of which still has it, and what the database was after each commit.
struct ThreeOwners : HomeFixture {
  ThreeOwners() {
    const std::vector<std::string> begin = {
        "CREATE FULLTEXT INDEX notes FOR (n:Note) ON EACH [n.text]",
        "CREATE VECTOR INDEX meanings FOR (n:Note) ON (n.v) OPTIONS {indexConfig: "
        "{`vector.dimensions`: 2, `vector.similarity_function`: 'cosine'}}"};
    for (int round = 0; round < 3; ++round) {
      node.emplace(open("node" + std::to_string(round)));
      if (round == 0)
        for (const std::string& statement : begin) run(statement);
      const std::string r = std::to_string(round);
      run("UNWIND range(1, 100) AS i CREATE (:Note {n: i, round: " + r + ", text: 'word' + i})");
      run("MATCH (n:Note) WHERE n.n % 7 = " + r + " DETACH DELETE n");
      run("MATCH (a:Note {n: 5}), (b:Note {n: 6}) CREATE (a)-[:NEXT {round: " + r + "}]->(b)");
      if (round == 2) break;
      must(node->close());
      times.push_back(engine::system_time());
      node.reset();
    }
  }

  void run(const std::string& statement) {
    run_all(*node, {statement});
    exports[must(node->statistics()).commits] = export_of(*node);
  }

  [[nodiscard]] static std::string found(Database& database) {
    return result_of(database,
                     "MATCH (n:Note) SEARCH n IN (FULLTEXT INDEX notes FOR 'word5 word6' LIMIT 10) "
                     "RETURN count(n)");
  }

  /// Opens what was restored, and compares it with the database after this commit.
  void require_state(const fs::path& directory, std::uint64_t commit) const {
    Database database = must(Database::open(directory));
    BOOST_TEST(database.warnings().empty());
    BOOST_REQUIRE(export_of(database) == exports.at(commit));
    BOOST_TEST(must(database.statistics()).commits == commit);
    require_sound(database);
    run_all(database, {"CREATE (:More)"});
    must(database.close());
    Database again = must(Database::open(directory));
    BOOST_TEST(again.warnings().empty());
    BOOST_TEST(result_of(again, "MATCH (n:More) RETURN count(n)") == "1");
  }

  std::optional<Database> node;
  std::map<std::uint64_t, std::string> exports;  // by commit
  std::vector<std::int64_t> times;               // behind the states that are made at a close
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(home_copies, ThreeOwners)

BOOST_AUTO_TEST_CASE(each_commit_that_the_home_keeps_is_restored_and_the_owner_goes_on) {
  const HomeHistory history = must(home_history(home));
  BOOST_REQUIRE(history.states.size() == 2U);
  const std::uint64_t oldest = history.states.front().commit;
  const auto before = files_of(root.path() / "home");
  for (const auto& [commit, exported] : exports) {
    const fs::path directory = path("restored" + std::to_string(commit));
    HomePoint point;
    point.commit = commit;
    const auto copy = restore_home(home, directory, point);
    BOOST_TEST(copy.has_value() == (commit >= oldest));
    if (!copy) {
      BOOST_TEST((copy.error().code == ErrorCode::not_found));
      BOOST_TEST(has(copy.error().message, "commit " + std::to_string(commit)));
      BOOST_TEST(!fs::exists(directory));
      continue;
    }
    BOOST_TEST(copy->commit == commit);
    BOOST_TEST(copy->database_id == history.database_id);
    require_state(directory, commit);
  }
  BOOST_TEST((files_of(root.path() / "home") == before));
  run("CREATE (:Note {n: 1000})");
}

BOOST_AUTO_TEST_CASE(without_a_point_the_newest_state_is_restored) {
  const std::uint64_t newest = exports.rbegin()->first;
  BOOST_TEST(must(restore_home(home, path("restored"))).commit == newest);
  require_state(path("restored"), newest);
}

BOOST_AUTO_TEST_CASE(a_time_names_the_state_that_was_made_before) {
  const HomeHistory history = must(home_history(home));
  for (std::size_t i = 0; i < 2; ++i) {
    HomePoint point;
    point.time = times[i];
    const fs::path directory = path("restored" + std::to_string(i));
    BOOST_TEST(must(restore_home(home, directory, point)).commit == history.states[i].commit);
    require_state(directory, history.states[i].commit);
  }
  HomePoint early;
  early.time = 1;
  const auto refused = restore_home(home, path("early"), early);
  BOOST_REQUIRE(!refused.has_value());
  BOOST_TEST((refused.error().code == ErrorCode::not_found));
}

BOOST_AUTO_TEST_CASE(what_cannot_be_restored_leaves_nothing) {
  fs::create_directory(path("used"));
  std::ofstream(path("used") / "file") << "of somebody";
  const auto used = restore_home(home, path("used"));
  BOOST_REQUIRE(!used.has_value());
  BOOST_TEST((used.error().code == ErrorCode::invalid_argument));
  BOOST_TEST(files_of(path("used")).size() == 1U);
  HomePoint both;
  both.commit = 1;
  both.time = 1;
  BOOST_TEST((restore_home(home, path("both"), both).error().code == ErrorCode::invalid_argument));
  HomePoint later;
  later.commit = exports.rbegin()->first + 1;
  BOOST_TEST((restore_home(home, path("later"), later).error().code == ErrorCode::not_found));
  const auto none = restore_home("dir:" + path("nowhere").string(), path("none"));
  BOOST_REQUIRE(!none.has_value());
  BOOST_TEST((none.error().code == ErrorCode::not_found));
  for (const char* name : {"both", "later", "none", "later.restoring", "used.restoring"})
    BOOST_TEST(!fs::exists(path(name)), name);
}

BOOST_AUTO_TEST_CASE(a_state_is_restored_from_an_older_one_if_the_newest_is_damaged) {
  std::vector<fs::path> checkpoints;
  for (const auto& entry : fs::directory_iterator(home_directory() / "checkpoint"))
    checkpoints.push_back(entry.path());
  fs::remove(*std::ranges::max_element(checkpoints));
  const std::uint64_t newest = exports.rbegin()->first;
  for (const std::uint64_t commit : {newest, newest - 4}) {
    HomePoint point;
    point.commit = commit;
    const fs::path directory = path("restored" + std::to_string(commit));
    BOOST_TEST(must(restore_home(home, directory, point)).commit == commit);
    require_state(directory, commit);
  }
}

BOOST_AUTO_TEST_CASE(a_fork_and_its_origin_go_on_by_themselves) {
  const std::uint64_t newest = exports.rbegin()->first;
  HomeFixture other;
  HomePoint point;
  point.commit = newest - 1;
  const auto before = files_of(root.path() / "home");
  const HomeCopy fork = must(fork_home(home, other.home, point));
  BOOST_TEST((files_of(root.path() / "home") == before));
  BOOST_TEST(fork.commit == newest - 1);
  BOOST_TEST(fork.database_id != must(home_history(home)).database_id);
  const HomeHistory history = must(home_history(other.home));
  BOOST_TEST(history.database_id == fork.database_id);
  BOOST_TEST(history.owner.empty());
  BOOST_REQUIRE(history.states.size() == 1U);
  BOOST_TEST(history.states.front().commit == fork.commit);

  for (int round = 0; round < 3; ++round) {
    Database forked = other.open("node" + std::to_string(round));
    BOOST_TEST(forked.warnings().empty());
    if (round == 0) BOOST_REQUIRE(export_of(forked) == exports.at(fork.commit));
    BOOST_TEST(must(forked.statistics()).commits == fork.commit + static_cast<unsigned>(round));
    run_all(forked, {"CREATE (:Forked {n: " + std::to_string(round) + ", text: 'word5'})"});
    BOOST_TEST(result_of(forked, "MATCH (n:Forked) RETURN count(n)") == std::to_string(round + 1));
    BOOST_TEST(found(forked) == found(*node));
    require_sound(forked);
    must(forked.close());
  }
  run("CREATE (:Note {n: 2000})");
  BOOST_TEST(result_of(*node, "MATCH (n:Forked) RETURN count(n)") == "0");
  must(node->close());
  // A copy of the one is no copy of the other.
  Options mixed;
  mixed.home = other.home;
  const auto refused = Database::open(path("node2"), mixed);
  BOOST_REQUIRE(!refused.has_value());
  BOOST_TEST((refused.error().code == ErrorCode::conflict));
}

BOOST_AUTO_TEST_CASE(a_fork_is_refused_where_a_home_is) {
  const auto refused = fork_home(home, home);
  BOOST_REQUIRE(!refused.has_value());
  BOOST_TEST((refused.error().code == ErrorCode::already_exists));
  BOOST_TEST(has(refused.error().message, home));
  // Of a state that is not there, nothing is made.
  HomePoint later;
  later.commit = 1'000;
  HomeFixture other;
  BOOST_TEST((fork_home(home, other.home, later).error().code == ErrorCode::not_found));
  for (const char* name : {"/head", "/part/", "/checkpoint/"})
    BOOST_TEST(other.objects(name) == 0U, name);
}

// It leaves files of the database, which the owner of a later home erases.
BOOST_AUTO_TEST_CASE(a_fork_that_was_killed_is_made_again) {
  for (const bool has_checkpoint : {false, true}) {
    HomeFixture other;
    must(fork_home(home, other.home));
    const fs::path place = other.home_directory();
    fs::remove(place / "head");
    if (!has_checkpoint) fs::remove_all(place / "checkpoint");
    const auto left = files_of(place / "part");
    BOOST_REQUIRE(!left.empty());
    must(fork_home(home, other.home));
    Database forked = other.open("node");
    BOOST_REQUIRE(export_of(forked) == exports.rbegin()->second);
    run_all(forked, {"CREATE (:More)"});
    must(forked.close());
    for (const auto& [name, bytes] : left) BOOST_TEST(!fs::exists(name), name);
  }
}

BOOST_AUTO_TEST_CASE(a_new_home_may_begin_where_a_fork_was_killed) {
  HomeFixture other;
  must(fork_home(home, other.home));
  fs::remove(other.home_directory() / "head");
  Database begun = other.open("node");
  run_all(begun, {"CREATE (:More)"});
  must(begun.close());
  Database again = other.open("again");
  BOOST_TEST(result_of(again, "MATCH (n) RETURN count(n)") == "1");
}

BOOST_AUTO_TEST_CASE(an_older_state_of_a_fork_is_found_through_its_first_one) {
  HomeFixture other;
  const std::uint64_t begin = must(fork_home(home, other.home)).commit;
  {
    Database forked = other.open("node");
    run_all(forked, {"CREATE (:More)", "CREATE (:More)"});
    must(forked.close());
  }
  for (std::uint64_t commit = begin; commit <= begin + 2; ++commit) {
    HomePoint point;
    point.commit = commit;
    const fs::path directory = path("of_fork" + std::to_string(commit));
    BOOST_TEST(must(restore_home(other.home, directory, point)).commit == commit);
  }
}

// The owner replaces the head and erases commits while they are read: each commit creates one node.
BOOST_AUTO_TEST_CASE(what_is_restored_beside_an_owner_that_commits_is_whole) {
  HomeFixture at;
  Database owner = at.open("node");
  std::jthread writer([&](const std::stop_token& stop) {
    for (int n = 1; !stop.stop_requested(); ++n)
      run_all(owner, {"CREATE (:A {n: " + std::to_string(n) + "})"});
  });
  std::uint64_t newest = 0;
  for (int i = 0; i < 8 || newest < 600; ++i) {
    const fs::path directory = at.path("restored" + std::to_string(i));
    const auto copy = restore_home(at.home, directory);
    if (!copy && copy.error().code == ErrorCode::not_found) continue;  // before its first commit
    if (!copy && copy.error().code == ErrorCode::busy) continue;
    newest = must(copy).commit;
    Database database = must(Database::open(directory));
    const std::string n = std::to_string(newest);
    const std::string sum = std::to_string(newest * (newest + 1) / 2);
    BOOST_REQUIRE(must(database.statistics()).commits == newest);
    if (newest > 0)
      BOOST_REQUIRE(result_of(database, "MATCH (n:A) RETURN count(n), sum(n.n)") ==
                    n + " | " + sum);
  }
}

BOOST_AUTO_TEST_SUITE_END()
