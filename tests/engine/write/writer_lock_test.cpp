#include "engine/transaction/writer_lock.hpp"

#include "tests/support/graph_builder.hpp"

#include <boost/test/unit_test.hpp>

#include <functional>
#include <stop_token>
#include <thread>

using namespace cairn;
using engine::WriterLock;
using test::must;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(writer_lock)

BOOST_AUTO_TEST_CASE(a_second_taker_is_told_after_the_time_out) {
  WriterLock turn(10s);
  const auto first = must(turn.take(1s));
  const auto second = turn.take(20ms);
  BOOST_REQUIRE(!second);
  BOOST_TEST((second.error().code == ErrorCode::busy));
  BOOST_TEST(second.error().message.find("writer_timeout") != std::string::npos);
  turn.release(first);
  BOOST_TEST(turn.take(0ms).has_value());
}

BOOST_AUTO_TEST_CASE(who_takes_it_only_if_it_is_free_takes_it_from_nobody) {
  WriterLock turn(0ms);
  const auto idle = must(turn.take(1s));
  BOOST_TEST(!turn.take_if_free().has_value());  // though it is idle for longer than it may
  BOOST_TEST(turn.enter(idle).has_value());
  turn.leave(idle);
  turn.release(idle);
  const auto free = turn.take_if_free();
  BOOST_REQUIRE(free.has_value());
  BOOST_TEST(turn.enter(*free).has_value());
}

BOOST_AUTO_TEST_CASE(an_idle_holder_loses_the_turn_to_who_waits) {
  WriterLock turn(20ms);
  const auto idle = must(turn.take(1s));
  const auto next = must(turn.take(5s));
  BOOST_TEST(!turn.enter(idle).has_value());
  turn.release(idle);  // too late to matter
  BOOST_TEST(turn.enter(next).has_value());
}

BOOST_AUTO_TEST_CASE(a_turn_is_taken_away_only_from_an_idle_holder) {
  WriterLock turn(10s);
  BOOST_TEST(turn.idle_writers().empty());
  const auto holder = must(turn.take(1s));
  must(turn.enter(holder));
  BOOST_TEST(turn.idle_writers().empty());
  BOOST_TEST(!turn.take_away(holder));
  turn.leave(holder);
  BOOST_REQUIRE(turn.idle_writers().size() == 1U);
  BOOST_TEST(turn.idle_writers()[0].turn == holder);
  BOOST_TEST(!turn.take_away(holder + 1));
  BOOST_TEST(turn.take_away(holder));
  BOOST_TEST(!turn.take_away(holder));
  const auto refused = turn.enter(holder);
  BOOST_REQUIRE(!refused.has_value());
  BOOST_TEST((refused.error().code == ErrorCode::cancelled));
  const auto next = must(turn.take(0ms));
  turn.release(holder);  // too late to matter
  BOOST_TEST(turn.enter(next).has_value());
}

// Others wait while `end` ends the wait of the first, and then the next one gets the lock.
namespace {

void check_end_of_waiting(WriterLock& turn, const std::stop_token& cancel,
                          const std::function<void()>& end) {
  const auto holder = must(turn.take(1s));
  must(turn.enter(holder));
  Result<WriterLock::Number> waited = WriterLock::Number{0};
  std::jthread first([&] { waited = turn.take(60s, nullptr, cancel); });
  while (turn.waiting() == 0) std::this_thread::yield();
  std::jthread second([&] { turn.release(must(turn.take(60s))); });
  while (turn.waiting() == 1) std::this_thread::yield();
  end();
  first.join();
  BOOST_REQUIRE(!waited.has_value());
  BOOST_TEST((waited.error().code == ErrorCode::cancelled));
  turn.leave(holder);
  turn.release(holder);
  second.join();
  turn.release(must(turn.take(0ms)));
}

}  // namespace

