// Reads and checks the requests of a connection and passes them to the client's machine. Answers
// are in http_answers.cpp.

#include "tools/mcp/protocol/http_connection.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>

#include <chrono>
#include <utility>

namespace cairn::tools::mcp {
namespace {

namespace beast = boost::beast;
namespace http = boost::beast::http;

constexpr std::uint32_t most_head_bytes = 16'384;
constexpr std::chrono::seconds linger_time{1};
constexpr std::size_t dropped_bytes = std::size_t{64} << 10U;

std::optional<std::string> header_text(const http::fields& fields, beast::string_view name) {
  const auto found = fields.find(name);
  if (found == fields.end()) return std::nullopt;
  return std::string(found->value().data(), found->value().size());
}

template <class Message>
HttpHead head_of(const Message& request) {
  HttpHead head;
  head.method = std::string(request.method_string().data(), request.method_string().size());
  head.target = std::string(request.target().data(), request.target().size());
  head.host = header_text(request, "Host").value_or("");
  head.origin = header_text(request, "Origin");
  head.authorization = header_text(request, "Authorization").value_or("");
  head.content_type = header_text(request, "Content-Type").value_or("");
  head.accept = header_text(request, "Accept").value_or("");
  head.protocol_version = header_text(request, "MCP-Protocol-Version");
  head.mcp_method = header_text(request, "Mcp-Method");
  head.mcp_name = header_text(request, "Mcp-Name");
  head.session = header_text(request, "Mcp-Session-Id");
  return head;
}

ProtocolError too_busy() {
  return {
      ProtocolCode::internal_error,
      "too much of yours, or of all clients, is being answered; try again when some of it is done",
      std::nullopt};
}

HttpRefusal too_long() {
  return {413, {ProtocolCode::invalid_request, "the message is too long", std::nullopt}};
}

bool is_handshake(const json::value& message) {
  const json::object* object = message.if_object();
  const json::string* method = object == nullptr ? nullptr : find_text(*object, "method");
  return method != nullptr && *method == "initialize";
}

/// Returns the id of a refused message, for the error.
json::value id_of(const json::value& message) {
  const json::object* object = message.if_object();
  const json::value* id = object == nullptr ? nullptr : object->if_contains("id");
  return id != nullptr && (id->is_string() || id->is_number()) ? *id : json::value();
}

}  // namespace

HttpConnection::HttpConnection(boost::asio::ip::tcp::socket socket, HttpHub& hub,
                               const HttpOptions& options, const HttpRules& rules)
    : stream_(std::move(socket)),
      hub_(hub),
      options_(options),
      rules_(rules),
      alive_(stream_.get_executor()) {
  // watch_for_end() reads without waiting, so the socket must not block.
  boost::system::error_code ignored;
  stream_.socket().non_blocking(true, ignored);
}

void HttpConnection::read_request() {
  parser_.emplace();
  parser_->header_limit(most_head_bytes);
  parser_->body_limit(options_.most_message_bytes);
  stream_.expires_after(options_.most_silence);
  http::async_read_header(
      stream_, buffer_, *parser_,
      [self = shared_from_this()](boost::system::error_code error, std::size_t) {
        const bool is_too_long = error == http::error::body_limit;
        if (error && !is_too_long) return self->close();
        // Checked before the body is read, because it may be long.
        const HttpHead head = head_of(self->parser_->get());
        if (auto fault = check_head(head, self->rules_)) return self->refuse(*fault);
        auto known = self->hub_.log_in(bearer_token(head.authorization));
        if (auto* fault = std::get_if<HttpRefusal>(&known)) return self->refuse(*fault);
        self->caller_ = std::get<HttpCaller>(std::move(known));
        if (is_too_long) return self->refuse(too_long());
        self->read_body();
      });
}

void HttpConnection::read_body() {
  http::async_read(stream_, buffer_, *parser_,
                   [self = shared_from_this()](boost::system::error_code error, std::size_t) {
                     // A chunked body does not announce its length.
                     if (error == http::error::body_limit) return self->refuse(too_long());
                     if (error) return self->close();
                     self->take_request();
                   });
}

void HttpConnection::take_request() {
  const Request& request = parser_->get();
  ++turn_;
  is_answering_ = true;
  has_events_ = has_last_ = false;
  new_session_.clear();
  stream_.expires_never();
  const std::size_t cost = memory_cost(request.body());
  auto parsed = parse_message(request.body(), {});
  parser_->get().body() = std::string();
  if (auto* bad = std::get_if<BadMessage>(&parsed))
    return answer(400, error_message(nullptr, std::move(bad->error)));
  auto& message = std::get<json::value>(parsed);
  // Cancellations and answers to questions make room.
  if (const std::size_t requests = HttpHub::request_ids(message).size(); requests > 0) {
    if (!hub_.take(caller_, requests, cost))
      return answer(503, error_message(id_of(message), too_busy()));
    cost_ = cost;
    has_place_ = true;
  }
  take_message(head_of(request), std::move(message), cost);
}

void HttpConnection::take_message(const HttpHead& head, json::value message, std::size_t cost) {
  is_stateless_ = is_stateless_post(head, message);
  if (is_stateless_)
    if (auto fault = check_stateless(head, message))
      return answer(fault->status, error_message(id_of(message), std::move(fault->error)));
  peer_ = peer_of(head, message);
  if (!peer_) return;
  const std::vector<json::value> ids = HttpHub::request_ids(message);
  hub_.receive(peer_, std::move(message), cost, shared_from_this());
  if (!new_session_.empty() && !has_new_session()) hub_.drop_session(new_session_);
  if (!is_answering_ || has_last_) return;
  if (HttpHub::is_listening(*peer_, ids)) begin_to_listen();
  if (HttpHub::is_open(*peer_, ids)) return watch_for_end();
  auto response = std::make_shared<Response>(http::status::accepted, 11);
  write_response(std::move(response));
}

std::shared_ptr<HttpPeer> HttpConnection::peer_of(const HttpHead& head,
                                                  const json::value& message) {
  if (is_stateless_) return hub_.add_guest(caller_);
  if (is_handshake(message)) return hub_.add_session(new_session_, caller_);
  auto peer = head.session ? hub_.find_session(*head.session, caller_) : nullptr;
  if (peer) {
    const auto agreed = peer->machine.revision();
    auto fault = agreed ? check_session(head, *agreed) : std::nullopt;
    if (!fault) return peer;
    answer(fault->status, error_message(id_of(message), std::move(fault->error)));
    return nullptr;
  }
  // Status 404 tells a client to begin a new session.
  const unsigned status = head.session ? 404 : 400;
  const char* text = head.session ? "the session is over: send initialize again"
                                  : "send initialize first, and then its Mcp-Session-Id; or the "
                                    "headers and _meta of revision 2026-07-28";
  answer(status,
         error_message(id_of(message), {ProtocolCode::invalid_request, text, std::nullopt}));
  return nullptr;
}

/// From now on the connection may be closed for a new one, so it needs no place among the requests in progress.
void HttpConnection::begin_to_listen() {
  if (std::exchange(has_place_, false)) hub_.give_back_place(caller_);
  is_listening_ = true;
  silent_since_ = std::chrono::steady_clock::now();
}

void HttpConnection::watch_for_end() {
  auto& socket = stream_.socket();
  socket.async_wait(boost::asio::ip::tcp::socket::wait_read,
                    [self = shared_from_this(), turn = turn_](boost::system::error_code error) {
                      if (error || self->turn_ != turn || !self->is_answering_) return;
                      char byte = 0;
                      boost::system::error_code problem;
                      const std::size_t bytes = self->stream_.socket().receive(
                          boost::asio::buffer(&byte, 1), boost::asio::socket_base::message_peek,
                          problem);
                      if (problem == boost::asio::error::would_block) return self->watch_for_end();
                      // Bytes belong to the next request, which is read later.
                      if (problem || bytes == 0) self->close();
                    });
}

void HttpConnection::give_back() {
  if (std::exchange(has_place_, false)) hub_.give_back_place(caller_);
  if (cost_) hub_.give_back_bytes(caller_, *std::exchange(cost_, std::nullopt));
}

void HttpConnection::finish_turn(bool keeps_open) {
  give_back();
  ++turn_;
  is_answering_ = is_listening_ = false;
  silent_since_ = std::chrono::steady_clock::now();
  has_events_ = false;
  alive_.cancel();
  peer_.reset();
  if (is_refused_) return linger();
  if (!keeps_open) return close();
  read_request();
}

/// Keeps the connection open for a moment: closing it while the client still sends could discard
/// the answer.
void HttpConnection::linger() {
  boost::system::error_code ignored;
  stream_.socket().shutdown(boost::asio::ip::tcp::socket::shutdown_send, ignored);
  stream_.expires_after(linger_time);
  drop_bytes();
}

void HttpConnection::drop_bytes() {
  buffer_.clear();
  stream_.async_read_some(
      buffer_.prepare(dropped_bytes),
      [self = shared_from_this()](boost::system::error_code error, std::size_t) {
        if (error) return self->close();
        self->drop_bytes();
      });
}

void HttpConnection::close() {
  give_back();
  ++turn_;
  is_answering_ = is_listening_ = false;
  has_events_ = false;
  alive_.cancel();
  // A request without handshake ends with its connection. A session continues, and its answer is
  // discarded.
  if (peer_ && is_stateless_) peer_->machine.stop();
  peer_.reset();
  boost::system::error_code ignored;
  stream_.socket().shutdown(boost::asio::ip::tcp::socket::shutdown_both, ignored);
  stream_.close();
}

}  // namespace cairn::tools::mcp
