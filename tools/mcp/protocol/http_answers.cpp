// Writes the answers of a connection: either one response with JSON, or a stream of server-sent
// events. A stream is written chunk by chunk from a queue, and sends comments while it is idle so
// that proxies keep it open.

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

constexpr std::size_t slow_bytes = std::size_t{256} << 10U;
/// Proxies and clients close connections that are silent for long.
constexpr std::chrono::seconds alive_interval{15};

}  // namespace

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
  is_refused_ = true;
  ++turn_;
  is_answering_ = true;
  has_last_ = true;
  auto response = std::make_shared<Response>(static_cast<http::status>(refusal.status), 11);
  if (refusal.status == 401) response->set(http::field::www_authenticate, "Bearer");
  if (refusal.status == 405) response->set(http::field::allow, "POST");
  response->set(http::field::content_type, "application/json");
  response->body() = to_line(error_message(nullptr, refusal.error));
  // The body was not read, so the next bytes of the connection are not a request.
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

/// True if this request began a session. A refused handshake leaves no session.
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

}  // namespace cairn::tools::mcp
