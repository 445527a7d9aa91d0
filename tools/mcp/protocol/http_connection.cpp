#include "tools/mcp/protocol/http_connection.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/buffers_to_string.hpp>

#include <chrono>
#include <utility>

namespace cairn::tools::mcp {
namespace {

namespace beast = boost::beast;
namespace http = boost::beast::http;

constexpr std::uint32_t most_head_bytes = 16'384;
constexpr std::size_t slow_bytes = std::size_t{256} << 10U;
/// Proxies and clients end connections on which nothing comes.
constexpr std::chrono::seconds alive_interval{15};

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

HttpRefusal too_long() {
  return {413, {ProtocolCode::invalid_request, "the message is too long", std::nullopt}};
}

bool is_handshake(const json::value& message) {
  const json::object* object = message.if_object();
  const json::string* method = object == nullptr ? nullptr : find_text(*object, "method");
  return method != nullptr && *method == "initialize";
}

/// The id of a message that is refused, for the error.
json::value id_of(const json::value& message) {
  const json::object* object = message.if_object();
  const json::value* id = object == nullptr ? nullptr : object->if_contains("id");
  return id != nullptr && (id->is_string() || id->is_number()) ? *id : json::value();
}

}  // namespace

HttpConnection::HttpConnection(boost::asio::ip::tcp::socket socket, HttpHub& hub,
                               const HttpOptions& options, const HttpRules& rules,
                               std::function<void()> on_end)
    : stream_(std::move(socket)),
      hub_(hub),
      options_(options),
      rules_(rules),
      on_end_(std::move(on_end)),
      alive_(stream_.get_executor()) {}

HttpConnection::~HttpConnection() { on_end_(); }

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
        // Refused before its body is read, which may be long.
        const HttpHead head = head_of(self->parser_->get());
        if (auto fault = check_head(head, self->rules_)) return self->refuse(*fault);
        if (is_too_long) return self->refuse(too_long());
        self->read_body();
      });
}

