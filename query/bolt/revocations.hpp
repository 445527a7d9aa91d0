#pragma once
// Revocations: which connections have lost their token since they logged on.

#include <cairn/database.hpp>

#include <chrono>
#include <cstdint>
#include <map>
#include <string>

namespace cairn::query::bolt {

/// Threads: one only.
class Revocations {
 public:
  using Clock = std::chrono::steady_clock;

  /// Read the tokens, at most once a second. False where that is not due, or they cannot be read.
  [[nodiscard]] bool look(const Database& database, Clock::time_point now);
  /// Whether the token of this name is there no more, or was made again since the look before.
  [[nodiscard]] bool is_revoked(const std::string& name) const;

 private:
  using Tokens = std::map<std::string, std::int64_t>;  // when each was made

  Tokens before_;
  Tokens tokens_;
  Clock::time_point next_look_;
};

}  // namespace cairn::query::bolt
