#pragma once
// What secrets need, and the only home of OpenSSL: random bytes, their hash, and a comparison that tells nothing.

#include <cairn/result.hpp>

#include <array>
#include <span>
#include <string>
#include <string_view>

namespace cairn::engine {

using Sha256 = std::array<unsigned char, 32>;

/// Errors: io_error, where the cryptographic library has no SHA-256.
[[nodiscard]] Result<Sha256> sha256(std::string_view bytes);
/// Fill `bytes` so that nobody can guess them. Errors: io_error, where the system gives no randomness.
[[nodiscard]] Status fill_random(std::span<unsigned char> bytes);
/// Base64 with letters that addresses and command lines take as they are, without padding (RFC 4648, 5).
[[nodiscard]] std::string base64url(std::span<const unsigned char> bytes);
/// In a time that does not depend on where they differ.
[[nodiscard]] bool equal_in_constant_time(const Sha256& left, const Sha256& right) noexcept;

}  // namespace cairn::engine
