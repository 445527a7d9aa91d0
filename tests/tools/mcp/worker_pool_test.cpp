// Threads that run handlers: whose turn it is, and how many one caller may have.

#include "tools/mcp/protocol/worker_pool.hpp"

#include "tests/tools/mcp/waiting_server.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <mutex>
#include <string>
#include <thread>

using namespace cairn::test;
using namespace cairn::tools::mcp;
using namespace std::chrono_literals;

namespace {

/// What jobs wait for.
struct Gate {
  std::atomic<int> running = 0;
  std::atomic<bool> is_open = false;

  WorkerPool::Job job() {
    return [this] {
      ++running;
      while (!is_open) std::this_thread::sleep_for(1ms);
      --running;
    };
  }
};

/// The names of jobs as they run.
struct Order {
  std::mutex mutex;
  std::string names;

  WorkerPool::Job job(const std::string& name) {
    return [this, name] {
      const std::scoped_lock lock(mutex);
      names += (names.empty() ? "" : " ") + name;
    };
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(mcp_worker_pool)

BOOST_AUTO_TEST_CASE(callers_are_served_in_turn) {
  Gate gate;
  Order order;
  WorkerPool pool(1);
  pool.add(gate.job(), 0, "a");
  BOOST_REQUIRE(becomes(gate.running, 1));
  for (const char* name : {"a1", "a2", "a3", "a4"}) pool.add(order.job(name), 0, "a");
  for (const char* name : {"b1", "b2"}) pool.add(order.job(name), 0, "b");
  pool.add(order.job("c1"), 0, "c");
  gate.is_open = true;
  pool.wait_until_idle(10s);
  BOOST_TEST(order.names == "a1 b1 c1 a2 b2 a3 a4");
}

BOOST_AUTO_TEST_CASE(a_caller_leaves_the_kept_workers_to_others) {
  Gate gate;
  WorkerPool pool(4, 1);
  for (int i = 0; i < 10; ++i) pool.add(gate.job(), 0, "a");
  BOOST_REQUIRE(becomes(gate.running, 3));
  std::this_thread::sleep_for(50ms);
  BOOST_TEST(gate.running == 3);
  for (int i = 0; i < 10; ++i) pool.add(gate.job(), 0, "b");
  BOOST_REQUIRE(becomes(gate.running, 4));
  gate.is_open = true;
  pool.wait_until_idle(10s);
  BOOST_TEST(gate.running == 0);
}

BOOST_AUTO_TEST_CASE(one_caller_has_all_workers_where_none_is_kept) {
  Gate gate;
  WorkerPool pool(3);
  for (int i = 0; i < 5; ++i) pool.add(gate.job(), 0);
  BOOST_TEST(becomes(gate.running, 3));
  gate.is_open = true;
}

BOOST_AUTO_TEST_CASE(a_single_worker_serves_everybody) {
  Gate gate;
  Order order;
  WorkerPool pool(1, 1);
  pool.add(gate.job(), 0, "a");
  BOOST_REQUIRE(becomes(gate.running, 1));
  pool.add(order.job("a1"), 0, "a");
  pool.add(order.job("b1"), 0, "b");
  gate.is_open = true;
  pool.wait_until_idle(10s);
  BOOST_TEST(order.names == "a1 b1");
}

BOOST_AUTO_TEST_SUITE_END()
