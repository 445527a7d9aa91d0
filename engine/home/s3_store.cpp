// An object store over the S3 interface: maps the HTTP status of each answer to an outcome.
//
// Only status 412 proves that a condition did not hold. A store may answer 409 or 5xx to the loser of a race, but
// also to a client whose write happened. The outcome of such a write is therefore unknown.
#include "codec/instant.hpp"
#include "engine/home/object_store.hpp"
#include "engine/home/s3_transport.hpp"
#include "engine/system/clock.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace cairn::engine {
namespace {

// HTTP status codes.
constexpr long ok = 200;
constexpr long no_content = 204;
constexpr long partial_content = 206;
constexpr long not_modified = 304;
constexpr long not_found = 404;
constexpr long conflict = 409;
constexpr long precondition_failed = 412;
constexpr long too_many_requests = 429;
constexpr long server_error = 500;

/// Returns the text of the next XML element `name` from the position `at` on, and moves `at` to its end. Returns an
/// empty text if there is no such element.
std::string element(const std::string& body, const std::string& name, std::size_t& at) {
  const std::string begin = "<" + name + ">";
  const std::size_t first = body.find(begin, at);
  const std::size_t last = body.find("</" + name + ">", first);
  if (first == std::string::npos || last == std::string::npos) {
    at = body.size();
    return {};
  }
  at = last;
  return body.substr(first + begin.size(), last - first - begin.size());
}

std::string first_element(const std::string& body, const std::string& name) {
  std::size_t at = 0;
  return element(body, name, at);
}

/// Percent-encodes a value of a query.
std::string encoded(std::string_view text) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string result;
  for (const char c : text) {
    const bool is_plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                          (c >= 'A' && c <= 'Z') || c == '-' || c == '_' || c == '.' || c == '~';
    const auto code = static_cast<unsigned char>(c);
    if (is_plain)
      result += c;
    else
      result.append("%").append(1, digits[code >> 4]).append(1, digits[code & 15]);
  }
  return result;
}

/// Replaces the XML entities that a continuation token may contain.
std::string unescaped(std::string text) {
  for (const auto& [from, to] : {std::pair("&lt;", "<"), std::pair("&gt;", ">"),
                                 std::pair("&quot;", "\""), std::pair("&amp;", "&")})
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + 1))
      text.replace(at, std::string_view(from).size(), to);
  return text;
}

/// True if a later attempt of the same request may succeed.
bool may_pass(long status) {
  return status >= server_error || status == too_many_requests || status == conflict;
}

class S3Store final : public ObjectStore {
 public:
  S3Store(S3Settings settings, std::string place)
      : transport_(std::move(settings)), place_(std::move(place)) {}

  WriteAnswer create(const std::string& name, std::string_view bytes) override;
  WriteAnswer replace(const std::string& name, std::string_view bytes,
                      const std::string& tag) override;
  WriteAnswer erase(const std::string& name) override;
  Result<std::optional<StoredObject>> get(const std::string& name) override;
  Result<std::optional<std::string>> get_range(const std::string& name, std::uint64_t first,
                                               std::uint64_t count) override;
  Result<std::optional<StoredObject>> get_if_changed(const std::string& name,
                                                     const std::string& tag) override;
  Result<std::vector<std::string>> list(const std::string& prefix) override;
  bool try_other_tags() override { return std::exchange(quotes_tags_, false); }
  const std::string& place() const noexcept override { return place_; }

 private:
  [[nodiscard]] std::string path_of(const std::string& name) const {
    return "/" + transport_.prefix() + name;
  }
  /// The tag as this store expects it in a condition. The store sends it in quotes.
  [[nodiscard]] std::string condition_of(const std::string& tag) const;
  /// Sends a PUT with the header `condition`, and maps the status to an outcome.
  [[nodiscard]] WriteAnswer write(const std::string& name, std::string_view bytes,
                                  std::string condition);
  /// The error for a status that the caller does not handle.
  [[nodiscard]] Error error_of(const S3Reply& reply, const std::string& name);
  /// What a person can do about an error with this code.
  [[nodiscard]] std::string fix_of(const std::string& code, const S3Reply& reply);
  /// True if the bucket exists and the object does not.
  [[nodiscard]] static bool lacks_object(const S3Reply& reply) {
    return reply.status == not_found && first_element(reply.body, "Code") != "NoSuchBucket";
  }

