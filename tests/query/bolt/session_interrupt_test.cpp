// Ending what runs, from another thread: by a RESET that has arrived, and for good.
#include "tests/query/bolt/bolt_client.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <functional>
#include <future>
#include <thread>

namespace cairn::test {
namespace {

using namespace std::chrono_literals;
using query::bolt::Tag;

constexpr const char* endless = "UNWIND range(1, 100000000000) AS i WITH i WHERE i < 0 RETURN i";

using InterruptClock = std::chrono::steady_clock;

struct Interrupted {
  BoltAnswer answer;
  std::chrono::nanoseconds time;  ///< from the interruption to the answer
};

// The answer of `work` if `interruption` comes 50 ms after its start.
Interrupted interrupted(const std::function<BoltAnswer()>& work,
                        const std::function<void()>& interruption) {
  InterruptClock::time_point begin;
  std::thread other([&] {
    std::this_thread::sleep_for(50ms);
    begin = InterruptClock::now();
    interruption();
  });
  BoltAnswer answer = work();
  const auto end = InterruptClock::now();
  other.join();
  return {std::move(answer), end - begin};
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(bolt_session_interrupts, BoltFixture)

BOOST_AUTO_TEST_CASE(a_reset_that_arrives_stops_a_pull) {
  BoltClient one = client();
  one.run(endless);
  const auto [answer, time] = interrupted([&] { return one.ask(Tag::pull, {Map{{"n", -1}}}); },
                                          [&] { one.session().interrupt(); });
  BOOST_TEST(answer.name() == "IGNORED");
  BOOST_TEST((time > 0ms && time < 200ms), time.count());
  BOOST_TEST(one.run("RETURN 1").name() == "IGNORED");
  BOOST_TEST(one.ask(Tag::reset).name() == "SUCCESS");
  BOOST_TEST(one.result("RETURN 1 AS one") == "1");
}

BOOST_AUTO_TEST_CASE(it_stops_a_statement_of_a_transaction) {
  BoltClient one = client();
  one.ask(Tag::begin, {Map()});
  one.result("CREATE (:Lost)");
  const auto [answer, time] =
      interrupted([&] { return one.run(endless); }, [&] { one.session().interrupt(); });
  BOOST_TEST(answer.name() == "IGNORED");
  BOOST_TEST((time > 0ms && time < 200ms), time.count());
  BOOST_TEST(one.ask(Tag::commit).name() == "IGNORED");
  one.ask(Tag::reset);
  BOOST_TEST(one.result("MATCH (n:Lost) RETURN count(*) AS n") == "0");
}

BOOST_AUTO_TEST_CASE(it_stops_the_wait_for_the_turn_to_write) {
  // Of another thread, because a thread does not wait for itself.
  const auto writing =
      std::async(std::launch::async, [&] { return must(database->begin()); }).get();
  BoltClient one = client();
  const auto [answer, time] =
      interrupted([&] { return one.run("CREATE (:Lost)"); }, [&] { one.session().interrupt(); });
  BOOST_TEST(answer.name() == "IGNORED");
  BOOST_TEST((time > 0ms && time < 200ms), time.count());
  one.ask(Tag::reset);
  BOOST_TEST(one.result("MATCH (n:Lost) RETURN count(*) AS n") == "0");
}

// The rows of a writing statement are there already, and no statement is left that could be stopped.
BOOST_AUTO_TEST_CASE(it_stops_rows_that_are_made_already) {
  BoltClient one = client();
  one.ask(Tag::begin, {Map()});
  one.run("UNWIND range(1, 1000) AS i RETURN i");
  BOOST_TEST(one.pull(1) == "1");
  one.session().interrupt();
  BOOST_TEST(one.ask(Tag::pull, {Map{{"n", -1}}}).name() == "IGNORED");
}

BOOST_AUTO_TEST_CASE(each_reset_has_its_place) {
  BoltClient one = client();
  one.session().interrupt();
  one.session().interrupt();
  BOOST_TEST(one.run("RETURN 1").name() == "IGNORED");
  BOOST_TEST(one.ask(Tag::reset).name() == "SUCCESS");
  BOOST_TEST(one.run("RETURN 1").name() == "IGNORED");
  BOOST_TEST(one.ask(Tag::pull, {Map{{"n", -1}}}).name() == "IGNORED");
  BOOST_TEST(one.ask(Tag::reset).name() == "SUCCESS");
  BOOST_TEST(one.result("RETURN 1 AS one") == "1");
  BOOST_TEST(one.ask(Tag::reset).name() == "SUCCESS");  // not announced
  BOOST_TEST(one.result("RETURN 1 AS one") == "1");
}

BOOST_AUTO_TEST_CASE(cancelling_is_for_good) {
  BoltClient one = client();
  one.run(endless);
  const auto [answer, time] = interrupted([&] { return one.ask(Tag::pull, {Map{{"n", -1}}}); },
                                          [&] { one.session().cancel(); });
  BOOST_TEST(failure_title(answer) == "Terminated");
  BOOST_TEST((time > 0ms && time < 200ms), time.count());
  BOOST_TEST(one.is_closed);
  BoltClient idle = client();
  idle.session().cancel();
  BOOST_TEST(idle.send(Tag::reset).empty());
  BOOST_TEST(idle.is_closed);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
