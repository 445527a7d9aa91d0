#pragma once
// The state of a handler between two rounds of a request, which the client stores and returns
// unchanged.

#include <boost/json.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace cairn::tools::mcp {

namespace json = boost::json;

/// How often the client may send a state back.
enum class StateUse : std::uint8_t { any, once };

/// Signs states, so that a client can neither change them nor use them for another request. The
/// client can read them. Threads: any.
class StateSigner {
 public:
  using Time = std::chrono::system_clock::time_point;

  static constexpr std::chrono::minutes lifetime{10};
  /// States from clients may be as long as a message; longer ones than this were not made by this
  /// server.
  static constexpr std::size_t most_bytes = std::size_t{1} << 20U;
  /// The number of used states that are remembered. Of the others, all that are older than one that
  /// was forgotten are refused.
  static constexpr std::size_t most_used = 4'096;

  /// Makes a random key, so states of other processes are refused. Throws std::runtime_error
  /// without random numbers.
  StateSigner();
  explicit StateSigner(std::string key) : key_(std::move(key)) {}

  /// `request` identifies the request, see request_binding().
  [[nodiscard]] std::string sign(const json::value& state, std::string_view request, Time now,
                                 StateUse use = StateUse::any) const;
  /// Returns nullopt for a text that this signer did not make, that belongs to another request, that
  /// is too old, or that may be used once and was.
  [[nodiscard]] std::optional<json::value> open(std::string_view text, std::string_view request,
                                                Time now) const;

 private:
  [[nodiscard]] std::string signature(std::string_view payload, std::string_view request) const;

  [[nodiscard]] bool use_up(std::uint64_t number) const;

  std::string key_;
  // Of the states that may be used once, by their numbers.
  mutable std::mutex mutex_;
  mutable std::uint64_t last_ = 0;
  mutable std::set<std::uint64_t> used_;
  mutable std::uint64_t forgotten_ = 0;  ///< this one and those before are refused
};

/// Returns the SHA-256 digest that binds a state to its request: of the method and its parameters
/// in canonical key order, without `_meta`, `inputResponses` and `requestState`.
[[nodiscard]] std::string request_binding(std::string_view method, const json::object& params);

/// Returns a digest with a random key of this process, in base64. So whoever reads it cannot find out
/// the text by trying texts.
[[nodiscard]] std::string secret_digest(std::string_view text);

}  // namespace cairn::tools::mcp
