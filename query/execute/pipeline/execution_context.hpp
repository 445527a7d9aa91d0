#pragma once
// ExecutionContext: the state that the operators of one running statement share. No part depends
// on the owners of the others.

#include "query/execute/budget.hpp"
#include "query/execute/expression/evaluator.hpp"
#include "query/execute/graph_reader.hpp"
#include "query/execute/holding.hpp"

#include <cairn/options.hpp>
#include <cairn/statement.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace cairn::engine {
class Core;
class FileRoot;
class Writer;
}  // namespace cairn::engine

namespace cairn::query {

struct Operator;
struct Parts;
struct ProjectClause;
class PhysicalOperator;
class RegisteredCalls;
struct SearchClause;

/// Makes what runs an operator of a plan.
using OperatorMaker = std::unique_ptr<PhysicalOperator> (*)(const Operator& one, Parts parts);

struct ExecutionContext {
  /// `writer` is null for a reading statement. All must outlive the context.
  ExecutionContext(const engine::View& view, engine::Writer* statement_writer,
                   const Parameters& statement_parameters,
                   const StatementOptions& statement_options, std::int64_t clock);
  ExecutionContext(const ExecutionContext&) = delete;
  ExecutionContext& operator=(const ExecutionContext&) = delete;

  /// Charge what the writer holds more than when the statement began.
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
  Holding changes_held;            ///< and of those that it has made
  std::vector<std::string> warnings;
  bool profile = false;
  /// What runs each operator of the plan, while profiling.
  std::map<const Operator*, const PhysicalOperator*> running;
  std::map<const SearchClause*, std::set<std::uint64_t>> hits;  ///< of each search, for warnings
  /// By sorts that a scan asked: a row whose first key is lower than this will be dropped.
  std::map<const ProjectClause*, double> lowest_kept;
  /// Where files are; null where a statement cannot have any. Ask files_of().
  const engine::FileRoot* files = nullptr;
  Database* database = nullptr;                 ///< null in a transaction and on a snapshot
  const ScrubReceipt* scrubbed = nullptr;       ///< of a statement that is CALL db.scrub() alone
  engine::Core* core = nullptr;                 ///< null where nothing but a view is known
  const RegisteredCalls* registered = nullptr;  ///< those of the program; null for none
  OperatorMaker make_operator = nullptr;        ///< null where no plan runs
};

/// Where the statement may read and write files. Errors: unsupported, where StatementOptions::use_files is off.
[[nodiscard]] Result<const engine::FileRoot*> files_of(const ExecutionContext& context);

// Warnings of a statement, each once, however many rows give it.

inline void warn_once(ExecutionContext& context, std::string warning) {
  if (std::ranges::count(context.warnings, warning) == 0)
    context.warnings.push_back(std::move(warning));
}

}  // namespace cairn::query
