#include "engine/vector/build_threads.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

using namespace cairn;
using engine::BuildThreads;
using engine::share_out;

namespace {

BuildThreads workers_of(std::size_t threads, bool is_idle = false) {
  BuildThreads workers;
  workers.threads = threads;
  workers.is_idle = is_idle;
  return workers;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(vector_workers)

BOOST_DATA_TEST_CASE(every_item_is_worked_on_once,
                     boost::unit_test::data::make({0, 1, 2, 3, 17}) *
                         boost::unit_test::data::make({0, 1, 9, 10, 101}),
                     threads, count) {
  for (const bool is_idle : {false, true}) {
    const auto size = static_cast<std::size_t>(count);
    std::vector<std::atomic<int>> done(size);
    const auto status = share_out(workers_of(static_cast<std::size_t>(threads), is_idle), size, 10,
                                  [&](std::size_t first, std::size_t last) -> Status {
                                    for (; first < last; ++first) ++done[first];
                                    return {};
                                  });
    BOOST_TEST(status.has_value());
    BOOST_TEST(std::ranges::all_of(done, [](const auto& times) { return times == 1; }));
  }
}

BOOST_AUTO_TEST_CASE(one_worker_goes_from_first_to_last_in_the_callers_thread) {
  std::vector<std::size_t> firsts;
  const auto note = [&](std::size_t first, std::size_t) -> Status {
    firsts.push_back(first);
    return {};
  };
  BOOST_TEST(share_out({}, 25, 10, note).has_value());
  BOOST_TEST((firsts == std::vector<std::size_t>{0, 10, 20}));
}

BOOST_DATA_TEST_CASE(the_first_error_ends_it, boost::unit_test::data::make({1, 2, 4}), threads) {
  std::atomic<std::size_t> pieces = 0;
  const auto status = share_out(workers_of(static_cast<std::size_t>(threads)), 1'000, 1,
                                [&](std::size_t first, std::size_t) -> Status {
                                  ++pieces;
                                  if (first >= 5)
                                    return Error{ErrorCode::resource_limit, "enough", {}};
                                  return {};
                                });
  BOOST_TEST_REQUIRE(!status.has_value());
  BOOST_TEST(status.error().message == "enough");
  BOOST_TEST(pieces < 20u);
}

BOOST_DATA_TEST_CASE(it_ends_when_asked, boost::unit_test::data::make({1, 2, 4}), threads) {
  int asked = 0;  // by one thread at a time
  std::atomic<int> pieces = 0;
  BuildThreads workers = [&] { return ++asked == 4; };
  workers.threads = static_cast<std::size_t>(threads);
  const auto status = share_out(workers, 1'000, 10, [&](std::size_t, std::size_t) -> Status {
    ++pieces;
    return {};
  });
  BOOST_TEST_REQUIRE(!status.has_value());
  BOOST_TEST((status.error().code == ErrorCode::cancelled));
  BOOST_TEST(pieces == 3);
  BOOST_TEST(asked == 4);
}

BOOST_DATA_TEST_CASE(one_who_hurries_from_the_beginning_hires_nobody_idle,
                     boost::unit_test::data::make({1, 2, 4}), threads) {
  BuildThreads workers = workers_of(static_cast<std::size_t>(threads), true);
  workers.hurried = [] { return true; };
  std::atomic<int> pieces = 0, idle_pieces = 0;
  const auto status = share_out(workers, 200, 1, [&](std::size_t, std::size_t) -> Status {
    ++pieces;
    if (sched_getscheduler(0) == SCHED_IDLE) ++idle_pieces;
    return {};
  });
  BOOST_TEST(status.has_value());
  BOOST_TEST(pieces == 200);
  BOOST_TEST(idle_pieces == 0);
}

BOOST_AUTO_TEST_CASE(one_who_hurries_goes_on_alone_where_the_idle_one_left) {
  BuildThreads workers = workers_of(1, true);
  const auto caller = std::this_thread::get_id();
  std::atomic<bool> is_hurried = false;
  workers.hurried = [&] { return is_hurried.exchange(true); };
  std::vector<std::size_t> order;  // by one thread at a time
  bool was_caller = false, was_other_after = false;
  const auto status = share_out(workers, 100, 1, [&](std::size_t first, std::size_t) -> Status {
    order.push_back(first);
    const bool is_caller = std::this_thread::get_id() == caller;
    was_other_after = was_other_after || (was_caller && !is_caller);
    was_caller = was_caller || is_caller;
    while (first == 7 && !is_hurried) std::this_thread::yield();
    return {};
  });
  BOOST_TEST(status.has_value());
  BOOST_TEST(order.size() == 100u);
  BOOST_TEST(std::ranges::is_sorted(order));
  BOOST_TEST(!was_other_after);
}

BOOST_AUTO_TEST_SUITE_END()
