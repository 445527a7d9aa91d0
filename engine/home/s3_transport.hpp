#pragma once
// S3Transport: signed HTTP requests to an S3 store over libcurl. Private to s3_store.cpp.

#include "engine/home/s3_settings.hpp"

#include <cairn/result.hpp>

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::engine {

/// A request, without the headers of the signature.
struct S3Request {
  std::string method;   ///< GET, PUT or DELETE
  std::string path;     ///< follows the bucket; begins with a slash and is already encoded
  std::string query{};  ///< sorted by name and encoded, without `?`
  std::vector<std::string> headers{};  ///< each as `name: value`
  std::string_view body{};
};

/// The answer of the store.
struct S3Reply {
  long status = 0;    ///< of HTTP
  std::string tag{};  ///< the header ETag, unchanged
  std::string body{};
  std::string date{};  ///< the header Date: the clock of the store
};

/// Sends requests. Reuses connections. Reads the credentials again when they expire, or when the store refuses them, because
/// other programs renew them meanwhile. Threads: all calls from any thread.
class S3Transport {
 public:
  explicit S3Transport(S3Settings settings);
  S3Transport(const S3Transport&) = delete;
  S3Transport& operator=(const S3Transport&) = delete;
  ~S3Transport();

  /// Returns the complete reply, whatever the status. Errors: busy if no reply came. The store may have carried out
  /// the request nevertheless.
  [[nodiscard]] Result<S3Reply> send(const S3Request& request);
  /// The prefix of the names of all objects.
  [[nodiscard]] const std::string& prefix() const noexcept { return settings_.prefix; }
  /// The credentials that sign the next request.
  [[nodiscard]] S3Credentials credentials();

 private:
  [[nodiscard]] Result<S3Reply> send_signed(const S3Request& request,
                                            const S3Credentials& credentials);
  /// Reads the credentials again. Returns false if there are no others than `used`.
  [[nodiscard]] bool renew(const S3Credentials& used);
  /// Takes a free handle of libcurl, or creates one. A handle serves one thread at a time. Returns nullptr if memory
  /// is exhausted.
  [[nodiscard]] void* take_handle();
  /// Makes the handle available to other requests.
  void give_back(void* handle);

  S3Settings settings_;  // without mutex_ all but the credentials, which change
  std::mutex mutex_;     // guards the credentials and handles_
  // Free handles. Each holds an open connection.
  std::vector<void*> handles_;
};

}  // namespace cairn::engine
