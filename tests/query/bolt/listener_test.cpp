// What clients of a listener send, in order and out of it: each gets its answers, and the others notice nothing.

#include "tests/query/bolt/listener_fixture.hpp"

#include <chrono>
#include <random>
#include <string>
#include <thread>

namespace cairn::test {
namespace {

using query::bolt::Tag;
using std::chrono::milliseconds;

/// A message of at most 65,535 bytes in one chunk.
std::string chunk_of(const std::string& message) {
  std::string bytes{static_cast<char>(message.size() >> 8U), static_cast<char>(message.size())};
  return bytes + message + std::string(2, '\0');
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(listener, ListenerFixture)

BOOST_AUTO_TEST_CASE(statements_are_answered) {
  SocketClient first = client();
  BOOST_TEST(first.result("CREATE (n:Tea {name: $name}) RETURN n.name", {{"name", "Assam"}}) ==
             "'Assam'");
  SocketClient second = client();
  BOOST_TEST(second.result("MATCH (n:Tea) RETURN n.name") == "'Assam'");
  BOOST_TEST(has_connections(2));
}

BOOST_AUTO_TEST_CASE(bytes_come_in_any_pieces) {
  const std::string bytes =
      handshake_bytes() + logon_bytes(secret) +
      chunks_of(Tag::run, {"RETURN $x AS x", Map{{"x", std::string(300, 'a')}}, Map()}) +
      chunks_of(Tag::pull, {Map{{"n", -1}}});
  for (const std::size_t piece : {1U, 2U, 3U, 7U, 50U, 100'000U}) {
    SocketClient cut(listener.address());
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
      BOOST_REQUIRE(cut.send(std::string_view(bytes).substr(at, piece)));
      if (piece < 50 && at % 5 == 0) std::this_thread::yield();
    }
    BOOST_TEST(cut.receive(4) == std::string("\0\0\x08\x05", 4));
    std::string names;
    for (int i = 0; i < 5; ++i)
      names += cut.answer().value_or(BoltAnswer{Tag::failure, {}}).name() + " ";
    BOOST_TEST(names == "SUCCESS SUCCESS SUCCESS RECORD SUCCESS ");
  }
}

BOOST_AUTO_TEST_CASE(requests_that_come_together_are_answered_in_order) {
  SocketClient pipelined = client();
  std::string bytes;
  for (int i = 0; i < 500; ++i)
    bytes += chunks_of(Tag::run, {"RETURN $i", Map{{"i", i}}, Map()}) +
             chunks_of(Tag::pull, {Map{{"n", -1}}});
  BOOST_REQUIRE(pipelined.send(bytes));
  for (int i = 0; i < 500; ++i) {
    BOOST_REQUIRE(pipelined.answer()->name() == "SUCCESS");
    BOOST_TEST(pipelined.answer()->content.as_list()[0].as_integer() == i);
    BOOST_REQUIRE(pipelined.answer()->name() == "SUCCESS");
  }
}

BOOST_AUTO_TEST_CASE(results_that_are_larger_than_all_buffers_arrive) {
  SocketClient reader = client();
  const std::string rows = reader.result("UNWIND range(1, 200000) AS i RETURN i");
  BOOST_TEST(rows.size() == 200'000U * 2 - 2 + 1'088'895U);
  BOOST_TEST(rows.ends_with("; 199999; 200000"));
  BOOST_TEST(reader.result("RETURN size(reduce(t = 'x', i IN range(1, 20) | t + t)) AS n") ==
             "1048576");
  BOOST_TEST(reader.result("RETURN reduce(t = 'x', i IN range(1, 20) | t + t) AS t").size() ==
             1'048'578U);
}

BOOST_AUTO_TEST_CASE(another_protocol_and_garbage_end_their_own_connection) {
  SocketClient bystander = client();
  for (const char* greeting : {"GET / HTTP/1.1\r\n\r\n", "\x16\x03\x01\x02", "x"}) {
    SocketClient stranger(listener.address());
    stranger.send(greeting);
    BOOST_TEST(stranger.is_ended_within(milliseconds(2'000)));
  }
  std::mt19937_64 random(7);
  for (int round = 0; round < 50; ++round) {
    std::string bytes(1 + random() % 5'000, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    SocketClient stranger(listener.address());
    if (round % 2 == 0) BOOST_TEST(stranger.shake_hands());
    stranger.send(bytes);
    stranger.shut_down();
    BOOST_TEST(stranger.is_ended_within(milliseconds(5'000)));
  }
  BOOST_TEST(bystander.result("RETURN 1") == "1");
  bystander.close();
  BOOST_TEST(has_connections(0));
}

BOOST_AUTO_TEST_CASE(an_unknown_version_is_answered_with_zeros) {
  SocketClient old(listener.address());
  std::string bytes("\x60\x60\xB0\x17\0\0\x04\x04", 8);
  bytes.resize(20);
  old.send(bytes);
  BOOST_TEST(old.receive(5) == std::string(4, '\0'));
}

BOOST_AUTO_TEST_CASE(what_is_announced_is_not_believed) {
  const std::size_t before = resident_mebibytes();
  SocketClient liar(listener.address());
  BOOST_REQUIRE(liar.shake_hands());
  // HELLO with a map of one entry, whose key is said to have a gibibyte.
  const std::string hello("\x00\x08\xB1\x01\xA1\xD2\x40\x00\x00\x00\x00\x00", 12);
  liar.send(hello);
  const auto answer = liar.answer();
  BOOST_TEST((answer && answer->name() == "FAILURE"));
  BOOST_TEST(liar.is_ended_within(milliseconds(2'000)));
  BOOST_TEST(resident_mebibytes() < before + 50);
}

// A list or a map of one item at each level: in the HELLO, and in the parameters of a RUN behind the logon.
BOOST_AUTO_TEST_CASE(ten_thousand_levels_are_refused_and_others_are_served) {
  SocketClient bystander = client();
  const std::size_t before = resident_mebibytes();
  for (const std::string& level : {std::string("\x91"), std::string("\xA1\x81x")}) {
    std::string value = "\xA1\x81x";
    for (int i = 0; i < 10'000; ++i) value += level;
    value += '\x01';
    SocketClient stranger(listener.address());
    BOOST_REQUIRE(stranger.shake_hands());
    stranger.send(chunk_of("\xB1\x01" + value));
    const auto refused = stranger.answer();
    BOOST_TEST((!refused || refused->name() == "FAILURE"));
    BOOST_TEST(stranger.is_ended_within(milliseconds(2'000)));

    SocketClient deep = client();
    deep.send(chunk_of("\xB3\x10\x88RETURN 1" + value + "\xA0"));
    const auto answer = deep.answer();
    BOOST_REQUIRE(answer.has_value());
    BOOST_TEST(failure_text(*answer).find("more than 128 levels") != std::string::npos);
    BOOST_TEST(bystander.result("RETURN 1") == "1");
  }
  BOOST_TEST(resident_mebibytes() < before + 50);
}

BOOST_AUTO_TEST_CASE(before_logon_a_message_has_64_kibibytes) {
  SocketClient greedy(listener.address());
  BOOST_REQUIRE(greedy.shake_hands());
  greedy.send(chunks_of(Tag::hello, {Map{{"user_agent", std::string(70'000, 'x')}}}));
  const auto answer = greedy.answer();
  BOOST_REQUIRE(answer.has_value());
  BOOST_TEST(failure_text(*answer).find("more than 65536 bytes") != std::string::npos);
  BOOST_TEST(greedy.is_ended_within(milliseconds(2'000)));
}

BOOST_AUTO_TEST_CASE(a_large_message_may_come_right_behind_the_logon) {
  SocketClient eager(listener.address());
  BOOST_REQUIRE(eager.shake_hands());
  eager.send(
      logon_bytes(secret) +
      chunks_of(Tag::run, {"RETURN size($x)", Map{{"x", std::string(200'000, 'x')}}, Map()}) +
      chunks_of(Tag::pull, {Map{{"n", -1}}}));
  std::string names;
  for (int i = 0; i < 5; ++i)
    names += eager.answer().value_or(BoltAnswer{Tag::failure, {}}).name() + " ";
  BOOST_TEST(names == "SUCCESS SUCCESS SUCCESS RECORD SUCCESS ");
}

BOOST_AUTO_TEST_CASE(a_message_over_the_limit_is_told_and_ends_the_connection) {
  const std::size_t before = resident_mebibytes();
  SocketClient greedy = client();
  const std::string bytes = chunks_of(
      Tag::run, {"RETURN 1", Map{{"x", std::string(std::size_t{60} << 20U, 'x')}}, Map()});
  const std::size_t held = resident_mebibytes();
  greedy.send(bytes);
  const auto answer = greedy.answer();
  BOOST_REQUIRE(answer.has_value());
  BOOST_TEST(failure_text(*answer).find(
                 "Neo.ClientError.Request.Invalid: the message has more than 17825792 bytes") ==
             0U);
  BOOST_TEST(greedy.is_ended_within(milliseconds(3'000)));
  BOOST_TEST(resident_mebibytes() < held + 60);
  BOOST_TEST(held >= before);
  check_others();
}

BOOST_AUTO_TEST_CASE(who_sends_too_much_is_read_no_further) {
  SocketClient busy = client();
  busy.send(statement_bytes(long_statement));
  const std::string request =
      chunks_of(Tag::run, {"RETURN 1", Map{{"x", std::string(1'000, 'x')}}, Map()});
  std::string bytes;
  while (bytes.size() < std::size_t{64} << 20U) bytes += request;
  const std::size_t sent = busy.send_some(bytes, milliseconds(500));
  // What waits, and what the system keeps for both sockets.
  BOOST_TEST(sent >= std::size_t{4} << 20U);
  BOOST_TEST(sent < std::size_t{24} << 20U);
  check_others();
  const auto begin = TestClock::now();
  listener.close();
  BOOST_TEST(since(begin).count() < 1'000);
}

BOOST_AUTO_TEST_CASE(who_was_read_no_further_is_read_again) {
  SocketClient busy = client();
  const std::string run =
      chunks_of(Tag::run, {"RETURN size($x)", Map{{"x", std::string(1'000'000, 'x')}}, Map()});
  const std::string pull = chunks_of(Tag::pull, {Map{{"n", -1}}});
  std::string bytes;
  for (int i = 0; i < 20; ++i) bytes += run + pull;
  std::thread sender([&] { BOOST_TEST(busy.send(bytes)); });
  int records = 0;
  for (int i = 0; i < 60; ++i)
    records += busy.answer().value_or(BoltAnswer{}).tag == Tag::record ? 1 : 0;
  sender.join();
  BOOST_TEST(records == 20);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
