#pragma once
// HttpTransport: posts JSON to one address over libcurl.

#include <cairn/result.hpp>

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::tools {

/// The parts of an address that others need.
struct HttpAddress {
  std::string url;          ///< as it is requested
  std::string shown;        ///< without the query, which may hold a secret
  std::string path;         ///< without the query
  std::string origin;       ///< scheme, host and port
  bool is_private = false;  ///< nobody on the network can read along: https, or this machine
};

/// Parses an address. Errors: invalid_argument for anything but an address of http or https, and
/// for one with a user. The message has no part of the address.
[[nodiscard]] Result<HttpAddress> parse_http_address(const std::string& text);

/// The answer of a service.
struct HttpReply {
  long status = 0;
  std::string body{};
  std::string retry_after{};  ///< the header, unchanged
};

/// Sends requests to one address, and reuses its connections. Certificates are checked, and the
/// proxy is that of the environment. A fork does not use the connections, which it shares with its
/// parent. Threads: all calls from any thread.
class HttpTransport {
 public:
  HttpTransport(HttpAddress address, std::string key, std::chrono::milliseconds timeout);
  HttpTransport(const HttpTransport&) = delete;
  HttpTransport& operator=(const HttpTransport&) = delete;
  ~HttpTransport();

  /// Returns the complete reply, whatever its status. Follows redirects to the same host only,
  /// because the key is for this host. Errors: busy if no complete reply came, and a second try may
  /// succeed; io_error if it would not, as for a wrong certificate; resource_limit for a longer
  /// reply; unsupported in a forked child.
  [[nodiscard]] Result<HttpReply> post(const std::string& body, std::size_t most_bytes) const;

 private:
  struct Transfer;
  [[nodiscard]] Result<Transfer> send(const std::string& url, const std::string& body,
                                      std::size_t most_bytes) const;
  /// Takes a free handle of libcurl, or creates one. A handle serves one thread at a time. Returns
  /// nullptr if memory is exhausted.
  [[nodiscard]] void* take_handle() const;
  void give_back(void* handle) const;

  const HttpAddress address_;
  const std::string key_;
  const std::chrono::milliseconds timeout_;
  const pid_t owner_;                   // a fork would mix its requests with those of this process
  mutable std::mutex mutex_;            // guards handles_
  mutable std::vector<void*> handles_;  // free handles; each may hold an open connection
};

/// Returns how long the value of a header Retry-After, a number of seconds or a date, asks to wait;
/// a negative duration if it has no such value.
[[nodiscard]] std::chrono::milliseconds retry_delay(const std::string& value);

}  // namespace cairn::tools
