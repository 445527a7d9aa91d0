// The settings of an S3 store, and requests to it. libcurl computes the signature (AWS signature version 4). libcurl
// 7.88 leaves two parts of the signature to its user: the header with the hash of the body, and the sorted and
// encoded query.
#include "engine/home/s3_transport.hpp"

#include "engine/crypto/secrets.hpp"
#include "engine/home/object_store.hpp"

#include <curl/curl.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <initializer_list>
#include <map>
#include <new>
#include <utility>

namespace cairn::engine {
namespace {

// Settings.

/// Returns the first of these environment variables that is set and not empty, else `otherwise`.
std::string variable(std::initializer_list<const char*> names, std::string otherwise = {}) {
  for (const char* name : names) {
    const char* value = std::getenv(name);
    if (value != nullptr && *value != '\0') return value;
  }
  return otherwise;
}

/// Returns `text` without blanks at both ends.
std::string trimmed(const std::string& text) {
  constexpr const char* blanks = " \t\r";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// Reads the entries of one section of a credentials file in the format of the AWS tools. Empty if there is no such
/// file or section.
std::map<std::string, std::string> profile_of(const std::string& file, const std::string& profile) {
  std::ifstream lines(file);
  std::map<std::string, std::string> entries;
  bool is_wanted = false;
  for (std::string line; std::getline(lines, line);) {
    line = trimmed(line);
    const std::size_t equals = line.find('=');
    if (line.starts_with('['))
      is_wanted = line == "[" + profile + "]";
    else if (is_wanted && equals != std::string::npos && !line.starts_with('#'))
      entries[trimmed(line.substr(0, equals))] = trimmed(line.substr(equals + 1));
  }
  return entries;
}

/// The environment has precedence over the credentials file.
void read_credentials(S3Settings& settings) {
  settings.key_id = variable({"AWS_ACCESS_KEY_ID"});
  settings.secret = variable({"AWS_SECRET_ACCESS_KEY"});
  settings.session_token = variable({"AWS_SESSION_TOKEN"});
  if (!settings.key_id.empty()) return;
  const std::string file =
      variable({"AWS_SHARED_CREDENTIALS_FILE"}, variable({"HOME"}) + "/.aws/credentials");
  auto entries = profile_of(file, variable({"AWS_PROFILE"}, "default"));
  settings.key_id = entries["aws_access_key_id"];
  settings.secret = entries["aws_secret_access_key"];
  settings.session_token = entries["aws_session_token"];
}

/// Returns the URL of the bucket. Amazon expects the bucket in the host name; other stores expect it in the path.
std::string url_of(const std::string& bucket, const std::string& region) {
  std::string endpoint = variable({"AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"});
  if (endpoint.empty()) return "https://" + bucket + ".s3." + region + ".amazonaws.com";
  while (endpoint.ends_with('/')) endpoint.pop_back();
  return endpoint + "/" + bucket;
}

Error wrong(const std::string& what) { return Error{ErrorCode::invalid_argument, what, {}}; }

}  // namespace

Result<S3Settings> read_s3_settings(std::string_view text) {
  while (text.ends_with('/')) text.remove_suffix(1);
  const std::size_t slash = text.find('/');
  const std::string bucket(text.substr(0, slash));
  const std::string prefix(slash == std::string_view::npos ? "" : text.substr(slash + 1));
  const bool has_bucket = is_object_name(bucket);
  if (!has_bucket || (!prefix.empty() && !is_object_name(prefix)))
    return wrong("the home \"s3://" + std::string(text) +
                 "\" must be `s3://BUCKET/PREFIX`, with letters, digits, `-`, `_` and `.`");
  S3Settings settings;
  settings.region = variable({"AWS_REGION", "AWS_DEFAULT_REGION"}, "us-east-1");
  settings.bucket_url = url_of(bucket, settings.region);
  settings.prefix = prefix.empty() ? "" : prefix + "/";
  read_credentials(settings);
  if (settings.key_id.empty() || settings.secret.empty())
    return wrong("there are no credentials for s3://" + bucket +
                 ": set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or write them to "
                 "~/.aws/credentials");
  const bool is_web =
      settings.bucket_url.starts_with("http://") || settings.bucket_url.starts_with("https://");
  if (!is_web) return wrong("AWS_ENDPOINT_URL must begin with https:// or http://");
  // The URL is not quoted here, because it would put the password into every message that names the store.
  if (settings.bucket_url.find('@') != std::string::npos)
    return wrong(
        "AWS_ENDPOINT_URL contains a user or password (`...@`), which is not used: remove it, and "
        "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
  return settings;
}

// Requests.

namespace {

constexpr long connect_milliseconds = 5'000;
// A request fails if it transfers fewer bytes than this per second for `slowest_seconds`, however large it is.
constexpr long slowest_bytes_a_second = 1'024;
constexpr long slowest_seconds = 20;

struct FreeHeaders {
  void operator()(curl_slist* list) const noexcept { curl_slist_free_all(list); }
};
using Headers = std::unique_ptr<curl_slist, FreeHeaders>;

/// Appends a header. libcurl returns the new head of the list, which replaces the old one.
void add(Headers& headers, const std::string& line) {
  curl_slist* longer = curl_slist_append(headers.get(), line.c_str());
  if (longer == nullptr) throw std::bad_alloc();
  (void)headers.release();
  headers.reset(longer);
}

std::string hex_of(const Sha256& hash) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : hash) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

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

// Stores the value of the header ETag in the reply. The name of a header is matched in any case.
std::size_t take_header(const char* bytes, std::size_t size, std::size_t count, void* to) noexcept {
  constexpr std::string_view wanted = "etag:";
  try {
    std::string_view line(bytes, size * count);
    const auto is_same = [](char left, char right) {
      return std::tolower(static_cast<unsigned char>(left)) == right;
    };
    if (line.size() > wanted.size() &&
        std::equal(wanted.begin(), wanted.end(), line.begin(),
                   [&](char right, char left) { return is_same(left, right); })) {
      line.remove_prefix(wanted.size());
      const std::size_t first = line.find_first_not_of(" \t");
      const std::size_t last = line.find_last_not_of(" \t\r\n");
      if (first != std::string_view::npos)
        static_cast<S3Reply*>(to)->tag = line.substr(first, last - first + 1);
    }
    return size * count;
  } catch (const std::exception&) {
    return 0;
  }
}

/// Initialises libcurl once per process.
void start_libcurl() {
  static const CURLcode started = curl_global_init(CURL_GLOBAL_DEFAULT);
  (void)started;
}

/// The headers of a request, with those that libcurl includes in the signature.
Result<Headers> headers_of(const S3Request& request, const S3Settings& settings) {
  CAIRN_ASSIGN(const Sha256 hash, sha256(request.body));
  Headers headers;
  add(headers, "x-amz-content-sha256: " + hex_of(hash));
  if (!settings.session_token.empty())
    add(headers, "x-amz-security-token: " + settings.session_token);
  if (request.method == "PUT") add(headers, "Content-Type: application/octet-stream");
  for (const std::string& line : request.headers) add(headers, line);
  return headers;
}

/// Sets all options of a request but the headers. The reply is written to `reply` during the transfer.
void set_up(CURL* handle, const S3Request& request, const S3Settings& settings, S3Reply& reply) {
  std::string url = settings.bucket_url + request.path;
  if (!request.query.empty()) url += "?" + request.query;
  curl_easy_setopt(handle, CURLOPT_URL, url.c_str());
  curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(handle, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(handle, CURLOPT_TCP_NODELAY, 1L);
  curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT_MS, connect_milliseconds);
  curl_easy_setopt(handle, CURLOPT_LOW_SPEED_LIMIT, slowest_bytes_a_second);
  curl_easy_setopt(handle, CURLOPT_LOW_SPEED_TIME, slowest_seconds);
  const std::string signing = "aws:amz:" + settings.region + ":s3";
  curl_easy_setopt(handle, CURLOPT_AWS_SIGV4, signing.c_str());
  curl_easy_setopt(handle, CURLOPT_USERNAME, settings.key_id.c_str());
  curl_easy_setopt(handle, CURLOPT_PASSWORD, settings.secret.c_str());
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

}  // namespace

S3Transport::S3Transport(S3Settings settings) : settings_(std::move(settings)) { start_libcurl(); }

S3Transport::~S3Transport() {
  for (void* handle : handles_) curl_easy_cleanup(handle);
}

Result<S3Reply> S3Transport::send(const S3Request& request) {
  CAIRN_ASSIGN(const Headers headers, headers_of(request, settings_));
  void* handle = take_handle();
  if (handle == nullptr)
    return Error{ErrorCode::resource_limit, "libcurl has no memory for a request", {}};
  S3Reply reply;
  set_up(handle, request, settings_, reply);
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