void HttpConnection::read_body() {
  http::async_read(stream_, buffer_, *parser_,
                   [self = shared_from_this()](boost::system::error_code error, std::size_t) {
                     // A body in chunks announces no length.
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
  auto parsed = parse_message(request.body(), {});
  if (auto* bad = std::get_if<BadMessage>(&parsed))
    return answer(400, error_message(nullptr, std::move(bad->error)));
  take_message(head_of(request), std::get<json::value>(std::move(parsed)));
}

void HttpConnection::take_message(const HttpHead& head, json::value message) {
  is_stateless_ = is_stateless_post(head, message);
  if (is_stateless_)
    if (auto fault = check_stateless(head, message))
      return answer(fault->status, error_message(id_of(message), std::move(fault->error)));
  peer_ = peer_of(head, message);
  if (!peer_) return;
  const json::value copy = message;
  hub_.receive(peer_, std::move(message), shared_from_this());
  if (!new_session_.empty() && !has_new_session()) hub_.drop_session(new_session_);
  if (!is_answering_ || has_last_) return;
  if (HttpHub::is_open(*peer_, copy)) return watch_for_end();
  auto response = std::make_shared<Response>(http::status::accepted, 11);
  write_response(std::move(response));
}

std::shared_ptr<HttpPeer> HttpConnection::peer_of(const HttpHead& head,
                                                  const json::value& message) {
  if (is_stateless_) return hub_.add_guest();
  if (is_handshake(message)) return hub_.add_session(new_session_);
  auto peer = head.session ? hub_.find_session(*head.session) : nullptr;
  if (peer) return peer;
  // By 404 a client knows that it must begin a new session.
  const unsigned status = head.session ? 404 : 400;
  const char* text = head.session ? "the session is over: send initialize again"
                                  : "send initialize first, and then its Mcp-Session-Id; or the "
                                    "headers and _meta of revision 2026-07-28";
  answer(status,
         error_message(id_of(message), {ProtocolCode::invalid_request, text, std::nullopt}));
  return nullptr;
}

void HttpConnection::send(const json::value& message, bool is_last) {
  if (!is_answering_ || has_last_) return;
  has_last_ = is_last;
  if (is_last && !has_events_) return answer(status_of(message, is_stateless_), message);
  if (!has_events_) begin_events();
  add_event("event: message\ndata: " + to_line(message) + "\n\n");
}

void HttpConnection::end() {
  if (!is_answering_ || has_last_) return;
  has_last_ = true;
  if (!has_events_) begin_events();
  write_next_event();
}

bool HttpConnection::is_slow() const { return event_bytes_ > slow_bytes; }

void HttpConnection::refuse(const HttpRefusal& refusal) {
  ++turn_;
  is_answering_ = true;
  has_last_ = true;
  auto response = std::make_shared<Response>(static_cast<http::status>(refusal.status), 11);
  if (refusal.status == 401) response->set(http::field::www_authenticate, "Bearer");
  if (refusal.status == 405) response->set(http::field::allow, "POST");
  response->set(http::field::content_type, "application/json");
  response->body() = to_line(error_message(nullptr, refusal.error));
  // The body was not read: what follows in the connection is no request.
  response->keep_alive(false);
  write_response(std::move(response));
}

void HttpConnection::answer(unsigned status, const json::value& message) {
  has_last_ = true;
  auto response = std::make_shared<Response>(static_cast<http::status>(status), 11);
  response->set(http::field::content_type, "application/json");
  response->set(http::field::cache_control, "no-store");
  if (has_new_session()) response->set("Mcp-Session-Id", new_session_);
  response->body() = to_line(message);
  write_response(std::move(response));
}

/// A handshake that is refused leaves no session.
bool HttpConnection::has_new_session() const {
  return !new_session_.empty() && peer_ && peer_->machine.revision();
}

void HttpConnection::write_response(std::shared_ptr<Response> response) {
  has_last_ = true;
  if (response->keep_alive()) response->keep_alive(parser_->get().keep_alive());
  response->prepare_payload();
  stream_.expires_after(options_.most_silence);
  http::async_write(
      stream_, *response,
      [self = shared_from_this(), response](boost::system::error_code error, std::size_t) {
        self->finish_turn(!error && response->keep_alive());
      });
}

void HttpConnection::begin_events() {
  has_events_ = true;
  EventHead head(http::status::ok, 11);
  head.set(http::field::content_type, "text/event-stream");
  head.set(http::field::cache_control, "no-store");
  head.keep_alive(parser_->get().keep_alive());
  if (has_new_session()) head.set("Mcp-Session-Id", new_session_);
  head.chunked(true);
  std::string text;
  http::response_serializer<http::empty_body> serializer(head);
  boost::system::error_code error;
  serializer.split(true);
  serializer.next(error, [&](boost::system::error_code&, const auto& buffers) {
    text = beast::buffers_to_string(buffers);
    serializer.consume(text.size());
  });
  events_.push_back(std::move(text));
  event_bytes_ += events_.back().size();
  keep_alive();
}

void HttpConnection::add_event(std::string text) {
  std::string chunk = beast::buffers_to_string(http::make_chunk(boost::asio::buffer(text)));
  event_bytes_ += chunk.size();
  events_.push_back(std::move(chunk));
  write_next_event();
}

void HttpConnection::write_next_event() {
  if (is_writing_) return;
  if (events_.empty()) {
    if (!has_last_) return stream_.expires_never();
    events_.push_back(beast::buffers_to_string(http::make_chunk_last()));
    event_bytes_ += events_.back().size();
    has_events_ = false;
  }
  is_writing_ = true;
  const bool is_end = has_last_ && !has_events_;
  stream_.expires_after(options_.most_silence);
  boost::asio::async_write(
      stream_, boost::asio::buffer(events_.front()),
      [self = shared_from_this(), is_end](boost::system::error_code error, std::size_t) {
        self->is_writing_ = false;
        self->event_bytes_ -= self->events_.front().size();
        self->events_.pop_front();
        if (error) return self->close();
        if (is_end) return self->finish_turn(self->parser_->get().keep_alive());
        self->write_next_event();
      });
}

void HttpConnection::keep_alive() {
  alive_.expires_after(alive_interval);
  alive_.async_wait([weak = weak_from_this(), turn = turn_](boost::system::error_code error) {
    const auto self = weak.lock();
    if (error || !self || self->turn_ != turn || !self->has_events_ || self->has_last_) return;
    if (!self->is_slow()) self->add_event(": alive\n\n");
    self->keep_alive();
  });
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
                      // Bytes are the next request, which is read in its turn.
                      if (problem || bytes == 0) self->close();
                    });
}

void HttpConnection::finish_turn(bool keeps_open) {
  ++turn_;
  is_answering_ = false;
  has_events_ = false;
  alive_.cancel();
  peer_.reset();
  if (!keeps_open) return close();
  read_request();
}

void HttpConnection::close() {
  ++turn_;
  is_answering_ = false;
  has_events_ = false;
  alive_.cancel();
  // A request without handshake belongs to its connection; sessions go on, and drop the answer.
  if (peer_ && is_stateless_) peer_->machine.stop();
  peer_.reset();
  boost::system::error_code ignored;
  stream_.socket().shutdown(boost::asio::ip::tcp::socket::shutdown_both, ignored);
  stream_.close();
}

}  // namespace cairn::tools::mcp
