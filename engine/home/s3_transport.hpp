#pragma once
// Signed HTTP requests over libcurl. Private to s3_store.cpp.

#include "engine/home/s3_settings.hpp"

#include <cairn/result.hpp>

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::engine {

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
