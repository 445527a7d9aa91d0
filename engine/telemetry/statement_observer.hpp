#pragma once
// StatementObserver: the query folder reports each ended statement to it. It counts them, and passes slow ones
// to the program's hook.

#include "engine/telemetry/telemetry.hpp"

#include <cairn/options.hpp>
#include <cairn/result.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace cairn::engine {

struct EndedStatement {
  std::string_view text;
  std::chrono::steady_clock::duration elapsed{};  ///< without what its caller did between two rows
  std::uint64_t rows = 0;                         ///< handed out
  std::optional<ErrorCode> failure;
};

/// Threads: any.
class StatementObserver {
 public:
  StatementObserver(std::shared_ptr<Telemetry> telemetry, const Options& options);

  /// The hook runs on this thread; what it throws is caught and dropped.
  void note(const EndedStatement& statement) noexcept;

 private:
  std::shared_ptr<Telemetry> telemetry_;  // owners: the core, its states, and this
  const SlowStatementHook hook_;
  const std::chrono::steady_clock::duration slow_after_;
};

}  // namespace cairn::engine