BOOST_AUTO_TEST_CASE(who_waits_is_cancelled_by_its_caller) {
  WriterLock turn(10s);
  std::stop_source source;
  check_end_of_waiting(turn, source.get_token(), [&] { source.request_stop(); });
  BOOST_TEST(!turn.take(0ms, nullptr, source.get_token()).has_value());
  BOOST_TEST(turn.waiting() == 0U);
  must(turn.take(0ms));
}

BOOST_AUTO_TEST_CASE(who_waits_is_listed_and_sent_away) {
  WriterLock turn(10s);
  check_end_of_waiting(turn, {}, [&] {
    const auto waiting = turn.idle_writers();
    BOOST_REQUIRE(waiting.size() == 2U);
    BOOST_TEST(waiting[0].is_waiting);
    BOOST_TEST(waiting[0].turn < waiting[1].turn);
    BOOST_TEST(turn.take_away(waiting[0].turn));
    BOOST_TEST(!turn.take_away(waiting[1].turn + 1));
  });
}

BOOST_AUTO_TEST_CASE(a_holder_at_work_keeps_it) {
  WriterLock turn(1ms);
  const auto holder = must(turn.take(1s));
  must(turn.enter(holder));
  BOOST_TEST(!turn.take(50ms).has_value());
  turn.leave(holder);
  BOOST_TEST(turn.take(5s).has_value());
}

BOOST_AUTO_TEST_CASE(an_idle_holder_that_nobody_waits_for_keeps_it) {
  WriterLock turn(0ms);
  const auto holder = must(turn.take(1s));
  BOOST_TEST(turn.enter(holder).has_value());
}

BOOST_AUTO_TEST_CASE(work_within_work_keeps_it_until_the_outer_ends) {
  WriterLock turn(1ms);
  const auto holder = must(turn.take(1s));
  must(turn.enter(holder));
  must(turn.enter(holder));
  turn.leave(holder);
  BOOST_TEST(!turn.take(50ms).has_value());
  turn.leave(holder);
  BOOST_TEST(turn.take(5s).has_value());
}

BOOST_AUTO_TEST_CASE(who_waits_for_a_holder_at_work_sleeps_though_the_limit_is_zero) {
  WriterLock turn(0ms);
  const auto holder = must(turn.take(0ms));
  must(turn.enter(holder));
  const auto processor_time = [] {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
  };
  const auto before = processor_time();
  BOOST_TEST(!turn.take(200ms).has_value());
  BOOST_TEST((processor_time() - before < 50ms));
  turn.leave(holder);
  must(turn.take(1s));
}

BOOST_AUTO_TEST_CASE(the_longest_durations_mean_for_ever) {
  constexpr auto longest = std::chrono::milliseconds::max();
  WriterLock turn(longest);
  const auto first = must(turn.take(longest));
  BOOST_TEST(!turn.take(20ms).has_value());  // nobody is put out at once
  std::thread releasing([&] {
    std::this_thread::sleep_for(20ms);
    turn.release(first);
  });
  BOOST_TEST(turn.take(longest).has_value());
  releasing.join();
}

BOOST_AUTO_TEST_CASE(a_turn_is_of_the_thread_that_last_worked_in_it) {
  WriterLock turn(1h);
  BOOST_TEST(!turn.is_held_by_this_thread());
  const auto number = must(turn.take(1s));
  BOOST_TEST(turn.is_held_by_this_thread());
  std::thread([&] {
    BOOST_TEST(!turn.is_held_by_this_thread());
    must(turn.enter(number));
    turn.leave(number);
  }).join();
  BOOST_TEST(!turn.is_held_by_this_thread());  // the transaction went to another thread
  turn.release(number);
}

BOOST_AUTO_TEST_CASE(an_idle_turn_keeps_no_thread_from_the_next) {
  WriterLock turn(0ms);
  must(turn.take(1s));
  BOOST_TEST(!turn.is_held_by_this_thread());
}

BOOST_AUTO_TEST_SUITE_END()
