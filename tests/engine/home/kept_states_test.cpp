// Older states of a home: which of them stay, and that a database can be restored to each one that does.
#include "engine/home/kept_states.hpp"

#include "codec/meta.hpp"
#include "engine/home/home.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/temporary_directory.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <vector>

using namespace cairn;
using namespace cairn::engine;
using test::must;
namespace fs = std::filesystem;

namespace {

constexpr std::int64_t second = 1'000'000;  // in microseconds

/// The commits of the states that stay, of states with these times in seconds and the commits 1, 2, ...
std::vector<std::uint64_t> kept_of(const std::vector<std::int64_t>& times, std::int64_t now,
                                   std::int64_t history) {
  std::vector<KeptState> states;
  for (const std::int64_t time : times)
    states.push_back({{1, states.size() + 1}, states.size() + 1, time * second});
  std::vector<std::uint64_t> commits;
  for (const KeptState& state :
       states_to_keep(std::move(states), now * second, std::chrono::seconds(history)))
    commits.push_back(state.commit);
  return commits;
}

using Commits = std::vector<std::uint64_t>;

/// A home whose states have a file of their own, and one that all share.
struct States {
  [[nodiscard]] std::string address() const { return "dir:" + (root.path() / "home").string(); }
  void open() {
    home.reset();
    Home::Wanted wanted;
    wanted.new_database_id = codec::database_id(1, 2);
    home = must(Home::open(address(), wanted));
  }
  void commit_and_checkpoint() {
    ++commits;
    must(home->checkpoint(must(home->ship("", commits)), commits,
                          {{"vector/" + std::to_string(commits) + ".segment", {}, 0, own()},
                           {"store/000003.sst", {}, 0, "shared"}}));
  }
  [[nodiscard]] std::string own() const { return "state " + std::to_string(commits); }
  [[nodiscard]] Commits kept() const {
    Commits kept;
    for (const HomeState& state : must(Home::history(address())).states)
      kept.push_back(state.commit);
    return kept;
  }
  [[nodiscard]] std::vector<fs::path> objects(const std::string& kind) const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::recursive_directory_iterator(root.path() / "home"))
      if (entry.is_regular_file() && entry.path().parent_path().filename() == kind)
        found.push_back(entry.path());
    return found;
  }
  /// Fails unless the files of the state can be read.
  void require_restored(std::uint64_t commit) const {
    HomePoint point;
    point.commit = commit;
    const auto found = must(Home::look(address(), point));
    if (found->checkpoint_commit() != commit) BOOST_REQUIRE(must(found->fall_back()));
    BOOST_REQUIRE_EQUAL(found->checkpoint_commit(), commit);
    const fs::path copy = root.path() / ("copy" + std::to_string(commit));
    fs::remove_all(copy);
    fs::create_directory(copy);
    must(found->fetch(copy));
    std::string content;
    std::getline(std::ifstream(copy / "vector" / (std::to_string(commit) + ".segment")), content);
    BOOST_TEST(content == "state " + std::to_string(commit));
  }

  test::TemporaryDirectory root;
  std::unique_ptr<Home> home;
  std::uint64_t commits = 0;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(kept_states)

BOOST_AUTO_TEST_CASE(without_a_history_the_last_state_stays) {
  BOOST_TEST((kept_of({}, 100, 0) == Commits{}));
  BOOST_TEST((kept_of({10}, 100, 0) == Commits{1}));
  BOOST_TEST((kept_of({10, 20, 99}, 100, 0) == Commits{3}));
}

