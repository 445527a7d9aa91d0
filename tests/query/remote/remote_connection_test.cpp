// Connecting over the network: what is refused, what is lost when the other end goes, and TLS.

#include "tests/query/attach/attached_fixture.hpp"
#include "tests/query/bolt/certificate.hpp"
#include "tests/query/bolt/listener_fixture.hpp"

#include <cairn/remote.hpp>

#include <netinet/in.h>
#include <sys/socket.h>

#include <optional>
#include <string>

namespace cairn::test {
namespace {

template <class Place>
Result<Rows> run_in(Place& place, std::string_view text, const StatementOptions& options = {}) {
  return must(Statement::parse(text)).run(place, Parameters(), options);
}

constexpr std::chrono::milliseconds soon{300};

std::string text_of(const Result<Database>& opened) { return outcome_text(opened); }

std::string outcome_of(const Status& status) { return status ? "" : status.error().message; }

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

/// A server that listens, and sends one fixed message to each client, or nothing.
class OtherServer {
 public:
  explicit OtherServer(std::string answer) : answer_(std::move(answer)) {
    socket_ = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    BOOST_REQUIRE(::bind(socket_, reinterpret_cast<sockaddr*>(&place), sizeof place) == 0);
    BOOST_REQUIRE(::listen(socket_, 4) == 0);
    socklen_t size = sizeof place;
    ::getsockname(socket_, reinterpret_cast<sockaddr*>(&place), &size);
    port_ = ntohs(place.sin_port);
    thread_ = std::jthread([this] {
      const int client = ::accept(socket_, nullptr, nullptr);
      if (client < 0) return;
      static_cast<void>(::send(client, answer_.data(), answer_.size(), MSG_NOSIGNAL));
      char byte = 0;
      while (::recv(client, &byte, 1, 0) > 0) continue;
      ::close(client);
    });
  }
  ~OtherServer() {
    ::shutdown(socket_, SHUT_RDWR);
    ::close(socket_);
  }
  [[nodiscard]] std::string address() const { return "bolt://127.0.0.1:" + std::to_string(port_); }

 private:
  const std::string answer_;
  int socket_ = -1;
  std::uint16_t port_ = 0;
  std::jthread thread_;
};

struct TlsFixture {
  Certificate certificate{"server"};
  ListenerFixture served{BoltOptions{.tls = certificate.files}};

