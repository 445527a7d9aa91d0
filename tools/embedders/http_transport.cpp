#include "tools/embedders/http_transport.hpp"

#include "engine/system/curl_parts.hpp"

#include <curl/curl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <ctime>
#include <exception>
#include <limits>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

namespace cairn::tools {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds connect_time{10'000};
constexpr int most_redirects = 3;

struct FreeAddress {
  void operator()(CURLU* address) const noexcept { curl_url_cleanup(address); }
};
using Address = std::unique_ptr<CURLU, FreeAddress>;

/// Returns a part of an address; empty if it has none.
std::string part_of(const Address& address, CURLUPart part) {
  char* text = nullptr;
  if (curl_url_get(address.get(), part, &text, CURLU_DEFAULT_PORT) != CURLUE_OK) return {};
  std::string copy(text);
  curl_free(text);
  return copy;
}

Error failed(std::string message) { return {ErrorCode::io_error, std::move(message), {}}; }

/// True for temporary faults: of the network, or of a service that is starting or stopping.
bool may_pass(CURLcode code) {
  constexpr std::array passing{CURLE_COULDNT_RESOLVE_PROXY,
                               CURLE_COULDNT_RESOLVE_HOST,
                               CURLE_COULDNT_CONNECT,
                               CURLE_OPERATION_TIMEDOUT,
                               CURLE_GOT_NOTHING,
                               CURLE_SEND_ERROR,
                               CURLE_RECV_ERROR,
                               CURLE_PARTIAL_FILE};
  return std::ranges::find(passing, code) != passing.end();
}

/// True for redirects. The request is sent again with POST, also after 301 and 302.
bool is_redirect(long status) {
  return status == 301 || status == 302 || status == 307 || status == 308;
}

}  // namespace

/// A reply while it arrives.
struct HttpTransport::Transfer {
  HttpReply reply{};
  std::size_t most_bytes = 0;
  bool is_too_long = false;
  std::string redirect{};  ///< the complete address; empty: none