  S3Transport transport_;
  std::string place_;
  // False for stores that compare the tag without quotes, as Ceph in Debian 12.
  bool quotes_tags_ = true;
};

WriteAnswer unknown(Error why) { return {WriteOutcome::unknown, {}, std::move(why)}; }

std::string S3Store::condition_of(const std::string& tag) const {
  const bool is_quoted = tag.size() >= 2 && tag.front() == '"' && tag.back() == '"';
  return quotes_tags_ || !is_quoted ? tag : tag.substr(1, tag.size() - 2);
}

Error S3Store::error_of(const S3Reply& reply, const std::string& name) {
  std::string code = first_element(reply.body, "Code");
  if (code.empty()) code = "HTTP " + std::to_string(reply.status);
  std::string message = place_ + " answered " + code + " for " + name;
  const std::string detail = first_element(reply.body, "Message");
  if (!detail.empty()) message += ": " + detail;
  // A program that renews the credentials may be late.
  const bool is_expired = code == "ExpiredToken" || code == "TokenRefreshRequired";
  const bool passes = may_pass(reply.status) || is_expired;
  if (!may_pass(reply.status)) message += "; " + fix_of(code, reply);
  return Error{passes ? ErrorCode::busy : ErrorCode::io_error, std::move(message), {}};
}

// The codes are those of Amazon, which other stores use too.
std::string S3Store::fix_of(const std::string& code, const S3Reply& reply) {
  const S3Credentials used = transport_.credentials();
  if (code == "RequestTimeTooSkewed" || code == "RequestExpired")
    return "the clock of this machine shows " + codec::instant_text(system_time()) +
           (reply.date.empty() ? "" : ", and the store's shows " + reply.date) +
           ": set the clock of this machine, best by NTP";
  if (code == "ExpiredToken" || code == "TokenRefreshRequired")
    return "the session of the access key " + used.key_id +
           " has ended: renew the credentials in " + used.source +
           ", which are read again with each request";
  if (code == "InvalidAccessKeyId" || code == "SignatureDoesNotMatch" || code == "InvalidToken")
    return "check the access key " + used.key_id + ", its secret and its session token in " +
           used.source;
  if (code == "AccessDenied")
    return "the access key " + used.key_id + " from " + used.source +
           " must be allowed to get, put, delete and list objects there";
  if (code == "NoSuchBucket") return "make the bucket, or correct its name and AWS_ENDPOINT_URL";
  if (code == "AuthorizationHeaderMalformed" || code == "PermanentRedirect" ||
      code == "IllegalLocationConstraintException")
    return "the bucket is in another region: set AWS_REGION to the region of the bucket";
  return "check the bucket, the region and the credentials";
}

WriteAnswer S3Store::write(const std::string& name, std::string_view bytes, std::string condition) {
  const bool replaces = condition.starts_with("If-Match");
  const auto reply = transport_.send({"PUT", path_of(name), {}, {std::move(condition)}, bytes});
  if (!reply) return unknown(reply.error());
  if (reply->status == ok) return {WriteOutcome::done, reply->tag, {}};
  if (reply->status == precondition_failed) return {WriteOutcome::refused, {}, {}};
  if (replaces && lacks_object(*reply)) return {WriteOutcome::refused, {}, {}};
  return unknown(error_of(*reply, name));
}

// Writes the object only if no object has the name.
WriteAnswer S3Store::create(const std::string& name, std::string_view bytes) {
  return write(name, bytes, "If-None-Match: *");
}