  [[nodiscard]] Result<Database> open(const std::string& scheme,
                                      const std::filesystem::path& signer) {
    return open_remote(scheme + "://" + served.listener.address().text(),
                       {.token = served.secret, .authorities = signer});
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(remote_connection)

BOOST_AUTO_TEST_CASE(addresses_are_told_from_paths) {
  for (const char* const address : {"bolt://a", "bolt+s://a:1", "bolt+ssc://[::1]:7687"})
    BOOST_TEST(is_remote_address(address));
  for (const char* const path : {"bolt", "bolt:/a", "/bolt://a", "a/http://a", ""})
    BOOST_TEST(!is_remote_address(path));
  BOOST_TEST(has(text_of(open_remote("neo4j://a", {.token = "x"})), "expected bolt://host:port"));
  BOOST_TEST(
      has(text_of(open_remote("bolt://a:b", {.token = "x"})), "with a port from 0 to 65535"));
  BOOST_TEST(has(text_of(open_remote("bolt://me:secret@a", {})), "CAIRN_TOKEN"));
}

BOOST_AUTO_TEST_CASE(who_cannot_be_reached_is_named) {
  ListenerFixture fixture;
  const std::string address = "bolt://" + fixture.listener.address().text();
  BOOST_TEST(has(text_of(open_remote(address, {})), "requires a token"));
  BOOST_TEST(has(text_of(open_remote(address, {.token = "cairn_no"})), "token is unknown"));
  fixture.listener.close();
  const auto none = open_remote(address, {.token = "x"});
  BOOST_TEST((none.error().code == ErrorCode::not_found));
  BOOST_TEST(has(none.error().message, "is `cairn serve DB --bolt` running there?"));
  BOOST_TEST((open_remote("bolt://no.such.host.invalid", {.token = "x"}).error().code ==
              ErrorCode::not_found));
}

BOOST_AUTO_TEST_CASE(another_server_is_refused) {
  const OtherServer http("HTTP/1.1 400 Bad Request\r\n\r\n");
  BOOST_TEST(has(text_of(open_remote(http.address(), {.token = "x", .connect_time = soon})),
                 "the other end did not accept Bolt 6.0"));
}

BOOST_AUTO_TEST_CASE(a_server_that_says_nothing_is_given_up) {
  for (const std::string scheme : {"bolt", "bolt+s", "bolt+ssc"}) {
    const OtherServer silent("");
    const std::string address = scheme + silent.address().substr(4);
    const auto begin = TestClock::now();
    const auto opened = open_remote(address, {.token = "x", .connect_time = soon});
    BOOST_TEST((opened.error().code == ErrorCode::io_error), text_of(opened));
    BOOST_TEST(has(text_of(opened), "has not answered for"), text_of(opened));
    BOOST_TEST(since(begin).count() < 5'000);
  }
}

BOOST_AUTO_TEST_CASE(what_may_have_been_written_is_not_run_again) {
  std::optional<ListenerFixture> fixture(std::in_place);
  Database remote =
      must(open_remote("bolt://" + fixture->listener.address().text(), {.token = fixture->secret}));
  int runs = 0;
  const Status written = remote.write([&](Transaction& transaction) -> Status {
    CAIRN_TRY(run_in(transaction, "CREATE (:W)"));
    if (++runs == 1) fixture->listener.close();
    return {};
  });
  BOOST_TEST(has(outcome_of(written), "may or may not have been committed"), outcome_of(written));
  BOOST_TEST(runs == 1);
}

BOOST_AUTO_TEST_CASE(what_is_open_is_lost_with_the_server) {
  std::optional<ListenerFixture> fixture(std::in_place);
  Database remote =
      must(open_remote("bolt://" + fixture->listener.address().text(), {.token = fixture->secret}));
  Transaction transaction = must(remote.begin());
  must(run_in(transaction, "CREATE (:Lost)"));
  Transaction unanswered = must(remote.begin(TransactionMode::read));
  must(run_in(unanswered, "RETURN 1"));
  Rows rows = must(execute(remote, many_rows));
  fixture->listener.close();
  const auto lost = run_in(transaction, "RETURN 1");
  BOOST_TEST((lost.error().code == ErrorCode::conflict), outcome_text(lost));
  const Status committed = unanswered.commit();
  BOOST_TEST(has(committed.error().message, "may or may not have been committed"));
  Result<std::optional<Row>> row = rows.next();
  while (row && *row) row = rows.next();
  BOOST_TEST((row.error().code == ErrorCode::conflict), outcome_text(row));
  const auto refused = execute(remote, "RETURN 1");
  BOOST_TEST((refused.error().code == ErrorCode::not_found), outcome_text(refused));
}

BOOST_FIXTURE_TEST_CASE(tls_trusts_whom_it_is_told_to, TlsFixture) {
  Database remote = must(open("bolt+s", certificate.files.certificate));
  Rows rows = must(execute(remote, "UNWIND range(1, 20000) AS i RETURN i, 'some text ' + i AS t"));
  std::int64_t sum = 0;
  for (const auto& row : rows) sum += must(row)[0].as_integer();
  BOOST_TEST(sum == 200'010'000);
  BOOST_TEST(open("bolt+ssc", {}).has_value());
  const std::string unknown = text_of(open("bolt+s", {}));
  BOOST_TEST(has(unknown, "certificate verify failed"), unknown);
  const Certificate other("other");
  BOOST_TEST(has(text_of(open("bolt+s", other.files.certificate)), "certificate verify failed"));
  BOOST_TEST(has(text_of(open("bolt+s", "nowhere.pem")), "nowhere.pem"));
  BOOST_TEST(has(text_of(open("bolt+ssc", certificate.files.certificate)), "has no effect"));
  const auto plain = open("bolt", {});
  BOOST_TEST((plain.error().code == ErrorCode::io_error), text_of(plain));
  BOOST_TEST(has(text_of(plain), "if that server uses TLS, its address begins with bolt+s://"));
  BOOST_TEST(has(unknown, "give the authority of that certificate"), unknown);
}

BOOST_AUTO_TEST_CASE(tls_checks_the_name) {
  const Certificate elsewhere("elsewhere", "DNS:elsewhere,IP:10.0.0.1");
  ListenerFixture served(BoltOptions{.tls = elsewhere.files});
  const std::string port = std::to_string(served.listener.address().port);
  const RemoteOptions options{.token = served.secret, .authorities = elsewhere.files.certificate};
  BOOST_TEST(
      has(text_of(open_remote("bolt+s://127.0.0.1:" + port, options)), "IP address mismatch"));
  BOOST_TEST(has(text_of(open_remote("bolt+s://localhost:" + port, options)), "ostname mismatch"));
  BOOST_TEST(open_remote("bolt+ssc://localhost:" + port, {.token = served.secret}).has_value());
}

BOOST_AUTO_TEST_CASE(a_server_without_tls_is_told) {
  ListenerFixture fixture;
  const std::string refused = text_of(open_remote("bolt+ssc://" + fixture.listener.address().text(),
                                                  {.token = fixture.secret, .connect_time = soon}));
  BOOST_TEST(has(refused, " ended without an answer; if"), refused);
  BOOST_TEST(has(refused, "if that server uses no TLS, its address begins with bolt://"), refused);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
