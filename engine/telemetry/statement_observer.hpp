#pragma once
// StatementObserver: counts finished statements, and calls the hook of the program for slow ones. The query folder reports
// each statement when it ends.

#include "engine/telemetry/telemetry.hpp"

#include <cairn/options.hpp>
#include <cairn/result.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace cairn::engine {

/// A finished statement.
struct EndedStatement {
  std::string_view text;
  std::chrono::steady_clock::duration elapsed{};  ///< without the time of its caller between rows
  std::uint64_t rows = 0;                         ///< rows that the caller read
  std::optional<ErrorCode> failure;               ///< nullopt: it succeeded
};

/// Threads: any.
class StatementObserver {
 public:
  StatementObserver(std::shared_ptr<Telemetry> telemetry, const Options& options);

  /// Counts a statement, and calls the hook if it was slow. The hook runs on this thread; its exceptions are caught and
  /// ignored.
  void note(const EndedStatement& statement) noexcept;

 private:
  std::shared_ptr<Telemetry> telemetry_;                  // owners: the core, its states, and this
  const SlowStatementHook hook_;                          // may be empty
  const std::chrono::steady_clock::duration slow_after_;  // slower statements are passed to hook_
};

}  // namespace cairn::engine
