#pragma once
// An S3 store for tests: a bucket in memory that is served by HTTP on the loopback interface. It checks the signature
// of every request, and can misbehave as real stores do.

#include "tests/support/loopback_server.hpp"

#include <atomic>
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace cairn::test {

class S3Stub {
 public:
  static constexpr const char* bucket = "bucket";
  static constexpr const char* key_id = "key";
  static constexpr const char* secret = "secret";
  static constexpr const char* region = "us-east-1";
  static constexpr std::size_t names_a_page = 3;

  S3Stub();
  S3Stub(const S3Stub&) = delete;
  S3Stub& operator=(const S3Stub&) = delete;

  /// `http://127.0.0.1:PORT`.
  [[nodiscard]] std::string endpoint() const { return server_.endpoint(); }
  /// Set the variables from which a store learns of this one.
  void set_environment() const;
  /// From now on a request must be signed with this secret and bring this token, if it is not empty.
  void wants_credentials(const std::string& secret, const std::string& token = {});
  /// From now on every request is answered with this error code and status 403; with an empty code as it should be.
  void refuse_as(const std::string& code);

  // How it misbehaves.
  std::atomic<bool> ignores_conditions = false;
  std::atomic<bool> wants_plain_tags = false;  ///< in conditions, without quotes
  std::atomic<bool> ignores_ranges = false;
  std::atomic<int> fails_next = 0;  ///< of as many writes, which happen, the answer is 500
  std::atomic<int> drops_next = 0;  ///< as many requests happen, and the connection is closed
  std::atomic<int> takes_writes =
      -1;  ///< as many more happen, and the others are answered by 503; -1: all
  /// Called before each request; it may send others. Set it while there is no request.
  std::function<void(const HttpRequest&)> before_request{};
  /// Called after the function above. If it returns true, the request is lost: the request is not executed, and the
  /// connection is closed. Set it in the same way as the function above.
  std::function<bool(const HttpRequest&)> is_lost{};
  /// Called after each request, before its answer is sent; it may send others.
  std::function<void(const HttpRequest&)> after_request{};
  std::atomic<std::size_t> requests = 0;
  std::atomic<std::size_t> wrong_signatures = 0;

  /// A request that got lost, or one that happened, arrives after all, or again. Returns the status that nobody gets.
  int arrive_late(const HttpRequest& request) { return answer(request).status; }

 private:
  struct Reply {
    int status = 200;
    std::string tag{};
    std::string body{};
  };
  [[nodiscard]] HttpResponse serve(const HttpRequest& request);
  [[nodiscard]] bool is_signed(const HttpRequest& request);
  /// The error reply to a request with a wrong signature or session token, or as refuse_as() set; else nullopt.
  [[nodiscard]] std::optional<Reply> refusal_of(const HttpRequest& request);
  [[nodiscard]] Reply answer(const HttpRequest& request);
  [[nodiscard]] Reply put(const std::string& name, const HttpRequest& request);
  [[nodiscard]] Reply get(const std::string& name, const HttpRequest& request);
  [[nodiscard]] Reply list(const std::string& query);

  std::mutex mutex_;  // guards the objects and what is expected
  std::map<std::string, std::string> objects_;
  std::string secret_ = secret;
  std::string token_;
  std::string refusal_;  // an error code, or empty
  LoopbackServer server_;
};

}  // namespace cairn::test