  // Callbacks of libcurl; they must not throw. A callback that returns another number than the
  // bytes that it received ends the transfer with an error.
  static std::size_t take_body(const char* bytes, std::size_t size, std::size_t count,
                               void* to) noexcept {
    auto& transfer = *static_cast<Transfer*>(to);
    try {
      transfer.is_too_long = size * count > transfer.most_bytes - transfer.reply.body.size();
      if (transfer.is_too_long) return 0;
      transfer.reply.body.append(bytes, size * count);
      return size * count;
    } catch (const std::exception&) {
      return 0;
    }
  }
  // Takes the header Retry-After.
  static std::size_t take_header(const char* bytes, std::size_t size, std::size_t count,
                                 void* to) noexcept {
    try {
      const auto value = engine::header_value({bytes, size * count}, "retry-after");
      if (!value.empty()) static_cast<Transfer*>(to)->reply.retry_after = value;
      return size * count;
    } catch (const std::exception&) {
      return 0;
    }
  }
};

namespace {

/// True for names and addresses of this machine. A name such as 127.example.org does not count.
bool is_loopback(const std::string& host) {
  const bool is_number = host.find_first_not_of("0123456789.") == std::string::npos;
  return host == "localhost" || host.ends_with(".localhost") || host == "[::1]" ||
         (is_number && host.starts_with("127."));
}

}  // namespace

Result<HttpAddress> parse_http_address(const std::string& text) {
  engine::start_libcurl();
  const Address address(curl_url());
  const auto wrong = [](const char* what) { return Error{ErrorCode::invalid_argument, what, {}}; };
  if (curl_url_set(address.get(), CURLUPART_URL, text.c_str(), 0) != CURLUE_OK)
    return wrong("an embedder needs an address such as http://localhost:8080/v1/embeddings");
  const std::string scheme = part_of(address, CURLUPART_SCHEME);
  if (scheme != "http" && scheme != "https")
    return wrong("the address of an embedder must begin with http:// or https://");
  if (!part_of(address, CURLUPART_USER).empty() || !part_of(address, CURLUPART_PASSWORD).empty())
    return wrong(
        "the address of an embedder must not have a user or password, because it is stored and "
        "shown; put "
        "the key into CAIRN_EMBEDDER_KEY");
  curl_url_set(address.get(), CURLUPART_FRAGMENT, nullptr, 0);
  HttpAddress parts;
  parts.url = part_of(address, CURLUPART_URL);
  curl_url_set(address.get(), CURLUPART_QUERY, nullptr, 0);
  parts.shown = part_of(address, CURLUPART_URL);
  parts.path = part_of(address, CURLUPART_PATH);
  parts.origin =
      scheme + "://" + part_of(address, CURLUPART_HOST) + ":" + part_of(address, CURLUPART_PORT);
  parts.is_private = scheme == "https" || is_loopback(part_of(address, CURLUPART_HOST));
  return parts;
}

HttpTransport::HttpTransport(HttpAddress address, std::string key, milliseconds timeout)
    : address_(std::move(address)), key_(std::move(key)), timeout_(timeout), owner_(::getpid()) {
  engine::start_libcurl();
}

// A forked child closes no connection: with TLS, closing would also end the connection of the
// parent.
HttpTransport::~HttpTransport() {
  if (::getpid() != owner_) return;
  for (void* handle : handles_) curl_easy_cleanup(handle);
}

Result<HttpReply> HttpTransport::post(const std::string& body, std::size_t most_bytes) const {
  if (::getpid() != owner_)
    return Error{
        ErrorCode::unsupported, "was made by another process; make an embedder in this one", {}};
  std::string url = address_.url;
  for (int redirects = 0;; ++redirects) {
    CAIRN_ASSIGN(Transfer transfer, send(url, body, most_bytes));
    if (!is_redirect(transfer.reply.status)) return std::move(transfer.reply);
    const auto target = parse_http_address(transfer.redirect);
    if (!target)
      return failed("answers with a redirect that cannot be followed: " + target.error().message);
    if (target->origin != address_.origin)
      return failed("answers with a redirect to " + target->origin +
                    ", which is another host; if it is right, name its address");
    if (redirects == most_redirects) return failed("answers with too many redirects");
    url = target->url;
  }
}

Result<HttpTransport::Transfer> HttpTransport::send(const std::string& url, const std::string& body,
                                                    std::size_t most_bytes) const {
  engine::CurlHeaders headers;
  engine::add_header(headers, "Content-Type: application/json");
  engine::add_header(headers, "Expect:");  // otherwise long requests wait for a permission
  if (!key_.empty()) engine::add_header(headers, "Authorization: Bearer " + key_);
  void* const handle = take_handle();
  if (handle == nullptr)
    return Error{ErrorCode::resource_limit, "libcurl has no memory for a request", {}};
  Transfer transfer;
  transfer.most_bytes = most_bytes;
  curl_easy_setopt(handle, CURLOPT_URL, url.c_str());
  curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(handle, CURLOPT_TCP_NODELAY, 1L);
  curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT_MS,
                   static_cast<long>(std::min(connect_time, timeout_).count()));
  curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, static_cast<long>(timeout_.count()));
  curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
  curl_easy_setopt(handle, CURLOPT_POSTFIELDS, body.data());
  curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers.get());
  curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, &Transfer::take_body);
  curl_easy_setopt(handle, CURLOPT_WRITEDATA, &transfer);
  curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, &Transfer::take_header);
  curl_easy_setopt(handle, CURLOPT_HEADERDATA, &transfer);
  const CURLcode result = curl_easy_perform(handle);
  curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &transfer.reply.status);
  const char* redirect = nullptr;
  curl_easy_getinfo(handle, CURLINFO_REDIRECT_URL, &redirect);
  if (redirect != nullptr) transfer.redirect = redirect;
  // Removes the options, which point to local variables of this call. The connection stays open.
  curl_easy_reset(handle);
  give_back(handle);
  if (result == CURLE_OK) return transfer;
  if (transfer.is_too_long)
    return Error{
        ErrorCode::resource_limit, "sent more than " + std::to_string(most_bytes) + " bytes", {}};
  return Error{may_pass(result) ? ErrorCode::busy : ErrorCode::io_error,
               std::string("gave no answer: ") + curl_easy_strerror(result),
               {}};
}

void* HttpTransport::take_handle() const {
  const std::lock_guard lock(mutex_);
  if (handles_.empty()) return curl_easy_init();
  void* const handle = handles_.back();
  handles_.pop_back();
  return handle;
}

void HttpTransport::give_back(void* handle) const {
  const std::lock_guard lock(mutex_);
  handles_.push_back(handle);
}

milliseconds retry_delay(const std::string& value) {
  constexpr std::int64_t most_seconds = 1'000'000;
  std::int64_t seconds = 0;
  const char* const end = value.data() + value.size();
  const auto [stop, problem] = std::from_chars(value.data(), end, seconds);
  if (problem != std::errc() || stop != end || seconds < 0) {
    const std::time_t date = value.empty() ? -1 : curl_getdate(value.c_str(), nullptr);
    if (date < 0) return milliseconds(-1);
    seconds = std::max<std::int64_t>(date - std::time(nullptr), 0);
  }
  return std::chrono::seconds(std::min(seconds, most_seconds));
}

}  // namespace cairn::tools
