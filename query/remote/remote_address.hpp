#pragma once
// The address of a server: a scheme that selects the security, and the host and port of the listener.

#include <cairn/bolt.hpp>
#include <cairn/result.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace cairn::query::remote {

enum class Security : std::uint8_t {
  none,        ///< bolt: no TLS
  verified,    ///< bolt+s: TLS, and the certificate is verified
  unverified,  ///< bolt+ssc: TLS with any certificate, also a self-signed one
};

struct RemoteAddress {
  Security security = Security::none;
  BoltAddress place;

  /// Parses an address. Errors: invalid_argument, with the expected form.
  [[nodiscard]] static Result<RemoteAddress> parse(std::string_view text);
  [[nodiscard]] std::string text() const;
};

}  // namespace cairn::query::remote
