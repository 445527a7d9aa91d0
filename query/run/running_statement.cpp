// Runs a bound statement: plan, check, optimize, make operators, and then compute rows batch by
// batch on demand. Planning counts toward the time limit of the statement. A plan is cached for
// later runs if graph and parameters affect its structure only through estimates that the next run
// can check again (see plan_cache.hpp).
#include "query/run/running_statement.hpp"

#include "codec/value_extent.hpp"
#include "engine/database/core.hpp"
#include "engine/system/clock.hpp"
#include "engine/telemetry/statement_observer.hpp"
#include "engine/write/writer.hpp"
#include "query/execute/budget.hpp"
#include "query/execute/call/name_spaces.hpp"
#include "query/execute/call/operators.hpp"
#include "query/execute/call/procedures.hpp"
#include "query/execute/failed_allocation.hpp"
#include "query/execute/pipeline/batch_commits.hpp"
#include "query/execute/pipeline/physical_operator.hpp"
#include "query/execute/read/operators.hpp"
#include "query/execute/rows/operators.hpp"
#include "query/execute/write/operators.hpp"
#include "query/functions/value_forms.hpp"
#include "query/plan/expression_traits.hpp"
#include "query/plan/logical_plan.hpp"
#include "query/plan/name_warnings.hpp"
#include "query/plan/plan_text.hpp"
#include "query/plan/planner.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace cairn::query {
namespace {

// Makes the operator that executes `one`. The result points into `one`, which must not move during
// the run.
OperatorPtr make_physical_operator(const Operator& one, Parts parts) {
  return std::visit([&](const auto& content) { return make_operator(content, std::move(parts)); },
                    one.content);
}

// Returns the call if the statement is a standalone CALL, whose columns are those of the statement.
// Otherwise nullptr.
const CallClause* lone_call(const Query& query) {
  if (query.parts.size() != 1 || query.parts[0].clauses.size() != 1) return nullptr;
  return std::get_if<CallClause>(&query.parts[0].clauses[0]);
}

}  // namespace

// The members are constructed in this order because they refer to each other. For the same reason
// the object never moves.
RunningStatement::RunningStatement(const BoundStatement& statement, std::string_view text,
                                   const Graph& graph, Parameters parameters,
                                   const StatementOptions& options, PlanCache* cache)
    : statement_(statement),
      text_(text),
      parameters_(std::move(parameters)),
      options_(options),
      place_(graph.core != nullptr ? &graph.core->running_statements() : nullptr, text_, options_),
      context_(*graph.view, graph.writer, parameters_, options_,
               options.now ? *options.now : engine::system_time()),
      statistics_(
          *graph.view, context_.graph.visibility(),
          [this](const Expression& expression) { return constant(expression); },
          options_.listed_name_spaces.has_value()),
      optimizer_inputs_{statistics_, options_.disabled_rules},
      subqueries_(context_, optimizer_inputs_),
      loader_(context_.graph, context_.budget),
      cache_(statement.mode == StatementMode::run && options.disabled_rules.empty() ? cache
                                                                                    : nullptr),
      observer_(graph.observer) {
  context_.evaluator.set_subqueries(&subqueries_);
  context_.profile = statement.mode == StatementMode::profile;
  context_.files = graph.files;
  context_.database = graph.database;
  context_.core = graph.core;
  context_.scrubbed = graph.scrubbed;
  context_.registered = statement.registered.get();
  context_.make_operator = make_physical_operator;
  context_.workers = graph.workers;
  context_.batches = graph.batches;
  context_.text = text_;
  context_.optimizer_inputs = &optimizer_inputs_;
}

// The operators point into the plan, so they are destroyed first. If rows were not read to the end,
// the statement ends here.
RunningStatement::~RunningStatement() {
  report_end();
  running_.reset();
  if (is_cacheable_) cache_->give_back(std::move(plan_));
}

// Sets namespace and time of the writer for this run. The caller restores the namespace.
Result<std::unique_ptr<RunningStatement>> RunningStatement::start(
    const BoundStatement& statement, std::string_view text, const Graph& graph,
    Parameters parameters, const StatementOptions& options, PlanCache* cache) {
  std::unique_ptr<RunningStatement> run(
      new RunningStatement(statement, text, graph, std::move(parameters), options, cache));
  if (graph.writer != nullptr) {
    CAIRN_TRY(graph.writer->use_place({options.name_space, options.also_read, options.author}));
    graph.writer->use_time(run->context_.now);
  }
  Status prepared = check_database(statement, options);
  if (prepared) prepared = run->check_parameters();
  if (prepared) prepared = run->prepare();
  run->budget().pause();
  if (!prepared) return run->failed(prepared.error());
  run->failure_.reset();
  return run;
}

