// Accepts connections on one thread, which runs everything except handlers.
#include "tools/mcp/protocol/http_server.hpp"

#include "tools/mcp/protocol/http_connection.hpp"
#include "tools/mcp/protocol/http_hub.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <cstddef>
#include <exception>
#include <map>
#include <memory>
#include <string_view>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

namespace cairn::tools::mcp {

namespace {

/// Every client is the same caller, but not the one of the connections without a request (find_superfluous()).
HttpLogin login_to(const ServerDefinition& server) {
  HttpCaller caller{"all",
                    std::shared_ptr<const ServerDefinition>(std::shared_ptr<void>(), &server),
                    std::make_shared<const StateSigner>()};
  return [caller = std::move(caller)](std::string_view) { return caller; };
}

}  // namespace

class HttpServer::Impl {
 public:
  Impl(HttpLogin login, HttpOptions options)
      : options_(std::move(options)),
        rules_{options_.path, options_.token, options_.hosts},
        hub_(std::move(login), io_, options_),
        acceptor_(io_, {boost::asio::ip::make_address(options_.address), options_.port}) {
    accept();
    thread_ = std::thread([this] { run(); });
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() {
    io_.stop();
    thread_.join();
  }

  [[nodiscard]] std::uint16_t port() const { return acceptor_.local_endpoint().port(); }

 private:
  /// An unexpected exception of one connection must not end the others.
  void run() {
    while (!io_.stopped()) try {
        io_.run();
      } catch (const std::exception&) {
      }
  }

  void accept() {
    acceptor_.async_accept(
        [this](boost::system::error_code error, boost::asio::ip::tcp::socket socket) {
          if (!error && make_room()) begin(std::move(socket));
          if (error == boost::asio::error::operation_aborted) return;
          error ? accept_later() : accept();
        });
  }

  /// If the process has no free descriptor, accept() fails at once. Without a pause, the retries would use a whole processor.
  void accept_later() {
    constexpr std::chrono::milliseconds pause{50};
    accept_timer_.expires_after(pause);
    accept_timer_.async_wait([this](boost::system::error_code error) {
      if (!error) accept();
    });
  }

  void begin(boost::asio::ip::tcp::socket socket) {
    boost::system::error_code ignored;
    socket.set_option(boost::asio::ip::tcp::no_delay(true), ignored);
    const auto connection =
        std::make_shared<HttpConnection>(std::move(socket), hub_, options_, rules_);
    connections_.push_back(connection);
    connection->read_request();
  }

  /// Returns true if one more connection is allowed. If there are too many, ends a connection that is not being answered.
  bool make_room() {
    const Connections open = open_connections();
    connections_.assign(open.begin(), open.end());
    if (open.size() < options_.most_connections) return true;
    const auto superfluous = find_superfluous(open);
    if (superfluous) superfluous->close();
    return superfluous != nullptr;
  }

  using Connections = std::vector<std::shared_ptr<HttpConnection>>;

  [[nodiscard]] Connections open_connections() const {
    Connections open;
    for (const auto& weak : connections_)
      if (auto one = weak.lock(); one && one->is_open()) open.push_back(std::move(one));
    return open;
  }

  using Counts = std::map<std::string_view, std::size_t>;

  /// The connection with the highest rank is ended first.
  [[nodiscard]] static auto rank(const HttpConnection& one, const Counts& counts) {
    return std::tuple(counts.at(one.caller_name()), !one.is_listening(),
                      -one.silent_since().time_since_epoch());
  }

  /// Returns the connection to end for a new one; nullptr if all have requests in progress. It belongs to the caller with
  /// the most connections. An idle one is chosen before a listening one, and the longest silent one first. All clients that
  /// have not sent a token yet count as one caller, so a crowd of them takes at most half of the connections.
  [[nodiscard]] static std::shared_ptr<HttpConnection> find_superfluous(const Connections& open) {
    Counts counts;
    for (const auto& one : open) ++counts[one->caller_name()];
    std::shared_ptr<HttpConnection> found;
    for (const auto& one : open) {
      if (one->is_answering()) continue;
      if (!found || rank(*one, counts) > rank(*found, counts)) found = one;
    }
    return found;
  }

  const HttpOptions options_;
  const HttpRules rules_;
  std::vector<std::weak_ptr<HttpConnection>> connections_;  ///< also some that have gone
  boost::asio::io_context io_;
  HttpHub hub_;
  boost::asio::ip::tcp::acceptor acceptor_;
  boost::asio::steady_timer accept_timer_{io_};
  std::thread thread_;
};

HttpServer::HttpServer(const ServerDefinition& server, HttpOptions options)
    : impl_(std::make_unique<Impl>(login_to(server), std::move(options))) {}

HttpServer::HttpServer(HttpLogin login, HttpOptions options)
    : impl_(std::make_unique<Impl>(std::move(login), std::move(options))) {}

HttpServer::~HttpServer() = default;

std::uint16_t HttpServer::port() const { return impl_->port(); }

}  // namespace cairn::tools::mcp