// Writes the object only if the stored one has the tag. If there is no object, the outcome is `refused`.
WriteAnswer S3Store::replace(const std::string& name, std::string_view bytes,
                             const std::string& tag) {
  return write(name, bytes, "If-Match: " + condition_of(tag));
}

WriteAnswer S3Store::erase(const std::string& name) {
  const auto reply = transport_.send({"DELETE", path_of(name), {}, {}, {}});
  if (!reply) return unknown(reply.error());
  if (reply->status == ok || reply->status == no_content || lacks_object(*reply))
    return {WriteOutcome::done, {}, {}};
  return unknown(error_of(*reply, name));
}

Result<std::optional<StoredObject>> S3Store::get(const std::string& name) {
  CAIRN_ASSIGN(S3Reply reply, transport_.send({"GET", path_of(name), {}, {}, {}}));
  if (lacks_object(reply)) return std::optional<StoredObject>();
  if (reply.status != ok) return error_of(reply, name);
  return std::optional(StoredObject{std::move(reply.body), std::move(reply.tag)});
}

Result<std::optional<std::string>> S3Store::get_range(const std::string& name, std::uint64_t first,
                                                      std::uint64_t count) {
  const std::string range =
      "Range: bytes=" + std::to_string(first) + "-" + std::to_string(first + count - 1);
  CAIRN_ASSIGN(S3Reply reply, transport_.send({"GET", path_of(name), {}, {range}, {}}));
  if (lacks_object(reply)) return std::optional<std::string>();
  if (reply.status == partial_content) return std::optional(std::move(reply.body));
  if (reply.status == ok)
    return Error{ErrorCode::unsupported,
                 place_ + " answered a request for a part of the object " + name +
                     " with the whole object; use a store that supports the header `Range`",
                 {}};
  return error_of(reply, name);
}

Result<std::optional<StoredObject>> S3Store::get_if_changed(const std::string& name,
                                                            const std::string& tag) {
  const std::string condition = "If-None-Match: " + condition_of(tag);
  CAIRN_ASSIGN(S3Reply reply, transport_.send({"GET", path_of(name), {}, {condition}, {}}));
  if (reply.status == not_modified) return std::optional<StoredObject>();
  if (lacks_object(reply))
    return Error{ErrorCode::not_found, place_ + " has no object " + name, {}};
  if (reply.status != ok) return error_of(reply, name);
  return std::optional(StoredObject{std::move(reply.body), std::move(reply.tag)});
}

// Reads the list page by page. The parts of the query are sorted by name, as the signature demands.
Result<std::vector<std::string>> S3Store::list(const std::string& prefix) {
  const std::string& root = transport_.prefix();
  std::vector<std::string> names;
  std::string token;
  do {
    std::string query = "list-type=2&prefix=" + encoded(root + prefix);
    if (!token.empty()) query = "continuation-token=" + encoded(token) + "&" + query;
    CAIRN_ASSIGN(const S3Reply reply, transport_.send({"GET", "/", query, {}, {}}));
    if (reply.status != ok) return error_of(reply, "the list of " + prefix);
    std::size_t at = 0;
    for (std::string key = element(reply.body, "Key", at); !key.empty();
         key = element(reply.body, "Key", at))
      if (key.starts_with(root)) names.push_back(key.substr(root.size()));
    token = first_element(reply.body, "IsTruncated") == "true"
                ? unescaped(first_element(reply.body, "NextContinuationToken"))
                : "";
  } while (!token.empty());
  std::ranges::sort(names);
  return names;
}

}  // namespace

/// Only reads settings. The first request shows whether the store exists.
Result<std::unique_ptr<ObjectStore>> open_s3_store(std::string_view text) {
  CAIRN_ASSIGN(S3Settings settings, read_s3_settings(text));
  return std::unique_ptr<ObjectStore>(
      std::make_unique<S3Store>(std::move(settings), "s3://" + std::string(text)));
}

}  // namespace cairn::engine
