#include "tests/model/history.hpp"

#include "tests/support/rounds.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/value_generator.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

namespace cairn::test {
namespace {

Difference play(const Steps& steps, const HistoryOptions& options, Lines& log) {
  const TemporaryDirectory directory;
  History history(directory.path(), options);
  auto difference = history.play(steps);
  log = history.log();
  return difference;
}

std::string joined(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += "\n  " + line;
  return text;
}

// The seed, the shortest failing history that a few hundred attempts find, and what it ends in.
std::string report(std::uint64_t seed, const Steps& steps, const HistoryOptions& options) {
  Lines log;
  const auto fails = [&](const Steps& shorter) { return play(shorter, options, log).has_value(); };
  const Steps shortest = shorten(steps, fails, 300);
  const auto difference = play(shortest, options, log);
  return "seed " + std::to_string(seed) + ":" + joined(log) + "\n" +
         difference.value_or("does not fail a second time");
}

struct Amount {
  std::size_t histories = 0;
  std::size_t steps = 0;
};

void play_random_histories(Amount amount, const HistoryOptions& options) {
  const std::size_t histories = rounds(amount.histories, amount.histories * 50);
  for (std::uint64_t i = 0; i < histories; ++i) {
    const std::uint64_t seed = test_seed() + i;
    Random random(seed);
    const Steps steps = random_steps(random, amount.steps);
    Lines log;
    const auto difference = play(steps, options, log);
    if (difference) BOOST_FAIL(*difference << '\n' << report(seed, steps, options));
  }
}

BOOST_AUTO_TEST_SUITE(history)

BOOST_AUTO_TEST_CASE(many_short_histories_leave_the_database_equal_to_the_model) {
  play_random_histories({40, 60}, {.compare_every = 10});
}

BOOST_AUTO_TEST_CASE(long_histories_leave_the_database_equal_to_the_model) {
  play_random_histories({4, 1'500}, {.compare_every = 100});
}

BOOST_AUTO_TEST_CASE(histories_with_synced_commits_leave_the_database_equal_to_the_model) {
  play_random_histories({4, 300}, {.compare_every = 50, .durability = Durability::sync});
}

BOOST_AUTO_TEST_CASE(one_database_can_be_erased_and_used_for_many_histories) {
  const TemporaryDirectory directory;
  History history(directory.path(), {.compare_every = 40, .reopens = false});
  Random random(test_seed());
  for (int i = 0; i < 20; ++i) {
    const auto difference = history.play(random_steps(random, 80));
    if (difference)
      BOOST_FAIL("seed " << test_seed() << ", history " << i << ":" << joined(history.log()) << '\n'
                         << *difference);
  }
}

BOOST_AUTO_TEST_CASE(a_failing_history_is_shortened_to_the_steps_that_matter) {
  Random random(test_seed());
  Steps steps = random_steps(random, 100);
  for (Step& step : steps) step.target = 0;
  steps[17].target = 1;
  steps[80].target = 1;
  const auto fails = [](const Steps& some) {
    return std::ranges::count(some, 1, &Step::target) > 1;
  };

  const Steps shortest = shorten(steps, fails, 300);

  BOOST_TEST(shortest.size() == 2U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace cairn::test
