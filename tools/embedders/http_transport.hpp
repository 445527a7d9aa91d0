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
  bool is_private = false;  ///< https, or this machine: nobody on the network can read the traffic
};

/// Parses an address. Errors: invalid_argument for any address other than http or https, and for an
/// address with a user or password. Messages show no part of the address.
[[nodiscard]] Result<HttpAddress> parse_http_address(const std::string& text);

/// The answer of a service.
struct HttpReply {
  long status = 0;
  std::string body{};
  std::string retry_after{};  ///< the header, unchanged
};

/// Sends requests to one address, and reuses connections. Checks certificates, and uses the proxy
/// that the environment names. A forked child must not use the connections, because it shares them
/// with its parent. Threads: all calls from any thread.
class HttpTransport {
 public:
  HttpTransport(HttpAddress address, std::string key, std::chrono::milliseconds timeout);
  HttpTransport(const HttpTransport&) = delete;
  HttpTransport& operator=(const HttpTransport&) = delete;
  ~HttpTransport();

  /// Returns the complete reply, whatever its status. Follows redirects to the same scheme, host
  /// and port only, because the key is for that service. Errors: busy if no complete reply came,
  /// and a second try may succeed; io_error if a second try would fail too, as for an invalid
  /// certificate, and for redirects that are not followed; resource_limit for a reply of more than
  /// `most_bytes`; unsupported in a forked child.
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

/// Returns how long the value of a header Retry-After asks to wait. The value is a number of
/// seconds or a date; for any other value, returns a negative duration.
[[nodiscard]] std::chrono::milliseconds retry_delay(const std::string& value);

}  // namespace cairn::tools
