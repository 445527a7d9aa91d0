// How connections end: by their clients, by limits, by tokens that are revoked, with the listener and in a forked child.

#include "tests/query/bolt/listener_fixture.hpp"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace cairn::test {
namespace {

using query::bolt::Tag;
using std::chrono::milliseconds;

BoltOptions limits_of(milliseconds logon_time, milliseconds send_time) {
  BoltOptions options;
  options.limits.logon_time = logon_time;
  options.limits.send_time = send_time;
  return options;
}

struct HastyFixture : ListenerFixture {
  HastyFixture() : ListenerFixture(limits_of(milliseconds(300), milliseconds(300))) {}
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(connection_end, ListenerFixture)

BOOST_AUTO_TEST_CASE(a_reset_ends_what_runs) {
  SocketClient impatient = client();
  impatient.send(statement_bytes(long_statement));
  std::this_thread::sleep_for(milliseconds(100));
  const auto begin = TestClock::now();
  impatient.send(chunks_of(Tag::reset));
  std::string names;
  for (int i = 0; i < 3; ++i)
    names += impatient.answer().value_or(BoltAnswer{Tag::hello, {}}).name() + " ";
  BOOST_TEST(names == "SUCCESS IGNORED SUCCESS ");
  BOOST_TEST(since(begin).count() < 2'000);
  BOOST_TEST(impatient.result("RETURN 1") == "1");
}

BOOST_AUTO_TEST_CASE(who_shuts_down_half_is_gone_with_what_was_open) {
  SocketClient gone = client();
  BOOST_REQUIRE(gone.ask(Tag::begin, {Map()}).name() == "SUCCESS");
  BOOST_TEST(gone.result("CREATE (:Lost)") == "");
  gone.shut_down();
  BOOST_TEST(gone.is_ended_within(milliseconds(2'000)));
  SocketClient next = client();  // has the writer's turn
  BOOST_TEST(next.result("CREATE (:Kept)") == "");
  BOOST_TEST(next.result("MATCH (n:Lost) RETURN count(*)") == "0");
}

BOOST_AUTO_TEST_CASE(who_goes_while_a_statement_runs_ends_it) {
  SocketClient gone = client();
  gone.send(statement_bytes(long_statement));
  std::this_thread::sleep_for(milliseconds(100));
  gone.close();
  BOOST_TEST(has_connections(0));
}

BOOST_AUTO_TEST_CASE(goodbye_ends_the_connection) {
  SocketClient leaving = client();
  leaving.send_request(Tag::goodbye);
  BOOST_TEST(leaving.is_ended_within(milliseconds(500)));
  leaving.close();
  BOOST_TEST(has_connections(0));
}

BOOST_AUTO_TEST_CASE(there_are_as_many_connections_as_may_be) {
  std::vector<std::unique_ptr<SocketClient>> clients;
  for (int i = 0; i < 300; ++i) {
    clients.push_back(std::make_unique<SocketClient>(listener.address()));
    BOOST_TEST(clients.back()->log_on(secret) == (i < 256), "client " << i);
  }
  BOOST_TEST(listener.connections() == 256U);
  BOOST_TEST(clients[255]->result("RETURN 255") == "255");
  clients.erase(clients.begin(), clients.begin() + 100);
  BOOST_TEST(comes_true([&] { return listener.connections() == 156U; }));
  check_others();
}

// Each second one has agreed on a version, so that it has a thread.
BOOST_AUTO_TEST_CASE(a_crowd_without_tokens_keeps_nobody_out) {
  SocketClient known = client();
  const std::size_t before = resident_mebibytes();
  std::vector<SocketClient> crowd;
  for (int i = 0; i < 1'000; ++i) {
    crowd.emplace_back(listener.address());
    if (i % 2 == 0) crowd.back().send(handshake_bytes());
  }
  check_others();
  BOOST_TEST(known.result("RETURN 1") == "1");
  BOOST_TEST(comes_true([&] { return listener.connections() <= 256U; }));
  BOOST_TEST(resident_mebibytes() < before + 64);
  check_others();
  BOOST_TEST(crowd.front().is_ended_within(milliseconds(1'000)));
}

BOOST_AUTO_TEST_CASE(an_address_of_wrong_tokens_is_refused) {
  SocketClient known = client();
  for (int i = 0; i < 10; ++i) {
    SocketClient guesser(listener.address());
    BOOST_TEST(!guesser.log_on("cairn_wrong"));
  }
  SocketClient refused(listener.address());
  BOOST_TEST(!refused.shake_hands());
  BOOST_TEST(known.result("RETURN 1") == "1");
}

BOOST_AUTO_TEST_CASE(why_a_logon_failed_arrives) {
  SocketClient wrong(listener.address());
  BOOST_REQUIRE(wrong.shake_hands());
  wrong.send(logon_bytes("cairn_wrong") + chunks_of(Tag::run, {"RETURN 1", Map(), Map()}));
  BOOST_TEST(wrong.answer()->name() == "SUCCESS");
  BOOST_TEST(failure_title(*wrong.answer()) == "Unauthorized");
  // A socket that is closed at once takes back what was sent last, on some systems: the client goes first.
  std::this_thread::sleep_for(milliseconds(100));
  BOOST_TEST(listener.connections() == 1U);
  BOOST_TEST(wrong.is_ended_within(milliseconds(2'000)));
  wrong.close();
  BOOST_TEST(comes_true([&] { return listener.connections() == 0; }, milliseconds(500)));
}

BOOST_AUTO_TEST_CASE(a_revoked_token_ends_its_idle_connections) {
  const std::string other = must(create_token(*database, {.name = "other"}));
  SocketClient kept = client();
  SocketClient revoked(listener.address());
  BOOST_REQUIRE(revoked.log_on(other));
  must(revoke_token(*database, "other"));
  BOOST_TEST(revoked.is_ended_within(milliseconds(3'000)));
  BOOST_TEST(kept.result("RETURN 1") == "1");
}

BOOST_AUTO_TEST_CASE(a_token_that_was_made_again_ends_what_the_old_one_began) {
  const std::string old_secret = must(create_token(*database, {.name = "other"}));
  SocketClient old(listener.address());
  BOOST_REQUIRE(old.log_on(old_secret));
  std::this_thread::sleep_for(milliseconds(2'500));  // looked at as it was
  must(revoke_token(*database, "other"));
  static_cast<void>(must(create_token(*database, {.name = "other"})));
  BOOST_TEST(old.is_ended_within(milliseconds(3'000)));
}

BOOST_AUTO_TEST_CASE(closing_ends_long_statements_and_readers_that_sleep) {
  SocketClient running = client();
  running.send(statement_bytes(long_statement));
  SocketClient sleeping = client();
  sleeping.send(statement_bytes(many_rows));
  SocketClient writing = client();
  BOOST_REQUIRE(writing.ask(Tag::begin, {Map()}).name() == "SUCCESS");
  BOOST_TEST(writing.result("CREATE (:Lost)") == "");
  SocketClient silent(listener.address());
  std::this_thread::sleep_for(milliseconds(200));
  const auto begin = TestClock::now();
  listener.close();
  BOOST_TEST(since(begin).count() < 1'000);
  BOOST_TEST(listener.connections() == 0U);
  for (SocketClient* ended : {&running, &sleeping, &writing, &silent})
    BOOST_TEST(ended->is_ended_within(milliseconds(500)));
  listener.close();
  must(must(database->begin()).commit());
}

BOOST_AUTO_TEST_CASE(a_closed_address_can_be_listened_at_again) {
  const BoltAddress address = listener.address();
  SocketClient before = client();
  listener.close();
  listener = must(BoltListener::open(*database, address));
  check_others();
}

BOOST_AUTO_TEST_CASE(a_forked_child_leaves_the_listener_alone) {
  SocketClient before = client();
  const BoltAddress address = listener.address();
  int ends[2] = {-1, -1};
  BOOST_REQUIRE(::pipe(ends) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(60);  // whatever becomes of its parent
    {
      const BoltListener mine = std::move(listener);
    }
    const ssize_t written = ::write(ends[1], "x", 1);
    if (written == 1) ::pause();
    ::_exit(1);
  }
  pollfd destroyed{ends[0], POLLIN, 0};
  BOOST_TEST(::poll(&destroyed, 1, 5'000) == 1);  // one that waits for threads never ends
  BOOST_TEST(before.result("RETURN 1") == "1");
  check_others();
  // The child lives on, and holds neither the port nor what has ended.
  listener.close();
  BOOST_TEST(before.is_ended_within(milliseconds(500)));
  BOOST_TEST(BoltListener::open(*database, address).has_value());
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  for (const int end : ends) ::close(end);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(hasty_listener, HastyFixture)

BOOST_AUTO_TEST_CASE(who_does_not_log_on_in_time_is_let_go) {
  SocketClient silent(listener.address());
  SocketClient undecided(listener.address());
  BOOST_TEST(undecided.shake_hands());
  SocketClient known = client();
  BOOST_TEST(silent.is_ended_within(milliseconds(2'000)));
  BOOST_TEST(undecided.is_ended_within(milliseconds(2'000)));
  std::this_thread::sleep_for(milliseconds(600));
  BOOST_TEST(known.result("RETURN 1") == "1");
}

BOOST_AUTO_TEST_CASE(drops_of_bytes_do_not_lengthen_it) {
  SocketClient slow(listener.address());
  BOOST_TEST(slow.shake_hands());
  const std::string bytes = logon_bytes(secret);
  const auto begin = TestClock::now();
  for (std::size_t i = 0; i + 1 < bytes.size() && since(begin) < milliseconds(3'000); ++i)
    if (!slow.send(bytes.substr(i, 1)) || slow.is_ended_within(milliseconds(20))) break;
  BOOST_TEST(since(begin).count() < 2'000);
}

BOOST_AUTO_TEST_CASE(who_reads_nothing_is_let_go) {
  const std::size_t before = resident_mebibytes();
  SocketClient sleeping = client();
  sleeping.send(statement_bytes(many_rows));
  BOOST_TEST(has_connections(1));
  check_others();
  BOOST_TEST(has_connections(0));
  BOOST_TEST(resident_mebibytes() < before + 60);
}

BOOST_AUTO_TEST_CASE(who_reads_slowly_is_not) {
  SocketClient slow = client();
  slow.send(statement_bytes(many_rows));
  for (int i = 0; i < 12; ++i) {
    BOOST_TEST(slow.receive(2'000'000).size() == 2'000'000U);
    std::this_thread::sleep_for(milliseconds(80));
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
