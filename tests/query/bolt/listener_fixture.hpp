#pragma once
// A database that is listened for, and what its clients share.

#include "tests/query/bolt/socket_client.hpp"
#include "tests/support/resident_memory.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <thread>

namespace cairn::test {

using TestClock = std::chrono::steady_clock;

inline constexpr const char* long_statement =
    "UNWIND range(1, 1000000000000) AS i RETURN count(i) AS n";
inline constexpr const char* many_rows = "UNWIND range(1, 1000000000000) AS i RETURN i";

inline std::chrono::milliseconds since(TestClock::time_point begin) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(TestClock::now() - begin);
}

/// RUN and PULL of all rows.
inline std::string statement_bytes(std::string_view text) {
  return chunks_of(query::bolt::Tag::run, {text, Map(), Map()}) +
         chunks_of(query::bolt::Tag::pull, {Map{{"n", -1}}});
}

template <class Condition>
bool comes_true(const Condition& condition,
                std::chrono::milliseconds time = std::chrono::milliseconds(5'000)) {
  const auto end = TestClock::now() + time;
  while (TestClock::now() < end) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return condition();
}

struct ListenerFixture {
  explicit ListenerFixture(const BoltOptions& options = {})
      : secret(must(create_token(*database, {"all", Role::admin, "", {"*"}}))),
        listener(must(BoltListener::open(*database, {"127.0.0.1", 0}, options))) {}

  SocketClient client() {
    SocketClient made(listener.address());
    BOOST_REQUIRE(made.log_on(secret));
    return made;
  }
  /// Checks that another client is still served.
  void check_others() {
    SocketClient other(listener.address());
    BOOST_TEST(other.log_on(secret));
    BOOST_TEST(other.result("RETURN 1 + 1 AS n") == "2");
  }
  bool has_connections(std::size_t count) {
    return comes_true([&] { return listener.connections() == count; });
  }

  TemporaryDatabase database;
  std::string secret;
  BoltListener listener;
};

}  // namespace cairn::test
