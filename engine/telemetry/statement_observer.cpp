#include "engine/telemetry/statement_observer.hpp"

#include "engine/system/bounded_duration.hpp"

#include <utility>

namespace cairn::engine {

StatementObserver::StatementObserver(std::shared_ptr<Telemetry> telemetry, const Options& options)
    : telemetry_(std::move(telemetry)),
      hook_(options.slow_statement),
      slow_after_(bounded(options.slow_statement_after)) {}

void StatementObserver::note(const EndedStatement& statement) noexcept {
  telemetry_->statements.add();
  telemetry_->statement_time.add(statement.elapsed);
  if (statement.rows > 0) telemetry_->rows.add(statement.rows);
  if (statement.failure) telemetry_->failed_statements.add();
  if (statement.failure == ErrorCode::cancelled) telemetry_->cancelled_statements.add();
  if (!hook_ || statement.elapsed <= slow_after_) return;
  try {
    const auto elapsed = std::chrono::duration_cast<std::chrono::microseconds>(statement.elapsed);
    hook_({statement.text, elapsed, statement.rows, statement.failure.has_value()});
  } catch (...) {
    // Ignored, as for a log sink (see Messages): the bug is in the program, not in the database.
  }
}

}  // namespace cairn::engine