void RunningStatement::report_end() noexcept {
  place_.leave();
  engine::StatementObserver* const observer = std::exchange(observer_, nullptr);
  if (observer == nullptr) return;
  const Budget& used = context_.budget;
  observer->note({text_, used.elapsed(), used.rows(), failure_});
}

Error RunningStatement::failed(Error error) noexcept {
  failure_ = error.code;
  report_end();
  return error;
}

// Checks parameters. Values from a caller may be nested more deeply than a statement allows, and
// their entities may be outdated. So entities are replaced by bare ids, and loaded again if a row
// returns them.
Status RunningStatement::check_parameters() {
  for (auto& [name, value] : parameters_) {
    const codec::Extent extent = codec::extent_of(value);
    if (extent.levels > codec::most_levels)
      return Error{ErrorCode::resource_limit,
                   "parameter $" + name + " has more than " + std::to_string(codec::most_levels) +
                       " nested levels of lists and maps",
                   std::nullopt};
    if (!extent.has_entities) continue;
    CAIRN_TRY(budget().check_extent(extent.bytes));
    value = bare(value);
  }
  return {};
}

// Evaluates an expression without variables for the planner. Functions registered by the program
// are not called before the statement runs.
std::optional<Value> RunningStatement::constant(const Expression& expression) {
  bool is_of_program = false;
  walk(expression, [&](const Expression& part) {
    is_of_program = is_of_program || (part.function != nullptr && part.function->registered);
  });
  if (is_of_program) return std::nullopt;
  std::vector<Value> none(needed_width(expression));
  auto value = context_.evaluator.evaluate(expression, none);
  return value ? std::optional(std::move(value).value()) : std::nullopt;
}

Status RunningStatement::prepare() {
  return std::visit([&](const auto& content) { return prepare(content); }, statement_.content);
}

// Makes the plan or takes a cached one. Estimates are renewed for each run, because parameters and
// graph may have changed. A cached plan is discarded if the order of its steps no longer fits the
// estimates.
Status RunningStatement::find_plan(const Query& query) {
  auto cached = cache_ != nullptr ? cache_->take() : std::nullopt;
  // A writing statement adds names, so names are checked before the run.
  if (context_.writer != nullptr) check_names(query);
  CAIRN_TRY(check_filter_values(
      query, [this](const Expression& expression) { return constant(expression); }));
  if (cached) {
    CAIRN_ASSIGN(is_cacheable_, estimate_again(*cached, statistics_));
    if (is_cacheable_) {
      plan_ = *std::move(cached);
      return {};
    }
  }
  CAIRN_ASSIGN(plan_, query::plan(query));
  optimizer_inputs_.is_writing = plan_.is_writing;
  CAIRN_TRY(optimize(plan_, optimizer_inputs_));
  is_cacheable_ = cache_ != nullptr && may_be_cached(plan_);
  return {};
}

// The number of threads depends on options and estimates of the run, so it is chosen again for a
// cached plan too.
Status RunningStatement::make_plan(const Query& query) {
  CAIRN_TRY(find_plan(query));
  choose_threads(plan_, context_.workers == nullptr ? 1 : options_.threads,
                 options_.disabled_rules);
  return {};
}

// Column names of a CALL are determined at each run, because the catalog may have changed since the
// last run. EXPLAIN ends before operators are made, so it neither reads records nor writes.
Status RunningStatement::prepare(const Query& query) {
  CAIRN_TRY(check_procedures(statement_));
  CAIRN_TRY(make_plan(query));
  // The planner ignores errors of constants. If a constant used up the time limit, the statement
  // must end here.
  CAIRN_TRY(budget().check());
  columns_ = plan_.columns;
  if (statement_.mode == StatementMode::explain) {
    return show_plan();
  }
  if (const CallClause* call = lone_call(query)) CAIRN_TRY(name_columns(*call));
  running_ = std::make_unique<RunningPlan>(context_, plan_);
  running_->start({});
  return {};
}

// Names are checked only if a program asks for warnings. The view of a reading statement does not
// change before this call.
const std::vector<std::string>& RunningStatement::warnings() {
  if (const auto* query = std::get_if<Query>(&statement_.content)) check_names(*query);
  return context_.warnings;
}

// Suggested names may come from any namespace, so only callers who may use all namespaces get these
// warnings.
void RunningStatement::check_names(const Query& query) {
  if (std::exchange(are_names_checked_, true) || !may_tell_names(options_)) return;
  const auto names = unknown_names(query, context_.graph.catalog());
  context_.warnings.insert(context_.warnings.begin(), names.begin(), names.end());
}

