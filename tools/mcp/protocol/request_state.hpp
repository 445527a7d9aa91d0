#pragma once
// What a handler remembers between two rounds of one request, given to the client and taken back unchanged.

#include <boost/json.hpp>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace cairn::tools::mcp {

namespace json = boost::json;

/// Signs states, so that a client can neither change one nor use it for another request. The client can read them.
class StateSigner {
 public:
  using Time = std::chrono::system_clock::time_point;

  static constexpr std::chrono::minutes lifetime{10};
  /// A state is as long as a message may be; this server makes none that is longer than this.
  static constexpr std::size_t most_bytes = std::size_t{1} << 20U;

  /// With a key of its own: states of other processes are refused. Throws std::runtime_error without random numbers.
  StateSigner();
  explicit StateSigner(std::string key) : key_(std::move(key)) {}

  /// `request` says which request it is, see request_binding().
  [[nodiscard]] std::string sign(const json::value& state, std::string_view request,
                                 Time now) const;
  /// Nothing for a text that this signer did not make, that is of another request or too old.
  [[nodiscard]] std::optional<json::value> open(std::string_view text, std::string_view request,
                                                Time now) const;

 private:
  [[nodiscard]] std::string signature(std::string_view payload, std::string_view request) const;

  std::string key_;
};

/// What a state is bound to, as a SHA-256 digest: the method and its parameters, in any order of keys, without `_meta`, `inputResponses` and
/// `requestState`.
[[nodiscard]] std::string request_binding(std::string_view method, const json::object& params);

}  // namespace cairn::tools::mcp
