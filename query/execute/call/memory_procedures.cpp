// The procedures memory.*. These procedures run within the statement, see its changes, and commit
// with it.

#include "engine/database/access.hpp"
#include "engine/database/core.hpp"
#include "engine/view/view.hpp"
#include "engine/write/writer.hpp"
#include "query/execute/call/builtin_procedures.hpp"
#include "query/execute/call/memory_calls.hpp"
#include "query/execute/pipeline/batch_commits.hpp"
#include "query/execute/pipeline/execution_context.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

namespace cairn::query {
namespace {

using Rows = Procedure::Rows;
using Arguments = std::span<const Value>;

/// Returns the remaining limits of the statement, which apply to the statements of the call.
StatementOptions limits_left(ExecutionContext& context) {
  using std::chrono::milliseconds;
  StatementOptions limits = context.options;
  limits.now = context.now;
  context.budget.pause();
  const auto used = std::chrono::duration_cast<milliseconds>(context.budget.elapsed());
  context.budget.resume();
  limits.timeout = std::max(limits.timeout - used, milliseconds(1));
  limits.memory_bytes = context.budget.free_bytes();
  // Rows of the call's own statements do not count as rows of this statement.
  limits.max_rows = StatementOptions().max_rows;
  return limits;
}

/// Restores namespace and time of the writer after the statements of the call have changed them.
Status take_writer_back(ExecutionContext& context) {
  if (context.writer == nullptr) return {};
  const StatementOptions& options = context.options;
  CAIRN_TRY(context.writer->use_place({options.name_space, options.also_read, options.author}));
  context.writer->use_time(context.now);
  CAIRN_TRY(context.charge_changes());
  context.graph.forget();
  return {};
}

/// Prevents recursion: a condition of a memory call is a statement, which could make a memory call
/// again.
class OneCallOnly {
 public:
  OneCallOnly() { is_running = true; }
  OneCallOnly(const OneCallOnly&) = delete;
  OneCallOnly& operator=(const OneCallOnly&) = delete;
  ~OneCallOnly() { is_running = false; }

  static thread_local bool is_running;
};
thread_local bool OneCallOnly::is_running = false;

// Reported to the inner call.
Error nested_call() {
  return {ErrorCode::unsupported, "a condition of a memory call cannot make a memory call",
          std::nullopt};
}

}  // namespace

// The call runs on a Database object that joins the transaction of this statement.
Result<Procedure::Rows> call_memory(ExecutionContext& context, Arguments arguments,
                                    MemoryProcedure procedure) {
  const auto calls = context.core == nullptr
                         ? nullptr
                         : std::static_pointer_cast<const MemoryCalls>(context.core->calls().get());
  if (calls == nullptr)
    return Error{ErrorCode::unsupported, "this database was opened without the memory calls",
                 std::nullopt};
  if (OneCallOnly::is_running) return nested_call();
  const OneCallOnly running;
  Database database = Access::join(*context.core, context.graph.view(), context.writer);
  const StatementOptions limits = limits_left(context);
  CAIRN_ASSIGN(MemoryAnswer answer, calls->run({procedure, arguments, database, limits}));
  for (std::string& warning : answer.warnings) warn_once(context, std::move(warning));
  add_changes(context.changes, answer.changes);
  CAIRN_TRY(take_writer_back(context));
  // The time limit may have passed during the call.
  CAIRN_TRY(context.budget.check());
  return std::move(answer.rows);
}

}  // namespace cairn::query
