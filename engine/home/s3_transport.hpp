#pragma once
// S3Transport: signed HTTP requests to an S3 store over libcurl, and the settings that they need. Private to s3_store.cpp.

#include <cairn/result.hpp>

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::engine {

/// Where an S3 store is, and whose credentials sign the requests.
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

struct S3Request {
  std::string method;   ///< GET, PUT, DELETE
  std::string path;     ///< behind the bucket, with its slash: encoded as it has to be
  std::string query{};  ///< sorted and encoded, without `?`
  std::vector<std::string> headers{};  ///< `name: value`
  std::string_view body{};
};

struct S3Reply {
  long status = 0;
  std::string tag{};  ///< the header ETag as it came
  std::string body{};
};

/// Connections are kept for the next request. Threads: any.
class S3Transport {
 public:
  explicit S3Transport(S3Settings settings);
  S3Transport(const S3Transport&) = delete;
  S3Transport& operator=(const S3Transport&) = delete;
  ~S3Transport();

  /// A whole reply, whatever its status. Errors: busy, where there is none: the request may have been carried out.
  [[nodiscard]] Result<S3Reply> send(const S3Request& request);
  [[nodiscard]] const S3Settings& settings() const noexcept { return settings_; }

 private:
  /// A handle of libcurl, which one thread uses at a time.
  [[nodiscard]] void* take_handle();
  void give_back(void* handle);

  S3Settings settings_;
  std::mutex mutex_;  // guards handles_
  std::vector<void*> handles_;
};

}  // namespace cairn::engine
