#pragma once
// ExecutionContext: the state that all operators of one running statement share. Other components are only declared
// here, so that this header includes few others.

#include "query/execute/budget.hpp"
#include "query/execute/expression/evaluator.hpp"
#include "query/execute/graph_reader.hpp"
#include "query/execute/holding.hpp"

#include <cairn/options.hpp>
#include <cairn/statement.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::engine {
class Core;
class FileRoot;
class WorkerPool;
class Writer;
}  // namespace cairn::engine

namespace cairn::query {

struct BatchCommits;
struct Operator;
struct OptimizerInputs;
struct Parts;
struct ProjectClause;
class PhysicalOperator;
class RegisteredCalls;
struct SearchClause;

/// Makes the physical operator for an operator of a plan.
using OperatorMaker = std::unique_ptr<PhysicalOperator> (*)(const Operator& one, Parts parts);

/// The hits of a search, for the warning if later filters drop some of them, with the charge for their memory.
struct FoundHits {
  std::set<std::uint64_t> ids;
  Holding held;
};

/// Threads: one; each further thread of a statement has a context of its own.
struct ExecutionContext {
  /// `writer` is nullptr for a reading statement. All arguments must outlive the context.
  ExecutionContext(const engine::View& view, engine::Writer* statement_writer,
                   const Parameters& statement_parameters,
                   const StatementOptions& statement_options, std::int64_t clock);
  /// Makes the context of a further thread of the reading statement that `whole` belongs to. All arguments must outlive
  /// the context. Precondition: the budget of `whole` shares its memory as `room`.
  ExecutionContext(const ExecutionContext& whole, const StatementOptions& own_options,
                   SharedMemory& room);
  /// Makes the context of a transaction of its own within the statement that `whole` belongs to. `seed` is that of its
  /// random numbers. The arguments and the precondition are as above.
  ExecutionContext(const ExecutionContext& whole, const engine::View& view,
                   engine::Writer& own_writer, std::uint64_t seed, SharedMemory& room);
  ExecutionContext(const ExecutionContext&) = delete;
  ExecutionContext& operator=(const ExecutionContext&) = delete;

  /// Charges the memory that the writer has allocated since the statement began.
  [[nodiscard]] Status charge_changes();

  const StatementOptions& options;
  const Parameters& parameters;
  std::int64_t now;
  Budget budget;
  GraphReader graph;
  Evaluator evaluator;
  engine::Writer* writer;
  Changes changes;
  std::size_t changes_before = 0;  ///< bytes that the writer held when the statement began
  Holding changes_held;            ///< bytes that the statement added to the writer
  std::vector<std::string> warnings;
  bool profile = false;
  /// The profile of each operator in the plan that runs. Filled under PROFILE.
  std::map<const Operator*, const OperatorProfile*> running;
  /// Ids found by each search that has an entry, for warnings.
  std::map<const SearchClause*, FoundHits> hits;
  /// A lower bound for each sort from which a scan needs it: the sort drops rows with a lower first key.
  std::map<const ProjectClause*, double> lowest_kept;
  /// Root directory for files, or nullptr if a statement cannot use files. Use files_of() to get
  /// it.
  const engine::FileRoot* files = nullptr;
  Database* database = nullptr;            ///< nullptr in a transaction and on a snapshot
  const ScrubReceipt* scrubbed = nullptr;  ///< receipt, if the statement is CALL db.scrub() alone
  engine::Core* core = nullptr;            ///< nullptr if only a view is known
  /// Calls that the program registered; may be nullptr.
  const RegisteredCalls* registered = nullptr;
  OperatorMaker make_operator = nullptr;              ///< nullptr if no plan runs
  BatchCommits* batches = nullptr;                    ///< nullptr if the statement cannot commit
  std::string_view text;                              ///< of the statement, if `batches` is set
  const OptimizerInputs* optimizer_inputs = nullptr;  ///< for plans that are made while it runs
  /// Threads that may take part in the statement; nullptr: none.
  engine::WorkerPool* workers = nullptr;
};

/// Returns the directory in which the statement may read and write files.
/// Errors: unsupported if StatementOptions::use_files is off.
[[nodiscard]] Result<const engine::FileRoot*> files_of(const ExecutionContext& context);

// Adds a warning to the statement unless it is there already.

inline void warn_once(ExecutionContext& context, std::string warning) {
  if (std::ranges::count(context.warnings, warning) == 0)
    context.warnings.push_back(std::move(warning));
}

}  // namespace cairn::query
