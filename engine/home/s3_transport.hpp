#pragma once
// Requests to an S3 store: the address of the bucket and the credentials, which may change while the store is open, and
// S3Transport, which signs and sends over libcurl. Private to the s3_*.cpp files.

#include <cairn/result.hpp>

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::engine {

/// The credentials that sign requests.
struct S3Credentials {
  std::string key_id;
  std::string secret;
  std::string session_token;  ///< empty if the credentials have none
  /// When the session ends, in microseconds since 1970 UTC, if that is known.
  std::optional<std::int64_t> expires_at{};
  std::string source;  ///< where they were found, for messages

  [[nodiscard]] bool are_complete() const { return !key_id.empty() && !secret.empty(); }
  /// True if the session has ended, or ends within half a minute.
  [[nodiscard]] bool have_expired() const;
  friend bool operator==(const S3Credentials&, const S3Credentials&) = default;
};

/// The address of a bucket, and the credentials at the time of opening.
struct S3Settings {
  /// `https://host/bucket` or `https://bucket.host`, without a slash at the end.
  std::string bucket_url;
  std::string prefix;  ///< precedes the name of each object; empty, or with a slash at the end
  std::string region;
  S3Credentials credentials;
};

/// Reads the settings of `BUCKET/PREFIX` from the usual environment variables and files.
/// The endpoint is AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL, else Amazon's endpoint of the region. The region is
/// AWS_REGION or AWS_DEFAULT_REGION, else us-east-1. The credentials are those of read_s3_credentials().
/// Errors: invalid_argument, which names what is missing.
[[nodiscard]] Result<S3Settings> read_s3_settings(std::string_view text);

/// Reads AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN and AWS_CREDENTIAL_EXPIRATION. If the first of
/// them is not set, reads the profile AWS_PROFILE or `default` of the file AWS_SHARED_CREDENTIALS_FILE or
/// ~/.aws/credentials. The result is incomplete if neither place has credentials.
[[nodiscard]] S3Credentials read_s3_credentials();

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

  S3Settings settings_;  // mutex_ guards only its credentials, which change
  std::mutex mutex_;     // guards the credentials and handles_
  // Free handles. Each holds an open connection.
  std::vector<void*> handles_;
};

}  // namespace cairn::engine
