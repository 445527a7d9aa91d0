// Requests to an S3 store. libcurl computes the signature (AWS signature version 4). libcurl 7.88 leaves two parts of the
// signature to its user: the header with the hash of the body, and the sorted and encoded query.
#include "engine/home/s3_transport.hpp"

#include "codec/hex.hpp"
#include "engine/crypto/secrets.hpp"
#include "engine/system/curl_parts.hpp"

#include <curl/curl.h>

#include <cstddef>
#include <exception>
#include <utility>

namespace cairn::engine {
namespace {

constexpr long connect_milliseconds = 5'000;
// A request fails if it transfers fewer bytes than this per second for `slowest_seconds`, however large it is.
constexpr long slowest_bytes_a_second = 1'024;
constexpr long slowest_seconds = 20;

// Callbacks of libcurl, which must not throw. If a callback returns another number than the bytes it was given,
// libcurl ends the transfer.
std::size_t take_body(const char* bytes, std::size_t size, std::size_t count, void* to) noexcept {
  try {
    static_cast<S3Reply*>(to)->body.append(bytes, size * count);
    return size * count;
  } catch (const std::exception&) {
    return 0;
  }
}

std::size_t take_header(const char* bytes, std::size_t size, std::size_t count, void* to) noexcept {
  try {
    auto& reply = *static_cast<S3Reply*>(to);
    const std::string_view line(bytes, size * count);
    if (const auto tag = header_value(line, "etag"); !tag.empty()) reply.tag = tag;
    if (const auto date = header_value(line, "date"); !date.empty()) reply.date = date;
    return size * count;
  } catch (const std::exception&) {
    return 0;
  }
}

/// The headers of a request, with those that libcurl includes in the signature.
Result<CurlHeaders> headers_of(const S3Request& request, const S3Credentials& credentials) {
  CAIRN_ASSIGN(const Sha256 hash, sha256(request.body));
  CurlHeaders headers;
  add_header(headers, "x-amz-content-sha256: " + codec::hex_text(hash));
  if (!credentials.session_token.empty())
    add_header(headers, "x-amz-security-token: " + credentials.session_token);
  if (request.method == "PUT") add_header(headers, "Content-Type: application/octet-stream");
  for (const std::string& line : request.headers) add_header(headers, line);
  return headers;
}

/// Sets all options of a request but the headers and the signature. The reply is written to `reply` during the transfer.
void set_up(CURL* handle, const S3Request& request, const std::string& bucket_url, S3Reply& reply) {
  std::string url = bucket_url + request.path;
  if (!request.query.empty()) url += "?" + request.query;
  curl_easy_setopt(handle, CURLOPT_URL, url.c_str());
  curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(handle, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(handle, CURLOPT_TCP_NODELAY, 1L);
  curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT_MS, connect_milliseconds);
  curl_easy_setopt(handle, CURLOPT_LOW_SPEED_LIMIT, slowest_bytes_a_second);
  curl_easy_setopt(handle, CURLOPT_LOW_SPEED_TIME, slowest_seconds);
  if (request.method == "PUT") {
    curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE,
                     static_cast<curl_off_t>(request.body.size()));
    curl_easy_setopt(handle, CURLOPT_POSTFIELDS, request.body.data());
  }
  curl_easy_setopt(handle, CURLOPT_CUSTOMREQUEST, request.method.c_str());
  curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, &take_body);
  curl_easy_setopt(handle, CURLOPT_WRITEDATA, &reply);
  curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, &take_header);
  curl_easy_setopt(handle, CURLOPT_HEADERDATA, &reply);
}

void sign(CURL* handle, const std::string& region, const S3Credentials& credentials) {
  const std::string signing = "aws:amz:" + region + ":s3";
  curl_easy_setopt(handle, CURLOPT_AWS_SIGV4, signing.c_str());
  curl_easy_setopt(handle, CURLOPT_USERNAME, credentials.key_id.c_str());
  curl_easy_setopt(handle, CURLOPT_PASSWORD, credentials.secret.c_str());
}

/// True for the statuses with which stores refuse wrong or expired credentials. Other errors have these statuses too.
bool may_refuse_credentials(long status) { return status == 400 || status == 401 || status == 403; }

}  // namespace

S3Transport::S3Transport(S3Settings settings) : settings_(std::move(settings)) { start_libcurl(); }

S3Transport::~S3Transport() {
  for (void* handle : handles_) curl_easy_cleanup(handle);
}

S3Credentials S3Transport::credentials() {
  const std::lock_guard lock(mutex_);
  return settings_.credentials;
}

// A file that is being written may have half of the credentials, which are not used.
bool S3Transport::renew(const S3Credentials& used) {
  S3Credentials fresh = read_s3_credentials();
  if (!fresh.are_complete() || fresh == used) return false;
  const std::lock_guard lock(mutex_);
  settings_.credentials = std::move(fresh);
  return true;
}

// A request with refused credentials was not carried out, so it may be sent again.
Result<S3Reply> S3Transport::send(const S3Request& request) {
  S3Credentials used = credentials();
  if (used.have_expired() && renew(used)) used = credentials();
  CAIRN_ASSIGN(S3Reply reply, send_signed(request, used));
  if (!may_refuse_credentials(reply.status) || !renew(used)) return reply;
  return send_signed(request, credentials());
}

Result<S3Reply> S3Transport::send_signed(const S3Request& request,
                                         const S3Credentials& credentials) {
  CAIRN_ASSIGN(const CurlHeaders headers, headers_of(request, credentials));
  void* handle = take_handle();
  if (handle == nullptr)
    return Error{ErrorCode::resource_limit, "libcurl has no memory for a request", {}};
  S3Reply reply;
  set_up(handle, request, settings_.bucket_url, reply);
  sign(handle, settings_.region, credentials);
  curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers.get());
  const CURLcode result = curl_easy_perform(handle);
  curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &reply.status);
  // Removes the options, which point to local variables of this call. The connection stays open.
  curl_easy_reset(handle);
  give_back(handle);
  if (result == CURLE_OK) return reply;
  return Error{ErrorCode::busy,
               "no answer from " + settings_.bucket_url + ": " + curl_easy_strerror(result),
               {}};
}

void* S3Transport::take_handle() {
  const std::lock_guard lock(mutex_);
  if (handles_.empty()) return curl_easy_init();
  void* handle = handles_.back();
  handles_.pop_back();
  return handle;
}

void S3Transport::give_back(void* handle) {
  const std::lock_guard lock(mutex_);
  handles_.push_back(handle);
}

}  // namespace cairn::engine
