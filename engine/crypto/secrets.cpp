// OpenSSL may refuse a call: its configuration may allow only certified algorithms, or the random source of the system may
// be unavailable. These functions return such a failure as an error, and never fall back to something weaker.
#include "engine/crypto/secrets.hpp"

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/rand.h>

#include <algorithm>
#include <string>

namespace cairn::engine {
namespace {

/// Makes an error from the error queue of OpenSSL, and clears the queue.
Error refused(std::string_view what) {
  const unsigned long code = ERR_get_error();
  const char* reason = code == 0 ? nullptr : ERR_reason_error_string(code);
  ERR_clear_error();
  std::string message = "OpenSSL cannot provide " + std::string(what);
  if (reason != nullptr) message += std::string(": ") + reason;
  return {ErrorCode::io_error, message + "; check the configuration of OpenSSL", {}};
}

}  // namespace

Result<Sha256> sha256(std::string_view bytes) {
  Sha256 digest{};
  unsigned size = 0;
  const int done =
      EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr);
  if (done != 1 || size != digest.size()) return refused("SHA-256");
  return digest;
}

Status fill_random(std::span<unsigned char> bytes) {
  if (RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1) return refused("random bytes");
  return {};
}

// OpenSSL encodes with the common alphabet. The two characters that URLs reserve are replaced afterwards, and the padding is
// removed.
std::string base64url(std::span<const unsigned char> bytes) {
  constexpr std::size_t read_at_once = 3;
  constexpr std::size_t written_at_once = 4;
  const std::size_t steps = (bytes.size() + read_at_once - 1) / read_at_once;
  std::string text(steps * written_at_once + 1, '\0');  // + 1: OpenSSL appends a zero byte
  const int length = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()), bytes.data(),
                                     static_cast<int>(bytes.size()));
  text.resize(static_cast<std::size_t>(length));
  std::ranges::replace(text, '+', '-');
  std::ranges::replace(text, '/', '_');
  text.erase(std::min(text.find('='), text.size()));
  return text;
}

bool equal_in_constant_time(const Sha256& left, const Sha256& right) noexcept {
  return CRYPTO_memcmp(left.data(), right.data(), left.size()) == 0;
}

}  // namespace cairn::engine
