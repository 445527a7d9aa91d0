#pragma once
// WrongTokens: counts the wrong tokens of each address within the last minute.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace cairn::query::bolt {

/// Remembers the 4,096 addresses with the latest attempts. Threads: any.
class WrongTokens {
 public:
  using Clock = std::chrono::steady_clock;
  explicit WrongTokens(std::uint32_t most_a_minute) : most_(most_a_minute) {}

  /// True if an address has reached the limit of attempts in the last minute.
  [[nodiscard]] bool is_refused(const std::string& address, Clock::time_point now = Clock::now());
  /// Counts an attempt.
  void note(const std::string& address, Clock::time_point now = Clock::now());

 private:
  void forget_old(Clock::time_point now);

  const std::uint32_t most_;
  std::mutex mutex_;  // guards tries_
  std::map<std::string, std::vector<Clock::time_point>> tries_;
};

}  // namespace cairn::query::bolt
