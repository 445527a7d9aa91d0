#pragma once
// One HTTP connection of a client: requests one after the other, each answered by JSON or by
// events.

#include "tools/mcp/protocol/http_check.hpp"
#include "tools/mcp/protocol/http_hub.hpp"
#include "tools/mcp/protocol/http_server.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>

namespace cairn::tools::mcp {

/// Lives as long as an operation on its socket is pending. Used only on the thread of the
/// io_context.
class HttpConnection final : public HttpStream,
                             public std::enable_shared_from_this<HttpConnection> {
 public:
  HttpConnection(boost::asio::ip::tcp::socket socket, HttpHub& hub, const HttpOptions& options,
                 const HttpRules& rules);

  void read_request();
  void close();

  [[nodiscard]] bool is_open() const { return stream_.socket().is_open(); }
  /// False while the connection waits for a request, or for all of it. A listening request does not count, because it lasts
  /// as long as the client wants.
  [[nodiscard]] bool is_answering() const noexcept { return is_answering_ && !is_listening_; }
  [[nodiscard]] bool is_listening() const noexcept { return is_listening_; }
  /// When the last request ended or began to listen; when the connection began, if there was none.
  [[nodiscard]] std::chrono::steady_clock::time_point silent_since() const noexcept {
    return silent_since_;
  }
  /// Who sent the last request; empty before the first one.
  [[nodiscard]] const std::string& caller_name() const noexcept { return caller_.name; }

  void send(const json::value& message, bool is_last) override;
  void end() override;
  [[nodiscard]] bool is_slow() const override;

 private:
  using Request = boost::beast::http::request<boost::beast::http::string_body>;
  using Response = boost::beast::http::response<boost::beast::http::string_body>;
  using EventHead = boost::beast::http::response<boost::beast::http::empty_body>;

  void read_body();
  void take_request();
  void take_message(const HttpHead& head, json::value message, std::size_t cost);
  [[nodiscard]] std::shared_ptr<HttpPeer> peer_of(const HttpHead& head, const json::value& message);
  void refuse(const HttpRefusal& refusal);
  void answer(unsigned status, const json::value& message);
  [[nodiscard]] bool has_new_session() const;
  void write_response(std::shared_ptr<Response> response);

  void begin_events();
  void add_event(std::string text);
  void write_next_event();
  void keep_alive();
  void begin_to_listen();
  void watch_for_end();
  void give_back();
  void finish_turn(bool keeps_open);
  void linger();
  void drop_bytes();

  boost::beast::tcp_stream stream_;
  HttpHub& hub_;
  const HttpOptions& options_;
  const HttpRules& rules_;
  boost::beast::flat_buffer buffer_;
  std::optional<boost::beast::http::request_parser<boost::beast::http::string_body>> parser_;

  // State of the current request.
  HttpCaller caller_;
  std::uint64_t turn_ = 0;
  bool has_place_ = false;           ///< among the messages of the hub
  std::optional<std::size_t> cost_;  ///< bytes taken from the hub
  std::chrono::steady_clock::time_point silent_since_ = std::chrono::steady_clock::now();
  bool is_answering_ = false;
  bool is_listening_ = false;
  bool is_stateless_ = false;
  bool is_refused_ = false;
  bool has_events_ = false;
  bool is_writing_ = false;
  bool has_last_ = false;
  std::shared_ptr<HttpPeer> peer_;
  std::string new_session_;
  std::deque<std::string> events_;
  std::size_t event_bytes_ = 0;
  boost::asio::steady_timer alive_;
};

}  // namespace cairn::tools::mcp
