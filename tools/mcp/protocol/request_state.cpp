// Signs the state of a handler between two rounds of a request, by HMAC-SHA-256 over the state and
// the request. Keys of objects are ordered first, so that a client may repeat its parameters in
// another order.
#include "tools/mcp/protocol/request_state.hpp"

#include "tools/mcp/protocol/answer.hpp"
#include "tools/mcp/protocol/base64.hpp"
#include "tools/mcp/protocol/exact_json.hpp"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <vector>

namespace cairn::tools::mcp {
namespace {

constexpr std::size_t signature_bytes = 32;

const unsigned char* data_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

std::string random_key() {
  std::array<unsigned char, signature_bytes> key{};
  if (RAND_bytes(key.data(), static_cast<int>(key.size())) != 1)
    throw std::runtime_error("OpenSSL cannot provide random numbers; check its configuration");
  return {key.begin(), key.end()};
}

std::string hmac(const std::string& key, std::string_view text) {
  std::string made(signature_bytes, '\0');
  unsigned int length = 0;
  const auto* done = HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), data_of(text),
                          text.size(), reinterpret_cast<unsigned char*>(made.data()), &length);
  if (done == nullptr || length != signature_bytes)
    throw std::runtime_error("OpenSSL does not sign by HMAC-SHA-256");
  return made;
}

std::int64_t seconds_of(StateSigner::Time time) {
  return std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
}

/// Returns a copy with ordered object keys. The depth of messages is limited, so recursion is safe.
json::value with_ordered_keys(const json::value& value) {
  if (const json::array* list = value.if_array()) {
    json::array ordered;
    for (const json::value& element : *list) ordered.push_back(with_ordered_keys(element));
    return ordered;
  }
  const json::object* object = value.if_object();
  if (object == nullptr) return value;
  std::vector<std::string_view> keys;
  for (const auto& member : *object) keys.emplace_back(member.key());
  std::ranges::sort(keys);
  json::object ordered;
  for (const std::string_view key : keys) ordered.emplace(key, with_ordered_keys(object->at(key)));
  return ordered;
}

}  // namespace

StateSigner::StateSigner() : key_(random_key()) {}

std::string StateSigner::signature(std::string_view payload, std::string_view request) const {
  // All bindings have the same length, so no other pair gives this text.
  return hmac(key_, std::string(request) += payload);
}

std::string StateSigner::sign(const json::value& state, std::string_view request, Time now,
                              StateUse use) const {
  json::object payload{{"state", state}, {"until", seconds_of(now + lifetime)}};
  if (use == StateUse::once) {
    const std::scoped_lock lock(mutex_);
    payload["number"] = ++last_;
  }
  const std::string text = json::serialize(payload);
  return encode_base64(signature(text, request) + text);
}

bool StateSigner::use_up(std::uint64_t number) const {
  const std::scoped_lock lock(mutex_);
  if (number <= forgotten_ || !used_.insert(number).second) return false;
  if (used_.size() > most_used) forgotten_ = used_.extract(used_.begin()).value();
  return true;
}

std::optional<json::value> StateSigner::open(std::string_view text, std::string_view request,
                                             Time now) const {
  if (text.size() > most_bytes) return std::nullopt;
  const auto bytes = decode_base64(text);
  if (!bytes || bytes->size() < signature_bytes) return std::nullopt;
  const std::string_view payload = std::string_view(*bytes).substr(signature_bytes);
  const std::string expected = signature(payload, request);
  if (CRYPTO_memcmp(expected.data(), bytes->data(), signature_bytes) != 0) return std::nullopt;
  // The signature is valid, so the text is one that this process made.
  boost::system::error_code error;
  constexpr std::size_t levels = 256;
  json::value read = parse_exactly(payload, levels, error);
  if (error || !read.is_object()) return std::nullopt;
  if (read.at("until").to_number<std::int64_t>() < seconds_of(now)) return std::nullopt;
  const json::value* number = read.as_object().if_contains("number");
  if (number != nullptr && !use_up(number->to_number<std::uint64_t>())) return std::nullopt;
  return std::move(read.at("state"));
}

std::string request_binding(std::string_view method, const json::object& params) {
  json::object bound = params;
  for (const char* key : {"_meta", "inputResponses", "requestState"}) bound.erase(key);
  const std::string text = std::string(method) + " " + json::serialize(with_ordered_keys(bound));
  std::string digest(signature_bytes, '\0');
  if (EVP_Digest(text.data(), text.size(), reinterpret_cast<unsigned char*>(digest.data()), nullptr,
                 EVP_sha256(), nullptr) != 1)
    throw std::runtime_error("OpenSSL has no SHA-256");
  return digest;
}

std::string secret_digest(std::string_view text) {
  static const std::string key = random_key();
  return encode_base64(hmac(key, text));
}

}  // namespace cairn::tools::mcp
