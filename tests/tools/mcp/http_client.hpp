#pragma once
// A client by HTTP on a socket of its own, which waits for its answers.

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/json.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::test {

struct HttpAnswer {
  unsigned status = 0;
  std::map<std::string, std::string> headers;  ///< names in lower case
  std::string body;
  /// The body, or the data of its events.
  [[nodiscard]] std::vector<boost::json::value> messages() const;
  [[nodiscard]] bool has_events() const;
};

class HttpClient {
 public:
  explicit HttpClient(std::uint16_t port);

  /// Send and wait for all of the answer. `headers` are added to those that a message needs.
  HttpAnswer post(std::string_view message, const std::vector<std::string>& headers = {});
  /// As post(), for revision 2026-07-28: `params` is an object's JSON without `_meta`.
  HttpAnswer post_stateless(std::string_view method, std::string_view name, std::string_view params,
                            std::string_view capabilities = "{}");
  void send_post(std::string_view message, const std::vector<std::string>& headers = {});
  void send_stateless(std::string_view method, std::string_view name, std::string_view params,
                      std::string_view capabilities = "{}");
  void send_raw(std::string_view bytes);
  HttpAnswer read_answer();
  /// Read until the text has come; false at the end of the connection.
  bool read_until(std::string_view text);
  /// Reads what has arrived, without waiting, and returns how often the text is in all that was not read as an answer.
  std::size_t count(std::string_view text);
  [[nodiscard]] bool is_closed();
  void close();
  /// A header of all requests from then on.
  void always_send(std::string header) { always_.push_back(std::move(header)); }

 private:
  boost::asio::io_context io_;
  boost::asio::ip::tcp::socket socket_;
  std::string unread_;
  std::vector<std::string> always_;
};

}  // namespace cairn::test
