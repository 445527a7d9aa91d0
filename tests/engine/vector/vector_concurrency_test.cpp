// Readers search and hold states while one writer applies changes, and a builder seals and saves. Runs under
// ThreadSanitizer too. Also checks that each state is one that a commit made.

#include "engine/vector/vector_index.hpp"
#include "tests/engine/vector/vector_fixture.hpp"
#include "tests/support/temporary_directory.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <mutex>
#include <thread>

using namespace cairn;
using cairn::test::Floats;
using engine::VectorChange;
using engine::VectorIndex;

namespace {

constexpr std::uint64_t seed = 81;
constexpr std::uint64_t pairs = 400;
constexpr std::uint64_t commits = 600;

/// Each commit moves a pair of entities, 2p and 2p + 1, to the same new vector, or erases both. So every state has both
/// entities with the same score, or neither.
std::vector<VectorChange> commit_of(std::uint64_t number, const std::vector<Floats>& places) {
  const std::uint64_t pair = number * 7 % pairs;
  std::optional<Floats> place;
  if (number % 5 != 0) place = places[number % places.size()];
  return {{2 * pair, place}, {2 * pair + 1, place}};
}

/// How many of `hits` come without their twin, or with a twin elsewhere. The last hit may be cut off.
std::size_t broken_pairs(const std::vector<engine::Neighbor>& hits) {
  std::map<std::uint64_t, std::vector<double>> scores;
  for (const engine::Neighbor& hit : hits) scores[hit.id / 2].push_back(hit.score);
  std::size_t broken = 0;
  for (const auto& [pair, found] : scores) broken += found.size() != 2 || found[0] != found[1];
  return broken;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(vector_concurrency)

BOOST_AUTO_TEST_CASE(readers_see_whole_commits_while_writing_and_sealing_go_on) {
  test::VectorMaker maker(seed, 8, 8);
  const auto places = maker.make(64);
  const auto index = test::make_index({.dimension = 8, .m = 4, .ef_construction = 20});
  const test::TemporaryDirectory folder;
  std::mutex writing;  // the turn: apply and adopt come from one thread at a time
  std::atomic<bool> done = false;
  std::atomic<std::size_t> broken = 0, missing = 0, searches = 0, seals = 0, unsaved = 0;

  const auto read = [&](std::size_t reader) {
    while (!done) {
      const auto state = index->state();
      const auto allowed = codec::Bitmap::of_range(0, 2 * pairs - 2 * reader);
      const Floats& query = places[searches++ % places.size()];
      const auto found =
          state->search({.query = query, .k = 2 * pairs, .allowed = &allowed}).value();
      broken += broken_pairs(found.hits);
      const auto again = state->search({.query = query, .k = 2 * pairs, .exact = true}).value();
      missing += again.hits.size() != state->size();
    }
  };
  const auto seal = [&] {
    while (!done) {
      const auto segment = index->build_segment(index->state(), [&] { return done.load(); });
      if (!segment) continue;
      const std::lock_guard turn(writing);
      index->adopt_segment(*segment);
      unsaved += !index->save(folder.path() / "segment", std::string(32, 'c'), 1).has_value();
      ++seals;
    }
  };
  std::vector<std::thread> threads;
  for (std::size_t reader = 0; reader < 2; ++reader) threads.emplace_back(read, reader);
  threads.emplace_back(seal);
  std::uint64_t number = 0;
  while (number < commits || searches < 200 || seals < 5) {
    std::this_thread::yield();
    const std::lock_guard turn(writing);
    ++number;
    index->apply(commit_of(number, places), number);
  }
  done = true;
  for (std::thread& thread : threads) thread.join();

  BOOST_TEST(broken == 0u);
  BOOST_TEST(missing == 0u);
  BOOST_TEST(unsaved == 0u);
  BOOST_TEST(index->state()->sequence() == number);
}

BOOST_AUTO_TEST_CASE(one_state_is_walked_by_many_threads) {
  test::VectorMaker maker(seed, 8, 8);
  const auto index = test::make_index({.dimension = 8, .m = 4, .ef_construction = 20});
  index->apply(test::puts(maker.make(6'000)), 1);
  test::seal(*index);
  const auto state = index->state();
  const auto queries = maker.make(40);
  std::vector<std::vector<std::uint64_t>> expected;
  for (const Floats& query : queries)
    expected.push_back(test::ids_of(
        state->search({.query = query, .ef_search = 30, .strategy = engine::SearchStrategy::graph})
            .value()
            .hits));
  std::atomic<std::size_t> different = 0, walked = 0;
  const auto read = [&] {
    for (std::size_t i = 0; i < queries.size(); ++i) {
      const auto found =
          state
              ->search(
                  {.query = queries[i], .ef_search = 30, .strategy = engine::SearchStrategy::graph})
              .value();
      walked += to_string(found.executor).starts_with("graph");
      different += test::ids_of(found.hits) != expected[i];
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(read);
  for (std::thread& thread : threads) thread.join();
  BOOST_TEST(different == 0u);
  BOOST_TEST(walked == 160u);
}

BOOST_AUTO_TEST_SUITE_END()
