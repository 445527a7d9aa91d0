// Where a listener may listen.

#include "tests/query/bolt/listener_fixture.hpp"

#include <string>
#include <string_view>

namespace cairn::test {
namespace {

std::string parsed(std::string_view text) {
  const auto address = BoltAddress::parse(text);
  return address ? address->text() : std::string(to_string(address.error().code));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(listener_address)

BOOST_AUTO_TEST_CASE(addresses_are_read) {
  BOOST_TEST(parsed("localhost:80") == "localhost:80");
  BOOST_TEST(parsed("127.0.0.1") == "127.0.0.1:7687");
  BOOST_TEST(parsed(":0") == "127.0.0.1:0");
  BOOST_TEST(parsed("[::1]:7688") == "[::1]:7688");
  BOOST_TEST(parsed("[::1]") == "[::1]:7687");
  for (const char* wrong :
       {"", ":", "host:", "host:65536", "host:-1", "host:1x", "::1", "[::1", "[]:1", "[::1]7687"})
    BOOST_TEST(parsed(wrong) == "invalid_argument", wrong);
}

BOOST_AUTO_TEST_CASE(only_the_loopback_interface_is_listened_at) {
  TemporaryDatabase database;
  const auto refused = [&](const char* host, const char* why) {
    const auto opened = BoltListener::open(*database, {host, 0});
    BOOST_REQUIRE(!opened.has_value());
    BOOST_TEST(int(opened.error().code) == int(ErrorCode::invalid_argument));
    BOOST_TEST(opened.error().message.find(why) != std::string::npos, opened.error().message);
  };
  for (const char* host : {"0.0.0.0", "192.168.1.1", "::", "::ffff:127.0.0.1"})
    refused(host, "needs TLS");
  for (const char* host : {"example.org", ""}) refused(host, "expected a numeric address");
  for (const char* host : {"127.0.0.1", "127.9.9.9", "localhost"})
    BOOST_TEST(must(BoltListener::open(*database, {host, 0})).address().port != 0);
}

BOOST_AUTO_TEST_CASE(an_address_in_use_is_busy) {
  TemporaryDatabase database;
  const BoltListener first = must(BoltListener::open(*database, {"127.0.0.1", 0}));
  const auto second = BoltListener::open(*database, first.address());
  BOOST_REQUIRE(!second.has_value());
  BOOST_TEST(int(second.error().code) == int(ErrorCode::busy));
  BOOST_TEST(second.error().message.find(first.address().text()) != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
