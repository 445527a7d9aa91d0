// A listener with TLS: clients that speak it, clients that do not, and files that cannot be used.

#include "tests/query/bolt/certificate.hpp"
#include "tests/query/bolt/listener_fixture.hpp"
#include "tests/support/rounds.hpp"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace cairn::test {
namespace {

using query::bolt::Tag;
using std::chrono::milliseconds;

BoltOptions with(const BoltTls& files) {
  BoltOptions options;
  options.tls = files;
  return options;
}

class TlsClient {
 public:
  explicit TlsClient(const BoltAddress& address)
      : socket_(address),
        context_(SSL_CTX_new(TLS_client_method()), &SSL_CTX_free),
        secure_(SSL_new(context_.get()), &SSL_free) {
    SSL_set_fd(secure_.get(), socket_.descriptor());
  }

  bool connect() { return SSL_connect(secure_.get()) == 1; }
  void send(std::string_view bytes) {
    BOOST_REQUIRE(SSL_write(secure_.get(), bytes.data(), static_cast<int>(bytes.size())) > 0);
  }
  /// Until `size` bytes are there, or the server has said farewell.
  std::string receive(std::size_t size) {
    std::string bytes(size, 0);
    std::size_t count = 0;
    while (count < size) {
      const int some =
          SSL_read(secure_.get(), bytes.data() + count, static_cast<int>(size - count));
      if (some <= 0) break;
      count += static_cast<std::size_t>(some);
    }
    bytes.resize(count);
    return bytes;
  }
  /// The server's orderly end.
  bool has_farewell() { return SSL_get_shutdown(secure_.get()) == SSL_RECEIVED_SHUTDOWN; }
  SocketClient& socket() { return socket_; }

 private:
  SocketClient socket_;
  Owned<SSL_CTX> context_;
  Owned<SSL> secure_;
};

struct TlsFixture : Certificate, ListenerFixture {
  TlsFixture() : Certificate("server"), ListenerFixture(with(Certificate::files)) {}

