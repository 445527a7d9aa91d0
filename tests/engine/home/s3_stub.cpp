#include "tests/engine/home/s3_stub.hpp"

#include "engine/crypto/secrets.hpp"
#include "tests/support/graph_builder.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string_view>

namespace cairn::test {
namespace {

using engine::sha256;

std::string raw_hash(std::string_view bytes) {
  const auto hash = must(sha256(bytes));
  return {reinterpret_cast<const char*>(hash.data()), hash.size()};
}

std::string hex(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const char byte : bytes) {
    text += digits[static_cast<unsigned char>(byte) >> 4];
    text += digits[static_cast<unsigned char>(byte) & 15];
  }
  return text;
}

/// RFC 2104, with SHA-256. No key here is longer than a block.
std::string hmac(std::string key, std::string_view text) {
  key.resize(64, '\0');
  std::string inner = key;
  std::string outer = key;
  for (char& c : inner) c = static_cast<char>(c ^ 0x36);
  for (char& c : outer) c = static_cast<char>(c ^ 0x5c);
  return raw_hash(outer + raw_hash(inner.append(text)));
}

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::string between(const std::string& text, const std::string& from, char to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) return {};
  const std::size_t first = at + from.size();
  return text.substr(first, text.find(to, first) - first);
}

std::string decoded(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      result += text[i];
      continue;
    }
    result += static_cast<char>(std::stoi(text.substr(i + 1, 2), nullptr, 16));
    i += 2;
  }
  return result;
}

std::string tag_of(const std::string& bytes) { return '"' + hex(raw_hash(bytes)) + '"'; }

std::string header_of(const S3StubRequest& request, const std::string& name) {
  const auto found = request.headers.find(name);
  return found == request.headers.end() ? std::string() : found->second;
}

bool send_all(int connection, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto sent = ::send(connection, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

/// The next request of a connection. Empty at its end.
std::optional<S3StubRequest> read_request(int connection, std::string& buffer) {
  const auto more = [&] {
    char bytes[8192];
    const auto size = ::recv(connection, bytes, sizeof bytes, 0);
    if (size > 0) buffer.append(bytes, static_cast<std::size_t>(size));
    return size > 0;
  };
  while (buffer.find("\r\n\r\n") == std::string::npos)
    if (!more()) return std::nullopt;
  const std::size_t end = buffer.find("\r\n\r\n");
  std::istringstream lines(buffer.substr(0, end));
  buffer.erase(0, end + 4);
  S3StubRequest request;
  std::string target;
  lines >> request.method >> target;
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    if (line.ends_with('\r')) line.pop_back();
    const std::size_t colon = line.find(':');
    const std::size_t value = line.find_first_not_of(' ', colon + 1);
    request.headers[lower(line.substr(0, colon))] =
        value == std::string::npos ? "" : line.substr(value);
  }
  const std::size_t mark = target.find('?');
  request.path = decoded(target.substr(0, mark));
  if (mark != std::string::npos) request.query = target.substr(mark + 1);
  if (!header_of(request, "expect").empty()) send_all(connection, "HTTP/1.1 100 Continue\r\n\r\n");
  const std::string length = header_of(request, "content-length");
  const std::size_t bytes = length.empty() ? 0 : std::stoul(length);
  while (buffer.size() < bytes)
    if (!more()) return std::nullopt;
  request.body = buffer.substr(0, bytes);
  buffer.erase(0, bytes);
  return request;
}

std::string error_body(const std::string& code) {
  return "<?xml version=\"1.0\"?><Error><Code>" + code +
         "</Code><Message>as asked</Message></Error>";
}

}  // namespace

S3Stub::S3Stub() {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* any = reinterpret_cast<sockaddr*>(&address);
  if (listener_ < 0 || ::bind(listener_, any, size) != 0 || ::listen(listener_, 64) != 0 ||
      ::getsockname(listener_, any, &size) != 0)
    throw std::runtime_error("cannot listen on the loopback interface");
  port_ = ntohs(address.sin_port);
  acceptor_ = std::thread([this] { accept_all(); });
}

