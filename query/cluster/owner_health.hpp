#pragma once
// Whether the owner of a home is alive, as another node sees it.

#include <cairn/result.hpp>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace cairn::query::cluster {

/// The addresses of a node, as written in the heads of its homes: `BOLT HEALTH`, each HOST:PORT.
struct NodeAddress {
  std::string bolt;
  std::string health;
  [[nodiscard]] static NodeAddress parse(std::string_view text);
  [[nodiscard]] std::string text() const { return bolt + " " + health; }
};

enum class Health : std::uint8_t {
  alive,
  gone,    ///< it refuses connections, or says that it ends
  silent,  ///< it did not answer two requests in time
};

/// Requests the health page of a node, twice if it does not answer the first time. Waits at most
/// `time` in total.
[[nodiscard]] Health ask_health(const std::string& address, std::chrono::milliseconds time);

}  // namespace cairn::query::cluster
