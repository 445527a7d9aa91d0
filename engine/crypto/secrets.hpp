#pragma once
// Functions for secrets such as access tokens: random bytes, SHA-256, and comparison in constant time. The only code of the
// engine that calls OpenSSL.

#include <cairn/result.hpp>

#include <array>
#include <span>
#include <string>
#include <string_view>

namespace cairn::engine {

using Sha256 = std::array<unsigned char, 32>;

/// Returns the SHA-256 digest. Errors: io_error if OpenSSL refuses SHA-256.
[[nodiscard]] Result<Sha256> sha256(std::string_view bytes);
/// Fills `bytes` with cryptographically secure random bytes. Errors: io_error if OpenSSL has no source of randomness.
[[nodiscard]] Status fill_random(std::span<unsigned char> bytes);
/// Encodes as base64 without padding, in the alphabet that is safe in URLs and command lines (RFC 4648, section 5).
[[nodiscard]] std::string base64url(std::span<const unsigned char> bytes);
/// Compares two digests in a time that does not depend on where they differ, so that timing reveals nothing about a secret.
[[nodiscard]] bool equal_in_constant_time(const Sha256& left, const Sha256& right) noexcept;

}  // namespace cairn::engine