S3Stub::~S3Stub() {
  {
    const std::lock_guard lock(mutex_);
    is_closing_ = true;
    ::shutdown(listener_, SHUT_RDWR);
    for (const int connection : connections_) ::shutdown(connection, SHUT_RDWR);
  }
  acceptor_.join();
  for (std::thread& server : servers_) server.join();
  for (const int connection : connections_) ::close(connection);
  ::close(listener_);
}

std::string S3Stub::endpoint() const { return "http://127.0.0.1:" + std::to_string(port_); }

void S3Stub::set_environment() const {
  ::setenv("AWS_ENDPOINT_URL", endpoint().c_str(), 1);
  ::setenv("AWS_ACCESS_KEY_ID", key_id, 1);
  ::setenv("AWS_SECRET_ACCESS_KEY", secret, 1);
  ::setenv("AWS_REGION", region, 1);
  ::unsetenv("AWS_SESSION_TOKEN");
  ::unsetenv("AWS_CREDENTIAL_EXPIRATION");
  ::unsetenv("AWS_ENDPOINT_URL_S3");
}

void S3Stub::accept_all() {
  for (;;) {
    const int connection = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    const std::lock_guard lock(mutex_);
    if (is_closing_ || connection < 0) {
      if (connection >= 0) ::close(connection);
      return;
    }
    connections_.push_back(connection);
    servers_.emplace_back([this, connection] { serve(connection); });
  }
}

void S3Stub::serve(int connection) {
  std::string buffer;
  while (const auto request = read_request(connection, buffer)) {
    ++requests;
    Reply reply;
    if (auto refused = refusal_of(*request))
      reply = *std::move(refused);
    else
      reply = answer(*request);
    if (drops_next > 0 && drops_next-- > 0) break;
    const bool writes = request->method == "PUT";
    if (writes && fails_next > 0 && fails_next-- > 0)
      reply = {500, {}, error_body("InternalError")};
    std::string head = "HTTP/1.1 " + std::to_string(reply.status) + " as answered\r\n";
    if (!reply.tag.empty()) head += "ETag: " + reply.tag + "\r\n";
    head += "Date: Thu, 01 Jan 2026 00:00:00 GMT\r\nContent-Length: " +
            std::to_string(reply.body.size()) + "\r\n\r\n";
    if (!send_all(connection, head + reply.body)) break;
  }
  ::shutdown(connection, SHUT_RDWR);
}

void S3Stub::wants_credentials(const std::string& wanted_secret, const std::string& token) {
  const std::lock_guard lock(mutex_);
  secret_ = wanted_secret;
  token_ = token;
}

void S3Stub::refuse_as(const std::string& code) {
  const std::lock_guard lock(mutex_);
  refusal_ = code;
}

std::optional<S3Stub::Reply> S3Stub::refusal_of(const S3StubRequest& request) {
  {
    const std::lock_guard lock(mutex_);
    if (!refusal_.empty()) return Reply{403, {}, error_body(refusal_)};
    if (!token_.empty() && header_of(request, "x-amz-security-token") != token_)
      return Reply{400, {}, error_body("ExpiredToken")};
  }
  if (is_signed(request)) return std::nullopt;
  ++wrong_signatures;
  return Reply{403, {}, error_body("SignatureDoesNotMatch")};
}

// As the description of the signature has it, from the request as it arrived.
bool S3Stub::is_signed(const S3StubRequest& request) {
  const std::string given = header_of(request, "authorization");
  const std::string names = between(given, "SignedHeaders=", ',');
  const std::string hash = header_of(request, "x-amz-content-sha256");
  if (hash != hex(raw_hash(request.body))) return false;
  if (names.find("x-amz-content-sha256") == std::string::npos) return false;
  std::string canonical = request.method + "\n" + request.path + "\n" + request.query + "\n";
  std::istringstream each(names);
  for (std::string name; std::getline(each, name, ';');)
    canonical += name + ":" + header_of(request, name) + "\n";
  canonical += "\n" + names + "\n" + hash;
  const std::string time = header_of(request, "x-amz-date");
  const std::string day = time.substr(0, 8);
  const std::string scope = day + "/" + region + "/s3/aws4_request";
  const std::string text =
      "AWS4-HMAC-SHA256\n" + time + "\n" + scope + "\n" + hex(raw_hash(canonical));
  std::string key = "AWS4";
  {
    const std::lock_guard lock(mutex_);
    key += secret_;
  }
  key = hmac(std::move(key), day);
  for (const std::string_view part :
       {std::string_view(region), std::string_view("s3"), std::string_view("aws4_request")})
    key = hmac(key, part);
  return between(given, "Credential=", ',') == std::string(key_id) + "/" + scope &&
         given.substr(given.find("Signature=") + 10) == hex(hmac(key, text));
}

