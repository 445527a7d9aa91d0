// The outer part of the statement reads a snapshot. The operator of the subquery begins and commits its transactions
// (execute/call/call_in_transactions.cpp).
#include "query/batched_run.hpp"

#include "engine/database/access.hpp"
#include "query/bind/bound_query.hpp"
#include "query/execute/call/name_spaces.hpp"
#include "query/execute/call/operators.hpp"
#include "query/execute/failed_allocation.hpp"
#include "query/plan/planner.hpp"
#include "query/run/running_statement.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

namespace cairn::query {
namespace {

bool is_batched(const Clause& clause) {
  const auto* call = std::get_if<CallSubqueryClause>(&clause);
  return call != nullptr && call->in_transactions &&
         (is_writing(*call->subquery->subquery) || call->on_error != OnError::fail);
}

/// The clauses of a statement that commits in batches; nullptr for other statements.
const std::vector<Clause>* batched_clauses(const BoundStatement& statement) {
  const auto* query = std::get_if<Query>(&statement.content);
  if (query == nullptr || statement.mode == StatementMode::explain) return nullptr;
  const std::vector<Clause>& clauses = query->parts.front().clauses;
  return std::ranges::any_of(clauses, is_batched) ? &clauses : nullptr;
}

// The binder refuses clauses that write (Binder::check_batches), but does not know which procedures do.
Status check_calls(const std::vector<Clause>& clauses) {
  for (const Clause& clause : clauses) {
    const auto* subquery = std::get_if<CallSubqueryClause>(&clause);
    if (subquery != nullptr && !is_batched(clause) && is_writing(*subquery->subquery->subquery))
      return Error{ErrorCode::parse_error,
                   "a subquery outside of CALL { } IN TRANSACTIONS calls a procedure that writes, "
                   "which would belong to none of its transactions; call the procedure in the "
                   "subquery of CALL { } IN TRANSACTIONS",
                   subquery->subquery->where};
    const auto* call = std::get_if<CallClause>(&clause);
    if (call != nullptr && call->procedure == "db.scrub") return scrubs_alone();
    if (call != nullptr && is_writing(*call))
      return Error{ErrorCode::parse_error,
                   call->procedure +
                       "() writes, and outside of CALL { } IN TRANSACTIONS it would "
                       "belong to none of its transactions; call it in the subquery of that CALL",
                   call->where};
  }
  return {};
}

/// Adds to an error what was committed before it.
Error with_progress(Error error, const BatchProgress& progress) {
  if (progress.transactions == 0) return error;
  error.message += std::string(before_this) + committed_text(progress) +
                   " and stay: do not run the whole statement again";
  return error;
}

}  // namespace

std::string committed_text(const BatchProgress& progress) {
  const auto counted = [](std::uint64_t count, const char* one, const char* several) {
    return std::to_string(count) + (count == 1 ? one : several);
  };
  std::string text = counted(progress.rows, " row was", " rows were") + " committed in " +
                     counted(progress.transactions, " transaction", " transactions");
  if (progress.failed_rows > 0)
    text += " (" + counted(progress.failed_rows, " other row", " other rows") + " failed)";
  return text;
}

bool commits_in_batches(const BoundStatement& statement) {
  return batched_clauses(statement) != nullptr;
}

Result<std::unique_ptr<MadeRows>> run_in_batches(const BoundStatement& statement,
                                                 std::string_view text, Database& database,
                                                 const Parameters& parameters,
                                                 const StatementOptions& options,
                                                 BatchCommits& commits) {
  if (Access::is_joined(database)) return needs_auto_commit();
  CAIRN_TRY(check_calls(*batched_clauses(statement)));
  CAIRN_ASSIGN(const Snapshot snapshot, database.snapshot());
  const auto view = Access::view(snapshot);
  Graph graph;
  graph.view = view.get();
  graph.observer = Access::observer(snapshot);
  graph.files = &Access::files(snapshot);
  graph.database = &database;
  graph.core = Access::core(snapshot);
  graph.batches = &commits;
  auto rows = within_memory([&]() -> Result<std::unique_ptr<MadeRows>> {
    CAIRN_ASSIGN(const auto run,
                 RunningStatement::start(statement, text, graph, parameters, options));
    auto all = drain(*run);
    if (!all) run->note_failure(all.error().code);
    return all;
  });
  if (!rows) return with_progress(std::move(rows).error(), commits.progress);
  return rows;
}

}  // namespace cairn::query