  std::string all_of(TlsClient& client, std::string_view statement) {
    client.send(handshake_bytes() + logon_bytes(secret) + statement_bytes(statement) +
                chunks_of(Tag::goodbye));
    return client.receive(std::size_t{64} << 20U);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(tls, TlsFixture)

BOOST_AUTO_TEST_CASE(a_session_goes_through_it_and_ends_in_order) {
  TlsClient client(listener.address());
  BOOST_REQUIRE(client.connect());
  BOOST_TEST(all_of(client, "RETURN 'through' + ' TLS' AS t").find("through TLS") !=
             std::string::npos);
  BOOST_TEST(client.has_farewell());
  BOOST_TEST(has_connections(0));
}

BOOST_AUTO_TEST_CASE(large_results_and_large_parameters_arrive_whole) {
  TlsClient client(listener.address());
  BOOST_REQUIRE(client.connect());
  const std::string text(3'000'000, 'x');
  client.send(
      handshake_bytes() + logon_bytes(secret) +
      chunks_of(Tag::run, {"UNWIND range(1, 5) AS i RETURN $text", Map{{"text", text}}, Map()}) +
      chunks_of(Tag::pull, {Map{{"n", -1}}}) + chunks_of(Tag::goodbye));
  const std::string answer = client.receive(std::size_t{64} << 20U);
  BOOST_TEST(std::ranges::count(answer, 'x') >= 15'000'000);
}

BOOST_AUTO_TEST_CASE(a_client_without_it_is_sent_away_and_the_others_notice_nothing) {
  SocketClient plain(listener.address());
  plain.send(handshake_bytes());
  BOOST_TEST(plain.is_ended_within(milliseconds(5'000)));
  SocketClient silent(listener.address());
  TlsClient half(listener.address());
  half.socket().send(std::string("\x16\x03\x01\x02\x00", 5));  // the beginning of a greeting
  TlsClient client(listener.address());
  BOOST_REQUIRE(client.connect());
  BOOST_TEST(all_of(client, "RETURN 40 + 2 AS n").size() > 100);
}

BOOST_AUTO_TEST_CASE(a_crowd_without_tokens_keeps_nobody_out) {
  const std::size_t before = resident_mebibytes();
  TlsClient known(listener.address());
  BOOST_REQUIRE(known.connect());
  known.send(handshake_bytes() + logon_bytes(secret) + statement_bytes("RETURN 1"));
  BOOST_TEST(known.receive(100).size() == 100U);
  std::vector<SocketClient> crowd;
  for (int i = 0; i < 1'000; ++i) crowd.emplace_back(listener.address());
  TlsClient client(listener.address());
  BOOST_REQUIRE(client.connect());
  BOOST_TEST(all_of(client, "RETURN 40 + 2 AS n").size() > 100);
  known.send(statement_bytes("RETURN 'still ' + 'here' AS n") + chunks_of(Tag::goodbye));
  BOOST_TEST(known.receive(std::size_t{1} << 20U).find("still here") != std::string::npos);
  BOOST_TEST(comes_true([&] { return listener.connections() <= 256U; }));
  // A connection has a thread, and AddressSanitizer gives each thread a second stack.
  if (stride() == 1) BOOST_TEST(resident_mebibytes() < before + 64);
}

BOOST_AUTO_TEST_CASE(a_client_that_is_gone_leaves_nothing) {
  {
    TlsClient client(listener.address());
    BOOST_REQUIRE(client.connect());
    client.send(handshake_bytes() + logon_bytes(secret) + statement_bytes(long_statement));
    BOOST_TEST(has_connections(1));
  }
  BOOST_TEST(has_connections(0));
}

BOOST_AUTO_TEST_CASE(closing_the_listener_ends_its_clients) {
  TlsClient client(listener.address());
  BOOST_REQUIRE(client.connect());
  client.send(handshake_bytes() + logon_bytes(secret) + statement_bytes(long_statement));
  BOOST_TEST(has_connections(1));
  const auto begin = TestClock::now();
  listener.close();
  BOOST_TEST(since(begin).count() < 5'000);
  static_cast<void>(client.receive(1'000'000));
}

BOOST_AUTO_TEST_CASE(with_it_other_interfaces_are_listened_at) {
  BOOST_TEST(BoltListener::open(*database, {"0.0.0.0", 0}, with(Certificate::files)).has_value());
}

BOOST_AUTO_TEST_CASE(files_that_cannot_be_used_are_named) {
  const Certificate other("other");
  const auto message = [&](const BoltTls& used) {
    const auto opened = BoltListener::open(*database, {"127.0.0.1", 0}, with(used));
    return opened ? std::string() : opened.error().message;
  };
  const auto names = [&](const BoltTls& used, const std::filesystem::path& file, const char* why) {
    const std::string text = message(used);
    BOOST_TEST(text.find(file.string()) != std::string::npos, text);
    BOOST_TEST(text.find(why) != std::string::npos, text);
  };
  const BoltTls& own = Certificate::files;
  names({"/nowhere/server.pem", own.key}, "/nowhere/server.pem", "No such file");
  names({own.certificate, own.certificate.parent_path()}, own.certificate.parent_path(),
        "not a file");
  names({own.key, own.key}, own.key, "cannot use the certificate");
  names({own.certificate, other.files.key}, other.files.key, "does not belong");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(statements_of_clients)

BOOST_AUTO_TEST_CASE(each_statement_is_told_before_it_runs) {
  std::mutex mutex;
  std::vector<std::string> told;
  BoltOptions options;
  options.on_statement = [&](const BoltStatement& one) {
    const std::lock_guard lock(mutex);
    told.push_back(std::string(one.client) + " " + std::string(one.name_space) + " " +
                   std::string(one.text) + " " + std::to_string(one.parameters.size()));
  };
  ListenerFixture fixture(options);
  SocketClient client = fixture.client();
  BOOST_TEST(client.result("RETURN $a AS a", Map{{"a", 1}}) == "1");
  BOOST_TEST(client.result("RETRUN 1").find("SyntaxError") != std::string::npos);
  const std::lock_guard lock(mutex);
  BOOST_TEST(
      told == (std::vector<std::string>{"127.0.0.1  RETURN $a AS a 1", "127.0.0.1  RETRUN 1 0"}),
      boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
