#pragma once
// Where an S3 store is and who asks it, as the usual environment variables and files say.

#include <cairn/result.hpp>

#include <string>
#include <string_view>

namespace cairn::engine {

struct S3Settings {
  std::string
      bucket_url;  ///< `https://host/bucket` or `https://bucket.host`, without a slash at the end
  std::string prefix;  ///< of all names: empty, or with a slash at the end
  std::string region;
  std::string key_id;
  std::string secret;
  std::string session_token;  ///< may be empty
};

/// Of `BUCKET/PREFIX`. The endpoint is AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL, else Amazon's of AWS_REGION or
/// AWS_DEFAULT_REGION; the credentials AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN, else those of
/// AWS_PROFILE or `default` in AWS_SHARED_CREDENTIALS_FILE or ~/.aws/credentials.
/// Errors: invalid_argument, with what is missing.
[[nodiscard]] Result<S3Settings> read_s3_settings(std::string_view text);

}  // namespace cairn::engine
