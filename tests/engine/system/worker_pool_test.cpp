#include "engine/system/worker_pool.hpp"

#include <boost/test/unit_test.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace cairn::engine {
namespace {

void wait_for(const std::atomic<int>& number, int wanted) {
  while (number < wanted) std::this_thread::yield();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(worker_pool)

BOOST_AUTO_TEST_CASE(threads_start_when_they_are_asked_for_and_stay) {
  WorkerPool pool;
  BOOST_TEST(pool.threads() == 0U);
  for (int round = 0; round < 3; ++round) {
    std::atomic<int> began = 0;
    Help help(pool, [&] { ++began; });
    help.ask(2);
    wait_for(began, 2);
    help.finish();
    BOOST_TEST(pool.threads() == 2U);
  }
}

BOOST_AUTO_TEST_CASE(finish_waits_for_threads_that_have_begun) {
  WorkerPool pool;
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> began = 0;
    std::atomic<int> ended = 0;
    Help help(pool, [&] {
      ++began;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      ++ended;
    });
    help.ask(3);
    wait_for(began, 1);
    help.finish();
    BOOST_TEST(began == ended);
  }
}

BOOST_AUTO_TEST_CASE(requests_beyond_the_threads_wait_or_are_withdrawn) {
  WorkerPool pool;
  std::atomic<bool> may_end = false;
  std::atomic<int> began = 0;
  Help busy(pool, [&] {
    ++began;
    while (!may_end) std::this_thread::yield();
  });
  busy.ask(1);
  wait_for(began, 1);
  std::atomic<int> other = 0;
  {
    Help late(pool, [&] { ++other; });
    late.ask(1);
  }
  BOOST_TEST(other == 0);
  BOOST_TEST(pool.threads() == 1U);
  may_end = true;
}

BOOST_AUTO_TEST_CASE(a_stopped_pool_gives_no_help) {
  WorkerPool pool;
  pool.stop();
  std::atomic<int> began = 0;
  Help help(pool, [&] { ++began; });
  help.ask(2);
  help.finish();
  BOOST_TEST(began == 0);
  BOOST_TEST(pool.threads() == 0U);
}

BOOST_AUTO_TEST_CASE(a_stop_does_not_wait_for_work) {
  std::atomic<bool> may_end = false;
  std::atomic<int> began = 0;
  WorkerPool pool;
  Help help(pool, [&] {
    ++began;
    while (!may_end) std::this_thread::yield();
  });
  help.ask(1);
  wait_for(began, 1);
  pool.stop();
  std::atomic<int> other = 0;
  Help late(pool, [&] { ++other; });
  late.ask(1);
  late.finish();
  BOOST_TEST(other == 0);
  may_end = true;
}

BOOST_AUTO_TEST_CASE(several_threads_may_ask_at_once) {
  WorkerPool pool;
  std::atomic<int> parts = 0;
  const auto ask = [&] {
    for (int round = 0; round < 200; ++round) {
      std::atomic<int> left = 16;
      const auto work = [&] {
        while (left.fetch_sub(1) > 0) ++parts;
      };
      Help help(pool, work);
      help.ask(2);
      work();
    }
  };
  std::jthread other(ask);
  ask();
  other.join();
  BOOST_TEST(parts == 2 * 200 * 16);
  BOOST_TEST(pool.threads() <= 2U);
}

BOOST_AUTO_TEST_CASE(a_forked_child_asks_in_vain) {
  WorkerPool pool;
  std::atomic<int> began = 0;
  {
    Help help(pool, [&] { ++began; });
    help.ask(1);
    wait_for(began, 1);
  }
  const pid_t child = ::fork();
  if (child == 0) {
    {
      Help help(pool, [&] { ++began; });
      help.ask(1);
      help.finish();
    }
    ::_exit(began == 1 ? 0 : 1);
  }
  int status = 0;
  BOOST_REQUIRE(::waitpid(child, &status, 0) == child);
  BOOST_TEST(status == 0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::engine
