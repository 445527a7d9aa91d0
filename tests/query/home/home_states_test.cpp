// What a home keeps, read while another process may own it.
#include "engine/system/clock.hpp"
#include "tests/query/home/homes.hpp"

#include <cairn/home.hpp>

#include <boost/test/unit_test.hpp>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

using namespace cairn;
using namespace cairn::test;

namespace {

std::vector<std::uint64_t> numbers_of(const HomeHistory& history) {
  std::vector<std::uint64_t> numbers;
  for (const HomeCommit& commit : history.commits) {
    BOOST_TEST(commit.bytes > 0U);
    numbers.push_back(commit.commit);
  }
  return numbers;
}

using Numbers = std::vector<std::uint64_t>;

}  // namespace

BOOST_FIXTURE_TEST_SUITE(home_states, HomeFixture)

BOOST_AUTO_TEST_CASE(a_place_without_a_home_has_no_history) {
  const auto history = home_history(home);
  BOOST_REQUIRE(!history.has_value());
  BOOST_TEST((history.error().code == ErrorCode::not_found));
  BOOST_TEST(history.error().message.find(home) != std::string::npos);
}

BOOST_AUTO_TEST_CASE(states_and_the_commits_behind_them_are_listed_and_the_owner_goes_on) {
  const std::int64_t begun = engine::system_time();
  {
    Database node = open("node");
    run_all(node, {"CREATE (:A {n: 1})", "CREATE (:A {n: 2})"});
    const HomeHistory running = must(home_history(home));
    BOOST_TEST(running.owner.find(", process " + std::to_string(::getpid())) != std::string::npos);
    BOOST_TEST(running.database_id.size() == 32U);
    BOOST_TEST(running.states.empty());
    BOOST_TEST((numbers_of(running) == Numbers{1, 2}));
    run_all(node, {"CREATE (:A {n: 3})"});
    must(node.close());
  }
  const HomeHistory closed = must(home_history(home));
  BOOST_TEST(closed.owner.empty());
  BOOST_REQUIRE(closed.states.size() == 1U);
  BOOST_TEST(closed.states.front().commit == 3U);
  BOOST_TEST(closed.states.front().files > 3U);
  BOOST_TEST(closed.states.front().bytes > 1'000U);
  BOOST_TEST(closed.states.front().made_at >= begun);
  BOOST_TEST(closed.states.front().made_at <= engine::system_time());
  BOOST_TEST(closed.commits.empty());
  {
    Database other = open("other");
    run_all(other, {"CREATE (:A {n: 4})"});
    must(other.close());
  }
  Database third = open("third");
  run_all(third, {"CREATE (:A {n: 5})", "CREATE (:A {n: 6})"});
  const HomeHistory both = must(home_history(home));
  BOOST_REQUIRE(both.states.size() == 2U);
  BOOST_TEST(both.states.front().commit == 3U);
  BOOST_TEST(both.states.back().commit == 4U);
  BOOST_TEST((numbers_of(both) == Numbers{4, 5, 6}));
  run_all(third, {"CREATE (:A {n: 7})"});
  BOOST_TEST(result_of(third, "MATCH (n:A) RETURN sum(n.n)") == "28");
}

BOOST_AUTO_TEST_CASE(older_states_stay_for_as_long_as_an_owner_said) {
  std::vector<std::string> exports;
  keep_for = std::chrono::hours(1);
  for (int i = 1; i <= 5; ++i) {
    Database node = open("node" + std::to_string(i % 2));
    run_all(node, {"CREATE (:A {n: " + std::to_string(i) + "})"});
    exports.push_back(export_of(node));
    must(node.close());
    keep_for.reset();  // the next owner says nothing
  }
  const HomeHistory kept = must(home_history(home));
  BOOST_TEST(kept.kept_for.count() == 3'600);
  BOOST_REQUIRE(kept.states.size() == 5U);
  for (std::size_t i = 0; i < exports.size(); ++i) {
    const auto directory = path("restored" + std::to_string(i));
    BOOST_TEST(must(restore_home(home, directory, {.commit = i + 1})).commit == i + 1);
    Database restored = must(Database::open(directory, {}));
    BOOST_TEST(export_of(restored) == exports[i]);
  }
  keep_for = std::chrono::seconds(0);
  Database node = open("node");
  run_all(node, {"CREATE (:A)"});
  must(node.close());
  BOOST_TEST(must(home_history(home)).states.size() == 2U);
  keep_for = std::chrono::seconds(-1);
  const auto refused = try_open("node");
  BOOST_REQUIRE(!refused.has_value());
  BOOST_TEST(refused.error().message.find("home_history is -1 seconds") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_state_that_is_missing_is_named) {
  for (int i = 0; i < 2; ++i) {
    Database node = open("node");
    run_all(node, {"CREATE (:A)"});
    must(node.close());
  }
  std::filesystem::remove_all(home_directory() / "checkpoint");
  const auto history = home_history(home);
  BOOST_REQUIRE(!history.has_value());
  BOOST_TEST((history.error().code == ErrorCode::corruption));
  BOOST_TEST(history.error().message.find("checkpoint/0000") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
