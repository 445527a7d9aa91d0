#pragma once
// Who may not connect: processes with too many connections, and addresses that tried wrong tokens. WrongTokens counts
// the wrong tokens of each address within the last minute.

#include <cairn/result.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace cairn::query::bolt {

/// `peers` has the process of each connection, and at most `most` connections are served. Returns the error if another
/// connection of process `peer` must be refused; otherwise nullopt.
///
/// A process may have a third of the connections, so that one program cannot keep all others out. A third of the host's
/// 1,024 suffices for a Bolt server in an attached process, which uses one connection for each of its 256 clients
/// (BoltLimits::connections). Processes of other containers all have the number 0, so their shares are unknown and not
/// limited.
[[nodiscard]] std::optional<Error> refused_in_crowd(const std::vector<std::string>& peers,
                                                    const std::string& peer, std::size_t most);

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
