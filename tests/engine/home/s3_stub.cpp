#include "tests/engine/home/s3_stub.hpp"

#include "engine/crypto/secrets.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/hex.hpp"

#include <cstdlib>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

namespace cairn::test {
namespace {

using engine::sha256;

std::string raw_hash(std::string_view bytes) {
  const auto hash = must(sha256(bytes));
  return {reinterpret_cast<const char*>(hash.data()), hash.size()};
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

std::string tag_of(const std::string& bytes) { return '"' + test::hex(raw_hash(bytes)) + '"'; }

std::string error_body(const std::string& code) {
  return "<?xml version=\"1.0\"?><Error><Code>" + code +
         "</Code><Message>as asked</Message></Error>";
}

}  // namespace

S3Stub::S3Stub() : server_([this](const HttpRequest& request) { return serve(request); }) {}

void S3Stub::set_environment() const {
  ::setenv("AWS_ENDPOINT_URL", endpoint().c_str(), 1);
  ::setenv("AWS_ACCESS_KEY_ID", key_id, 1);
  ::setenv("AWS_SECRET_ACCESS_KEY", secret, 1);
  ::setenv("AWS_REGION", region, 1);
  ::unsetenv("AWS_SESSION_TOKEN");
  ::unsetenv("AWS_CREDENTIAL_EXPIRATION");
  ::unsetenv("AWS_ENDPOINT_URL_S3");
}

HttpResponse S3Stub::serve(const HttpRequest& request) {
  ++requests;
  if (before_request) before_request(request);
  HttpResponse response;
  response.is_dropped = is_lost && is_lost(request);
  if (response.is_dropped) return response;
  Reply reply;
  if (auto refused = refusal_of(request))
    reply = *std::move(refused);
  else
    reply = answer(request);
  if (after_request) after_request(request);
  if (drops_next > 0 && drops_next-- > 0) {
    response.is_dropped = true;
    return response;
  }
  const bool writes = request.method == "PUT";
  if (writes && fails_next > 0 && fails_next-- > 0) reply = {500, {}, error_body("InternalError")};
  response.status = reply.status;
  response.body = std::move(reply.body);
  response.headers["Date"] = "Thu, 01 Jan 2026 00:00:00 GMT";
  if (!reply.tag.empty()) response.headers["ETag"] = reply.tag;
  return response;
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

std::optional<S3Stub::Reply> S3Stub::refusal_of(const HttpRequest& request) {
  {
    const std::lock_guard lock(mutex_);
    if (!refusal_.empty()) return Reply{403, {}, error_body(refusal_)};
    if (!token_.empty() && request.header("x-amz-security-token") != token_)
      return Reply{400, {}, error_body("ExpiredToken")};
  }
  if (is_signed(request)) return std::nullopt;
  ++wrong_signatures;
  return Reply{403, {}, error_body("SignatureDoesNotMatch")};
}

// As the description of the signature has it, from the request as it arrived.
bool S3Stub::is_signed(const HttpRequest& request) {
  const std::string given = request.header("authorization");
  const std::string names = between(given, "SignedHeaders=", ',');
  const std::string hash = request.header("x-amz-content-sha256");
  if (hash != test::hex(raw_hash(request.body))) return false;
  if (names.find("x-amz-content-sha256") == std::string::npos) return false;
  std::string canonical =
      request.method + "\n" + decoded(request.path) + "\n" + request.query + "\n";
  std::istringstream each(names);
  for (std::string name; std::getline(each, name, ';');)
    canonical += name + ":" + request.header(name) + "\n";
  canonical += "\n" + names + "\n" + hash;
  const std::string time = request.header("x-amz-date");
  const std::string day = time.substr(0, 8);
  const std::string scope = day + "/" + region + "/s3/aws4_request";
  const std::string text =
      "AWS4-HMAC-SHA256\n" + time + "\n" + scope + "\n" + test::hex(raw_hash(canonical));
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
         given.substr(given.find("Signature=") + 10) == test::hex(hmac(key, text));
}

S3Stub::Reply S3Stub::answer(const HttpRequest& request) {
  const std::string root = std::string("/") + bucket + "/";
  const std::string path = decoded(request.path);
  if (!path.starts_with(root)) return {404, {}, error_body("NoSuchBucket")};
  const std::string name = path.substr(root.size());
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

S3Stub::Reply S3Stub::put(const std::string& name, const HttpRequest& request) {
  const auto found = objects_.find(name);
  const bool is_new = request.header("if-none-match") == "*";
  const std::string wanted = request.header("if-match");
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

S3Stub::Reply S3Stub::get(const std::string& name, const HttpRequest& request) {
  const auto found = objects_.find(name);
  if (found == objects_.end()) return {404, {}, error_body("NoSuchKey")};
  const std::string& bytes = found->second;
  const std::string known = request.header("if-none-match");
  if (!known.empty() && (known == tag_of(bytes) || '"' + known + '"' == tag_of(bytes)))
    return {304, tag_of(bytes), {}};
  const std::string range = request.header("range");
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
