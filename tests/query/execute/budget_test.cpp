#include "query/execute/budget.hpp"

#include <boost/test/unit_test.hpp>

#include <thread>

namespace cairn::query {
namespace {

StatementOptions options() { return {}; }

}  // namespace

BOOST_AUTO_TEST_SUITE(budget)

BOOST_AUTO_TEST_CASE(memory_is_given_until_the_limit_and_again_after_release) {
  StatementOptions limits = options();
  limits.memory_bytes = 1'000;
  Budget budget(limits);
  BOOST_TEST(budget.charge(600).has_value());
  const Status refused = budget.charge(600);
  BOOST_TEST((refused.error().code == ErrorCode::resource_limit));
  BOOST_TEST(refused.error().message.find("memory_bytes") != std::string::npos);
  budget.release(600);
  BOOST_TEST(budget.charge(600).has_value());
  BOOST_TEST(budget.peak_bytes() == 600U);
}

BOOST_AUTO_TEST_CASE(budgets_of_several_threads_have_one_limit) {
  StatementOptions limits = options();
  limits.memory_bytes = 1'000'000;
  Budget whole(limits);
  SharedMemory room;
  BOOST_TEST(whole.charge(100'000).has_value());
  whole.share_memory(room);
  {
    Budget one(limits, whole, room);
    Budget other(limits, whole, room);
    BOOST_TEST(one.memory_bytes() == 1'000'000U);
    BOOST_TEST(one.charge(600'000).has_value());
    BOOST_TEST(other.charge(1).has_value());
    BOOST_TEST(room.free() == 900'000U - 600'000U - 65'536U);
    const Status refused = other.charge(500'000);
    BOOST_TEST((refused.error().code == ErrorCode::resource_limit));
    BOOST_TEST(!other.check_room(500'000).has_value());
    one.release(600'000);
    BOOST_TEST(other.check_room(500'000).has_value());
    BOOST_TEST(other.charge(500'000).has_value());
    BOOST_TEST(whole.charge(100'000).has_value());
    BOOST_TEST(!whole.charge(~std::size_t{0}).has_value());
  }
  whole.end_sharing();
  BOOST_TEST(whole.free_bytes() == 800'000U);
  BOOST_TEST(whole.peak_bytes() >= 700'000U);
  BOOST_TEST(whole.charge(800'000).has_value());
  BOOST_TEST(!whole.charge(1).has_value());
}

BOOST_AUTO_TEST_CASE(a_sum_that_would_wrap_is_refused) {
  Budget budget(options());
  BOOST_TEST(budget.charge(1).has_value());
  BOOST_TEST(!budget.check_room(~std::size_t{0}).has_value());
}

BOOST_AUTO_TEST_CASE(time_runs_out) {
  StatementOptions limits = options();
  limits.timeout = std::chrono::milliseconds(1);
  Budget budget(limits);
  budget.resume();
  std::this_thread::sleep_for(std::chrono::milliseconds(3));
  const Status stopped = budget.step(10'000);
  BOOST_TEST((stopped.error().code == ErrorCode::resource_limit));
  BOOST_TEST(stopped.error().message.find("timeout") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_longest_timeout_means_for_ever) {
  StatementOptions limits = options();
  limits.timeout = std::chrono::milliseconds::max();
  Budget budget(limits);
  budget.resume();
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  BOOST_TEST(budget.step(10'000).has_value());
}

BOOST_AUTO_TEST_CASE(time_stands_still_while_paused) {
  StatementOptions limits = options();
  limits.timeout = std::chrono::milliseconds(50);
  Budget budget(limits);
  budget.pause();
  std::this_thread::sleep_for(std::chrono::milliseconds(60));
  budget.resume();
  BOOST_TEST(budget.step(10'000).has_value());
}

BOOST_AUTO_TEST_CASE(a_stop_request_ends_the_statement) {
  std::stop_source source;
  StatementOptions limits = options();
  limits.cancel = source.get_token();
  Budget budget(limits);
  BOOST_TEST(budget.step(10'000).has_value());
  source.request_stop();
  BOOST_TEST((budget.step(10'000).error().code == ErrorCode::cancelled));
}

BOOST_AUTO_TEST_CASE(a_check_needs_no_steps) {
  StatementOptions limits = options();
  std::stop_source source;
  limits.cancel = source.get_token();
  limits.timeout = std::chrono::milliseconds(1);
  Budget budget(limits);
  budget.resume();
  std::this_thread::sleep_for(std::chrono::milliseconds(3));
  BOOST_TEST(budget.step(1).has_value());
  BOOST_TEST((budget.check().error().code == ErrorCode::resource_limit));
  source.request_stop();
  BOOST_TEST((budget.check().error().code == ErrorCode::cancelled));
}

BOOST_AUTO_TEST_CASE(rows_are_counted) {
  StatementOptions limits = options();
  limits.max_rows = 2;
  Budget budget(limits);
  BOOST_TEST(budget.count_row().has_value());
  BOOST_TEST(budget.count_row().has_value());
  BOOST_TEST(!budget.count_row().has_value());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::query