// A standalone CALL needs neither YIELD nor RETURN. Without YIELD it returns all columns of the
// procedure.
Status RunningStatement::name_columns(const CallClause& call) {
  CAIRN_ASSIGN(const Procedure procedure, procedure_of(call));
  if (!call.yields.empty()) {
    for (const CallClause::Yield& yield : call.yields) columns_.push_back(yield.name);
    return {};
  }
  columns_.assign(procedure.columns.begin(), procedure.columns.end());
  Operator& first = plan_.branches.front().operators.front();
  first.width = std::max(first.width, static_cast<std::uint32_t>(columns_.size()));
  std::get<CallProcedure>(first.content).gives_all = true;
  return {};
}

// Returns the plan as rows, one line per row in a single column, so that every client can show it.
Status RunningStatement::show_plan() {
  columns_ = {"plan"};
  rows_.reset(1);
  const std::string text = plan();
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    CAIRN_ASSIGN(const Row row, rows_.append());
    row[0] = text.substr(begin, end - begin);
    begin = end + 1;
  }
  return {};
}

// Schema commands have neither plan nor rows. They are executed immediately.
Status RunningStatement::prepare(const SchemaCommand& command) {
  if (statement_.mode == StatementMode::explain) {
    return show_plan();
  }
  CAIRN_TRY(run(command, context_));
  rows_.reset(0);
  return {};
}

// The figures of PROFILE are complete only after all rows were read, because operators measure
// while they run.
std::string RunningStatement::plan() const {
  if (std::holds_alternative<SchemaCommand>(statement_.content))
    return statement_.mode == StatementMode::run ? "" : "SchemaCommand\n";
  if (statement_.mode == StatementMode::run) return "";
  const auto estimates = options_.listed_name_spaces ? Estimates::hidden : Estimates::shown;
  if (statement_.mode == StatementMode::explain) return explain(plan_, text_, estimates);
  return explain(plan_, text_, estimates, [this](const Operator& one) -> const OperatorProfile* {
    const auto found = context_.running.find(&one);
    return found == context_.running.end() ? nullptr : found->second;
  });
}

// Reads the next batch. Returns false at the end, and for results without operators (EXPLAIN and
// schema commands).
Result<bool> RunningStatement::fill() {
  row_ = 0;
  rows_.reset(0);
  if (!running_) return false;
  return running_->next(rows_);
}

// True if a row is available. A statement without RETURN does all its work here and returns no
// rows.
Result<bool> RunningStatement::has_row() {
  while (row_ == rows_.size() || columns_.empty()) {
    CAIRN_ASSIGN(const bool more, fill());
    if (!more) return false;
  }
  return true;
}

// The row is valid until the next call.
Result<std::span<Value>> RunningStatement::take_row() {
  CAIRN_TRY(budget().count_row());
  return rows_[row_++].first(columns_.size());
}

// Loads the entities of one row in place and clears the row when the next one is read. A batch of
// loaded rows would need a thousand times the memory of one row.
Result<std::optional<std::span<Value>>> RunningStatement::next_row() {
  using Next = std::optional<std::span<Value>>;
  CAIRN_ASSIGN(const bool is_there, has_row());
  if (!is_there) {
    CAIRN_TRY(finish());
    return Next();
  }
  if (row_ > 0) std::ranges::fill(rows_[row_ - 1], Value());
  CAIRN_ASSIGN(const std::span<Value> row, take_row());
  CAIRN_TRY(loader_.load(row));
  return Next(row);
}

// A LIMIT may request fewer rows than there are, but all batches of the statement are committed.
Status RunningStatement::finish() {
  if (context_.batches != nullptr && context_.batches->run_rest)
    CAIRN_TRY(context_.batches->run_rest());
  return check_constraints();
}

// A violation of a constraint is an error of the statement that caused it. Constraints are checked
// after all work of the statement.
Status RunningStatement::check_constraints() {
  if (context_.writer == nullptr || statement_.mode == StatementMode::explain) return {};
  constexpr std::uint64_t steps_a_record = 8;
  return context_.writer->check_constraints([this] { return budget().step(steps_a_record); });
}

// True if the next row needs no loading. Returning such a row takes less time than two reads of the
// clock, so next() does not stop the clock for it.
bool RunningStatement::is_next_ready() {
  return row_ < rows_.size() && !columns_.empty() &&
         !RowLoader::needs_loading(rows_[row_].first(columns_.size()));
}

// Stops the clock of the time limit between calls, because the caller's work on a row does not
// count. After an error no more rows are returned, because the state of the operators may be
// inconsistent.
Result<std::optional<std::span<Value>>> RunningStatement::next() {
  if (failure_)
    return Error{*failure_, "the statement ended with an error before this row", std::nullopt};
  if (is_next_ready()) {
    const auto row = take_row();
    if (!row) return failed(row.error());
    return std::optional(*row);
  }
  budget().resume();
  auto result = within_memory([this] { return next_row(); });
  budget().pause();
  if (!result) return failed(std::move(result).error());
  if (!*result) report_end();
  return result;
}

}  // namespace cairn::query
