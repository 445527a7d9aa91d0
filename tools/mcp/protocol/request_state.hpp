#pragma once
// The state of a handler between two rounds of a request, which the client stores and returns
// unchanged.

#include <boost/json.hpp>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace cairn::tools::mcp {

namespace json = boost::json;

/// Signs states, so that a client can neither change them nor use them for another request. The
/// client can read them.
class StateSigner {
 public:
  using Time = std::chrono::system_clock::time_point;

  static constexpr std::chrono::minutes lifetime{10};
  /// States from clients may be as long as a message; longer ones than this were not made by this
  /// server.
  static constexpr std::size_t most_bytes = std::size_t{1} << 20U;

  /// Makes a random key, so states of other processes are refused. Throws std::runtime_error
  /// without random numbers.
  StateSigner();
  explicit StateSigner(std::string key) : key_(std::move(key)) {}

  /// `request` identifies the request, see request_binding().
  [[nodiscard]] std::string sign(const json::value& state, std::string_view request,
                                 Time now) const;
  /// Returns nullopt for a text that this signer did not make, that belongs to another request, or
  /// that is too old.
  [[nodiscard]] std::optional<json::value> open(std::string_view text, std::string_view request,
                                                Time now) const;

 private:
  [[nodiscard]] std::string signature(std::string_view payload, std::string_view request) const;

  std::string key_;
};

/// Returns the SHA-256 digest that binds a state to its request: of the method and its parameters
/// in canonical key order, without `_meta`, `inputResponses` and `requestState`.
[[nodiscard]] std::string request_binding(std::string_view method, const json::object& params);

}  // namespace cairn::tools::mcp