BOOST_AUTO_TEST_CASE(each_state_that_was_the_newest_within_the_history_stays) {
  BOOST_TEST((kept_of({10, 20, 30}, 50, 5) == Commits{3}));
  BOOST_TEST((kept_of({10, 20, 30, 40}, 50, 15) == Commits{3, 4}));
  BOOST_TEST((kept_of({10, 20, 30, 40}, 50, 20) == Commits{3, 4}));
  BOOST_TEST((kept_of({10, 20, 30, 40}, 50, 1'000) == Commits{1, 2, 3, 4}));
  // The first one is of a version that did not store the time.
  BOOST_TEST((kept_of({0, 20, 30, 40}, 50, 49) == Commits{1, 2, 3, 4}));
  // The clock was ahead, or not set, when the third one was made.
  BOOST_TEST((kept_of({10, 20, 900, 40}, 50, 5) == Commits{2, 3, 4}));
  BOOST_TEST((kept_of({10, 20, 900}, 50, 5) == Commits{2, 3}));
  BOOST_TEST((kept_of({10, 20, 0, 40}, 50, 35) == Commits{1, 2, 3, 4}));
  // It is ahead now.
  BOOST_TEST((kept_of({10, 20, 30, 40, 50}, 9'000, 5) == Commits{3, 4, 5}));
}

BOOST_AUTO_TEST_CASE(of_too_many_states_those_close_to_others_go) {
  std::vector<std::int64_t> times;
  for (std::int64_t time = 0; time < 100; ++time)
    times.push_back(time < 50 ? time * 100 : 5'000 + time);
  const Commits kept = kept_of(times, 5'100, 1'000'000);
  BOOST_REQUIRE(kept.size() == most_kept_states);
  for (std::uint64_t commit = 1; commit <= 50; ++commit)
    BOOST_TEST(std::ranges::binary_search(kept, commit), commit);
  BOOST_TEST(kept.back() == 100U);
}

BOOST_AUTO_TEST_CASE(states_of_the_history_can_be_restored_and_go_with_it) {
  States states;
  states.open();
  states.home->keep_states(std::chrono::hours(1));
  for (int i = 0; i < 4; ++i) states.commit_and_checkpoint();
  states.open();  // another owner, who says nothing of states
  for (int i = 0; i < 2; ++i) states.commit_and_checkpoint();
  BOOST_TEST((states.kept() == Commits{1, 2, 3, 4, 5, 6}));
  BOOST_TEST(must(Home::history(states.address())).commits.size() == 5U);
  for (std::uint64_t commit = 1; commit <= 6; ++commit) states.require_restored(commit);
  BOOST_TEST(states.objects("part").size() == 7U);  // one of each state, and the shared one
  states.home->keep_states(std::chrono::seconds(0));
  states.commit_and_checkpoint();
  BOOST_TEST((states.kept() == Commits{6, 7}));
  BOOST_TEST(states.objects("part").size() == 3U);
  BOOST_TEST(states.objects("checkpoint").size() == 2U);
  for (std::uint64_t commit = 6; commit <= 7; ++commit) states.require_restored(commit);
}

BOOST_AUTO_TEST_CASE(a_state_that_lost_an_object_goes_with_a_warning_and_the_others_stay) {
  States states;
  states.open();
  states.home->keep_states(std::chrono::hours(1));
  for (int i = 0; i < 4; ++i) states.commit_and_checkpoint();
  for (const fs::path& part : states.objects("part")) {
    std::string content;
    std::getline(std::ifstream(part), content);
    if (content == "state 2") fs::remove(part);
  }
  static_cast<void>(states.home->take_warnings());
  states.commit_and_checkpoint();
  BOOST_TEST((states.kept() == Commits{1, 3, 4, 5}));
  const auto warnings = states.home->take_warnings();
  BOOST_REQUIRE(warnings.size() == 1U);
  BOOST_TEST(warnings.front().find("has lost objects of 1 earlier state") != std::string::npos);
  for (const std::uint64_t commit : {1U, 3U, 4U, 5U}) states.require_restored(commit);
}

// The newest checkpoint is lost, which has the time for which states are retained.
BOOST_AUTO_TEST_CASE(a_damaged_checkpoint_ends_no_history) {
  States states;
  states.open();
  states.home->keep_states(std::chrono::hours(1));
  for (int i = 0; i < 3; ++i) states.commit_and_checkpoint();
  std::vector<fs::path> checkpoints = states.objects("checkpoint");
  fs::remove(std::ranges::max(checkpoints));
  states.open();
  states.commit_and_checkpoint();
  BOOST_TEST((states.kept() == Commits{1, 2, 4}));
  states.require_restored(1);
}

BOOST_AUTO_TEST_SUITE_END()
