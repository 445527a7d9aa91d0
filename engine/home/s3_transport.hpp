#pragma once
// S3Transport: signed HTTP requests to an S3 store over libcurl, and the settings that these requests need. Private
// to s3_store.cpp.

#include <cairn/result.hpp>

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::engine {

/// The address of a bucket, and the credentials that sign requests.
struct S3Settings {
  /// `https://host/bucket` or `https://bucket.host`, without a slash at the end.
  std::string bucket_url;
  std::string prefix;  ///< precedes the name of each object; empty, or with a slash at the end
  std::string region;
  std::string key_id;
  std::string secret;
  std::string session_token;  ///< empty if the credentials have none
};

/// Reads the settings of `BUCKET/PREFIX` from the usual environment variables and files.
/// The endpoint is AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL, else Amazon's endpoint of the region. The region is
/// AWS_REGION or AWS_DEFAULT_REGION, else us-east-1. The credentials are AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and
/// AWS_SESSION_TOKEN. If the first of them is not set, they come from the profile AWS_PROFILE or `default` in the
/// file AWS_SHARED_CREDENTIALS_FILE or ~/.aws/credentials.
/// Errors: invalid_argument, which names what is missing.
[[nodiscard]] Result<S3Settings> read_s3_settings(std::string_view text);

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
};

/// Sends requests. Reuses connections. Threads: all calls from any thread.
class S3Transport {
 public:
  explicit S3Transport(S3Settings settings);
  S3Transport(const S3Transport&) = delete;
  S3Transport& operator=(const S3Transport&) = delete;
  ~S3Transport();

  /// Returns the complete reply, whatever the status. Errors: busy if no reply came. The store may have carried out
  /// the request nevertheless.
  [[nodiscard]] Result<S3Reply> send(const S3Request& request);
  [[nodiscard]] const S3Settings& settings() const noexcept { return settings_; }

 private:
  /// Takes a free handle of libcurl, or creates one. A handle serves one thread at a time. Returns nullptr if memory
  /// is exhausted.
  [[nodiscard]] void* take_handle();
  /// Makes the handle available to other requests.
  void give_back(void* handle);

  S3Settings settings_;
  std::mutex mutex_;  // guards handles_
  // Free handles. Each holds an open connection.
  std::vector<void*> handles_;
};

}  // namespace cairn::engine
