#pragma once
// WrongTokens: how often each address tried an unknown token, within the last minute.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace cairn::query::bolt {

/// Remembers at most 4,096 addresses, the latest. Threads: any.
class WrongTokens {
 public:
  using Clock = std::chrono::steady_clock;
  explicit WrongTokens(std::uint32_t most_a_minute) : most_(most_a_minute) {}

  /// Whether an address has had its tries of the last minute.
  [[nodiscard]] bool is_refused(const std::string& address, Clock::time_point now = Clock::now());
  void note(const std::string& address, Clock::time_point now = Clock::now());

 private:
  void forget_old(Clock::time_point now);

  const std::uint32_t most_;
  std::mutex mutex_;  // guards tries_
  std::map<std::string, std::vector<Clock::time_point>> tries_;
};

}  // namespace cairn::query::bolt
