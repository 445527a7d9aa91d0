#include "tests/tools/mcp/http_client.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <cctype>

namespace cairn::test {
namespace {

namespace json = boost::json;
namespace http = boost::beast::http;

std::string lowered(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char letter) {
    return static_cast<char>(std::tolower(letter));
  });
  return text;
}

}  // namespace

std::vector<json::value> HttpAnswer::messages() const {
  std::vector<json::value> read;
  if (!has_events()) {
    if (!body.empty()) read.push_back(json::parse(body));
    return read;
  }
  constexpr std::string_view begin = "data: ";
  for (std::size_t at = 0; (at = body.find(begin, at)) != std::string::npos;) {
    at += begin.size();
    read.push_back(json::parse(body.substr(at, body.find('\n', at) - at)));
  }
  return read;
}

bool HttpAnswer::has_events() const {
  const auto found = headers.find("content-type");
  return found != headers.end() && found->second == "text/event-stream";
}

HttpClient::HttpClient(std::uint16_t port) : socket_(io_) {
  socket_.connect({boost::asio::ip::make_address("127.0.0.1"), port});
}

void HttpClient::send_raw(std::string_view bytes) {
  boost::system::error_code ignored;
  boost::asio::write(socket_, boost::asio::buffer(bytes.data(), bytes.size()), ignored);
}

void HttpClient::send_post(std::string_view message, const std::vector<std::string>& headers) {
  std::string text =
      "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
      "Accept: application/json, text/event-stream\r\nContent-Length: " +
      std::to_string(message.size()) + "\r\n";
  for (const std::string& header : always_) text += header + "\r\n";
  for (const std::string& header : headers) text += header + "\r\n";
  send_raw(text + "\r\n" + std::string(message));
}

void HttpClient::send_stateless(std::string_view method, std::string_view name,
                                std::string_view params, std::string_view capabilities) {
  json::object object = json::parse(params).as_object();
  json::value& meta = object["_meta"];
  if (!meta.is_object()) meta = json::object();
  meta.get_object()["io.modelcontextprotocol/protocolVersion"] = "2026-07-28";
  meta.get_object()["io.modelcontextprotocol/clientCapabilities"] = json::parse(capabilities);
  const json::object message{
      {"jsonrpc", "2.0"}, {"id", 1}, {"method", method}, {"params", std::move(object)}};
  std::vector<std::string> headers = {"MCP-Protocol-Version: 2026-07-28",
                                      "Mcp-Method: " + std::string(method)};
  if (!name.empty()) headers.push_back("Mcp-Name: " + std::string(name));
  send_post(json::serialize(message), headers);
}

HttpAnswer HttpClient::post(std::string_view message, const std::vector<std::string>& headers) {
  send_post(message, headers);
  return read_answer();
}

HttpAnswer HttpClient::post_stateless(std::string_view method, std::string_view name,
                                      std::string_view params, std::string_view capabilities) {
  send_stateless(method, name, params, capabilities);
  return read_answer();
}

HttpAnswer HttpClient::read_answer() {
  boost::beast::flat_buffer buffer;
  const auto copied =
      boost::asio::buffer_copy(buffer.prepare(unread_.size()), boost::asio::buffer(unread_));
  buffer.commit(copied);
  unread_.clear();
  http::response_parser<http::string_body> parser;
  parser.body_limit(boost::none);
  boost::system::error_code error;
  http::read(socket_, buffer, parser, error);
  HttpAnswer answer;
  if (error) return answer;
  unread_ = boost::beast::buffers_to_string(buffer.data());
  answer.status = parser.get().result_int();
  answer.body = parser.get().body();
  for (const auto& field : parser.get())
    answer.headers[lowered(std::string(field.name_string().data(), field.name_string().size()))] =
        std::string(field.value().data(), field.value().size());
  return answer;
}

bool HttpClient::read_until(std::string_view text) {
  while (unread_.find(text) == std::string::npos) {
    std::array<char, 4'096> bytes{};
    boost::system::error_code error;
    const std::size_t read = socket_.read_some(boost::asio::buffer(bytes), error);
    if (error) return false;
    unread_.append(bytes.data(), read);
  }
  return true;
}

std::size_t HttpClient::count(std::string_view text) {
  boost::system::error_code error;
  std::string arrived(socket_.available(error), '\0');
  if (!error) arrived.resize(socket_.read_some(boost::asio::buffer(arrived), error));
  if (!error) unread_ += arrived;
  std::size_t count = 0;
  for (std::size_t at = unread_.find(text); at != std::string::npos;
       at = unread_.find(text, at + text.size()))
    ++count;
  return count;
}

bool HttpClient::is_closed() { return !read_until("this never comes"); }

void HttpClient::close() {
  boost::system::error_code ignored;
  socket_.close(ignored);
}

}  // namespace cairn::test
