#pragma once
// The address of a server: its scheme, and where it listens.

#include <cairn/bolt.hpp>
#include <cairn/result.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace cairn::query::remote {

enum class Security : std::uint8_t {
  none,        ///< bolt
  verified,    ///< bolt+s
  unverified,  ///< bolt+ssc
};

struct RemoteAddress {
  Security security = Security::none;
  BoltAddress place;

  /// Errors: invalid_argument with what was expected.
  [[nodiscard]] static Result<RemoteAddress> parse(std::string_view text);
  [[nodiscard]] std::string text() const;
};

}  // namespace cairn::query::remote