S3Stub::Reply S3Stub::answer(const S3StubRequest& request) {
  const std::string root = std::string("/") + bucket + "/";
  if (!request.path.starts_with(root)) return {404, {}, error_body("NoSuchBucket")};
  const std::string name = request.path.substr(root.size());
  const std::lock_guard lock(mutex_);
  const bool is_write = request.method != "GET";
  if (is_write && takes_writes == 0) return {503, {}, error_body("ServiceUnavailable")};
  if (is_write && takes_writes > 0) --takes_writes;
  if (request.method == "PUT") return put(name, request);
  if (request.method == "GET" && name.empty()) return list(request.query);
  if (request.method == "GET") return get(name, request);
  objects_.erase(name);
  return {204, {}, {}};
}

S3Stub::Reply S3Stub::put(const std::string& name, const S3StubRequest& request) {
  const auto found = objects_.find(name);
  const bool is_new = header_of(request, "if-none-match") == "*";
  const std::string wanted = header_of(request, "if-match");
  if (!ignores_conditions) {
    if (is_new && found != objects_.end()) return {412, {}, error_body("PreconditionFailed")};
    if (!wanted.empty() && found == objects_.end()) return {404, {}, error_body("NoSuchKey")};
    std::string tag = wanted.empty() ? "" : tag_of(found->second);
    if (wants_plain_tags && !tag.empty()) tag = tag.substr(1, tag.size() - 2);
    if (wanted != tag) return {412, {}, error_body("PreconditionFailed")};
  }
  objects_[name] = request.body;
  return {200, tag_of(request.body), {}};
}

S3Stub::Reply S3Stub::get(const std::string& name, const S3StubRequest& request) {
  const auto found = objects_.find(name);
  if (found == objects_.end()) return {404, {}, error_body("NoSuchKey")};
  const std::string& bytes = found->second;
  const std::string known = header_of(request, "if-none-match");
  if (!known.empty() && (known == tag_of(bytes) || '"' + known + '"' == tag_of(bytes)))
    return {304, tag_of(bytes), {}};
  const std::string range = header_of(request, "range");
  if (range.empty() || ignores_ranges) return {200, tag_of(bytes), bytes};
  const std::size_t first = std::stoul(between(range, "bytes=", '-'));
  const std::size_t last = std::stoul(range.substr(range.rfind('-') + 1));
  if (first >= bytes.size()) return {416, {}, error_body("InvalidRange")};
  return {206, tag_of(bytes), bytes.substr(first, last - first + 1)};
}

S3Stub::Reply S3Stub::list(const std::string& query) {
  const std::string prefix = decoded(between(query + "&", "prefix=", '&'));
  const std::string after = decoded(between(query + "&", "continuation-token=", '&'));
  std::string body = "<?xml version=\"1.0\"?><ListBucketResult>";
  std::size_t count = 0;
  std::string last;
  bool is_cut = false;
  for (const auto& [name, bytes] : objects_) {
    if (!name.starts_with(prefix) || name <= after) continue;
    if (count == names_a_page) {
      is_cut = true;
      break;
    }
    body += "<Contents><Key>" + name + "</Key></Contents>";
    last = name;
    ++count;
  }
  body += std::string("<IsTruncated>") + (is_cut ? "true" : "false") + "</IsTruncated>";
  if (is_cut) body += "<NextContinuationToken>" + last + "</NextContinuationToken>";
  return {200, {}, body + "</ListBucketResult>"};
}

}  // namespace cairn::test
