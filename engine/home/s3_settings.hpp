#pragma once
// The settings of an S3 store: the address of the bucket, and the credentials, which may change while the store is open.

#include <cairn/result.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cairn::engine {

/// What signs requests.
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

}  // namespace cairn::engine
