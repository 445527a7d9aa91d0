// A thousand connections at a server by HTTP: it holds few of them, in little memory, and serves those who have a token.
#include "tests/support/resident_memory.hpp"
#include "tests/tools/mcp/fixture_server.hpp"
#include "tests/tools/mcp/http_client.hpp"
#include "tools/mcp/protocol/http_server.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address_v4.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

using namespace cairn::test;
using namespace cairn::tools::mcp;

namespace {

using boost::asio::ip::tcp;

constexpr std::size_t crowd_size = 1'000;
const std::string token = "Authorization: Bearer secret";

HttpOptions with_token() {
  HttpOptions options;
  options.token = "secret";
  return options;
}

/// A request that announces a large body, and sends a part of it.
std::string large_request(const std::string& header) {
  return "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: "
         "*/*\r\n" +
         header + "Content-Length: 4000000\r\n\r\n" + std::string(60'000, ' ');
}

/// Clients that each send one of these beginnings of a request, and wait.
class Crowd {
 public:
  Crowd(std::uint16_t port, const std::vector<std::string>& beginnings) {
    for (std::size_t i = 0; i < crowd_size; ++i) {
      sockets_.emplace_back(io_).connect({boost::asio::ip::address_v4::loopback(), port});
      boost::system::error_code ignored;  // the server may have closed it
      boost::asio::write(sockets_.back(), boost::asio::buffer(beginnings[i % beginnings.size()]),
                         ignored);
    }
  }
  /// The connections that the server has not ended.
  std::size_t open() {
    std::size_t count = 0;
    for (tcp::socket& socket : sockets_) count += is_open(socket) ? 1 : 0;
    return count;
  }

 private:
  static bool is_open(tcp::socket& socket) {
    socket.non_blocking(true);
    std::array<char, 4'096> bytes{};
    boost::system::error_code error;
    while (!error) socket.read_some(boost::asio::buffer(bytes), error);
    return error == boost::asio::error::would_block;
  }

  boost::asio::io_context io_;
  std::vector<tcp::socket> sockets_;
};

struct CrowdFixture {
  static bool is_served(HttpClient& client) {
    return client.post_stateless("tools/list", "", "{}").status == 200U;
  }
  /// Checks that a new client with the token is served.
  void check_others() const {
    HttpClient other(server.port());
    other.always_send(token);
    BOOST_TEST(is_served(other));
  }

  const ServerDefinition definition = make_fixture_server();
  const HttpServer server{definition, with_token()};
};

/// The server ends a refused connection a second after its answer.
bool gets_small(Crowd& crowd) {
  constexpr std::size_t most = 64;  // HttpOptions::most_connections
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  while (crowd.open() > most && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  return crowd.open() <= most;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(http_crowd, CrowdFixture)

BOOST_AUTO_TEST_CASE(a_crowd_without_tokens_keeps_nobody_out) {
  HttpClient known(server.port());
  known.always_send(token);
  BOOST_TEST(is_served(known));
  const std::size_t before = resident_mebibytes();
  Crowd strangers(server.port(),
                  {"", "POST /mcp HTTP/1.1\r\nX: " + std::string(16'000, 'x'), large_request("")});
  BOOST_TEST(is_served(known));
  check_others();
  BOOST_TEST(resident_mebibytes() < before + 64);
  BOOST_TEST(gets_small(strangers));
  BOOST_TEST(is_served(known));
}

// None of them has a whole request. Their connections end as those of one caller do.
BOOST_AUTO_TEST_CASE(a_crowd_with_the_token_keeps_nobody_out) {
  const std::size_t before = resident_mebibytes();
  Crowd callers(server.port(), {large_request(token + "\r\n")});
  check_others();
  BOOST_TEST(resident_mebibytes() < before + 64);
  BOOST_TEST(gets_small(callers));
}

BOOST_AUTO_TEST_SUITE_END()
