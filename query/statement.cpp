// A statement is parsed once and may run many times, from several threads. It is immutable except for two caches: its
// plans, and copies that are bound with the filters of certain runs.
//
// A reading statement streams rows from a snapshot. A statement in a transaction, or one that writes, produces all rows
// before the first is returned, within the memory limit.

#include "engine/database/access.hpp"
#include "engine/database/core.hpp"
#include "engine/database/handles.hpp"
#include "engine/write/writer.hpp"
#include "query/batched_run.hpp"
#include "query/bind/bound_query.hpp"
#include "query/bind/filter_expression.hpp"
#include "query/bind/parser.hpp"
#include "query/execute/call/name_spaces.hpp"
#include "query/execute/call/operators.hpp"
#include "query/execute/call/procedures.hpp"
#include "query/execute/failed_allocation.hpp"
#include "query/plan/plan_cache.hpp"
#include "query/plan/planner.hpp"
#include "query/rows_impl.hpp"
#include "query/run/running_statement.hpp"

#include <cairn/filter.hpp>
#include <cairn/scrub.hpp>
#include <cairn/statement.hpp>
#include <cairn/tokens.hpp>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace cairn::query {
namespace {

// Filters in parameters. A statement is bound again for each form of filter (its operators and fields); the operands
// become parameters. So runs with other operands share the bound statement and its plan.

constexpr std::size_t most_key_bytes = 4'096;

/// Appends the form of a filter to `key` and its operands to `parameters`. Returns false if the filter is invalid or a
/// parameter name is taken.
bool add_filter(const std::string& name, const Value& value, Parameters& parameters,
                std::string& key) {
  const auto filter = filter_from(value);
  if (!filter) return false;
  FilterForm form = form_of(*filter);
  key += form.key;
  for (std::size_t i = 0; i < form.operands.size(); ++i) {
    const std::string operand = operand_name(name, i);
    const auto [place, is_new] = parameters.try_emplace(operand, form.operands[i]);
    if (!is_new && !(place->second == form.operands[i])) return false;
  }
  return true;
}

/// The forms of all filters as one text. Runs with equal texts can share one bound statement. The operands are added to
/// `parameters` under operand_name().
/// Returns nullopt if a filter is invalid, a name is taken, or the text is too long to be cached. The statement is then
/// bound with the values themselves, which also reports what is wrong.
std::optional<std::string> take_filter_forms(std::span<const FilterParameter> filter_parameters,
                                             Parameters& parameters) {
  std::string key;
  for (const FilterParameter& parameter : filter_parameters) {
    const auto found = parameters.find(parameter.name);
    if (found == parameters.end()) return std::nullopt;
    key += '$';
    if (!parameter.is_whole)
      key += found->second.to_text();
    else if (!add_filter(parameter.name, found->second, parameters, key))
      return std::nullopt;
    if (key.size() > most_key_bytes) return std::nullopt;
  }
  return key;
}

// The role that a caller needs to run a statement: the highest role of its parts. Subqueries in expressions cannot change
// data, but they can call procedures; the binder collects these calls wherever they occur.

Role role_of_clauses(const std::vector<Clause>& clauses) noexcept;

Role role_of_parts(const Query& query) noexcept;

/// Setting an expiry deletes a record, at once if the time is in the past.
Role role_of_items(const std::vector<SetItem>& items) noexcept {
  const auto lets_go = [](const SetItem& item) {
    return item.kind == SetItem::Kind::expiry && item.value != nullptr;
  };
  return std::ranges::any_of(items, lets_go) ? Role::forget : Role::write;
}

/// Lists every clause without a default, so that a new clause must be classified.
struct RoleOfClause {
  Role operator()(const MatchClause&) const { return Role::read; }
  Role operator()(const UnwindClause&) const { return Role::read; }
  Role operator()(const ProjectClause&) const { return Role::read; }
  /// Its procedure is among the statement's calls.
  Role operator()(const CallClause&) const { return Role::read; }
  Role operator()(const CallSubqueryClause& clause) const {
    return role_of_parts(*clause.subquery->subquery);
  }
  Role operator()(const CreateClause&) const { return Role::write; }
  Role operator()(const SetClause& clause) const { return role_of_items(clause.items); }
  /// A record that the statement itself creates may have any expiry.
  Role operator()(const MergeClause& clause) const { return role_of_items(clause.on_match); }
  Role operator()(const DeleteClause&) const { return Role::forget; }
  Role operator()(const std::unique_ptr<ForeachClause>& clause) const {
    return role_of_clauses(clause->updates);
  }
};

Role role_of_clauses(const std::vector<Clause>& clauses) noexcept {
  Role role = Role::read;
  for (const Clause& clause : clauses) role = std::max(role, std::visit(RoleOfClause{}, clause));
  return role;
}

Role role_of_parts(const Query& query) noexcept {
  Role role = Role::read;
  for (const SingleQuery& part : query.parts) role = std::max(role, role_of_clauses(part.clauses));
  return role;
}

/// A procedure of the application may do anything.
Role role_of_call(const CalledProcedure& call) noexcept {
  return call.is_registered ? Role::admin : role_to_call(call.name);
}

/// Any thread may read a snapshot.
engine::WorkerPool* workers_of(engine::Core* core) noexcept {
  return core == nullptr ? nullptr : &core->workers();
}

/// The lowest role that may run a statement. Allocates no memory.
Role needed_role(const BoundStatement& statement) noexcept {
  if (statement.mode == StatementMode::explain) return Role::read;
  const auto* query = std::get_if<Query>(&statement.content);
  if (query == nullptr) return Role::admin;  // statements about indexes and namespaces
  Role role = role_of_parts(*query);
  for (const CalledProcedure& call : statement.calls) role = std::max(role, role_of_call(call));
  return role;
}

}  // namespace

}  // namespace cairn::query

namespace cairn {
namespace {

using ImplPtr = std::shared_ptr<const Statement::Impl>;

}  // namespace

// The parsed statement. EXPLAIN of a writing statement does not write.
class Statement::Impl {
 private:
  /// A cache of statements that are bound with filters, by the forms of these filters. Most recently used first. Threads:
  /// any.
  class FormCache {
   public:
    [[nodiscard]] ImplPtr find(std::string_view key) {
      const std::lock_guard lock(mutex_);
      const auto found = std::ranges::find(statements_, key, &Entry::first);
      if (found == statements_.end()) return nullptr;
      std::rotate(statements_.begin(), found, found + 1);
      return statements_.front().second;
    }

    void add(std::string key, ImplPtr statement) {
      const std::lock_guard lock(mutex_);
      if (statements_.size() == most) statements_.pop_back();
      statements_.insert(statements_.begin(), {std::move(key), std::move(statement)});
    }

   private:
    using Entry = std::pair<std::string, ImplPtr>;
    static constexpr std::size_t most = 16;

    std::mutex mutex_;  // guards statements_
    std::vector<Entry> statements_;
  };

 public:
  Impl(std::string statement_text, query::BoundStatement statement)
      : text(std::move(statement_text)), bound(std::move(statement)) {}

  [[nodiscard]] static Result<ImplPtr> parse(std::string_view text,
                                             query::RegisteredCallsPtr registered);
  /// The statement that runs: `statement` itself, or if filters are parameters, the statement bound with them. Adds the
  /// operands to `parameters`.
  [[nodiscard]] static Result<ImplPtr> bound_with(const ImplPtr& statement, Parameters& parameters);

  [[nodiscard]] bool is_writing() const {
    if (bound.mode == query::StatementMode::explain) return false;
    const auto* query = std::get_if<query::Query>(&bound.content);
    return query == nullptr || query::is_writing(*query);
  }

  [[nodiscard]] bool needs_database() const {
    if (bound.mode == query::StatementMode::explain) return false;
    const auto* query = std::get_if<query::Query>(&bound.content);
    return query != nullptr && query::needs_database(*query);
  }

  [[nodiscard]] bool scrubs() const {
    const auto* query = std::get_if<query::Query>(&bound.content);
    return bound.mode != query::StatementMode::explain && query != nullptr && query::scrubs(*query);
  }

  /// Runs a statement that acts on the database itself and therefore not in a transaction.
  [[nodiscard]] static Result<Rows> run_on(Database& database, const Snapshot& snapshot,
                                           const ScrubReceipt* scrubbed, const ImplPtr& statement,
                                           const Parameters& parameters,
                                           const StatementOptions& options);

  /// Runs the statement in the host, which parses its text again. Errors: those of engine::Forwarding::run().
  [[nodiscard]] Result<Rows> forward(engine::Forwarding& way, const Parameters& parameters,
                                     const StatementOptions& options) const {
    CAIRN_ASSIGN(auto rows,
                 way.run({text, is_writing(), parameters, options, false, calls_of_program()}));
    return Access::handle(std::move(rows));
  }

  std::string text;
  query::BoundStatement bound;
  mutable query::PlanCache plans;  // refer to `bound`
  mutable FormCache forms;

 private:
  /// True if the statement calls functions or procedures of the application. Without its functions the text cannot be
  /// parsed; a call of an unknown procedure can.
  [[nodiscard]] bool calls_of_program() const {
    return bound.registered != nullptr &&
           (std::ranges::any_of(bound.calls, &query::CalledProcedure::is_registered) ||
            !query::parse_statement(text));
  }

  /// The same statement with the filters of `parameters` bound into it.
  [[nodiscard]] Result<ImplPtr> bind_again(const Parameters& parameters,
                                           query::FilterOperands operands) const {
    CAIRN_ASSIGN(query::BoundStatement again,
                 query::parse_statement(text, {}, &parameters, bound.registered, operands));
    return std::make_shared<const Impl>(text, std::move(again));
  }
};

// A run shares one bound statement among filters of the same form, with their operands as parameters. Filters are bound as
// literals in two cases: for EXPLAIN and PROFILE, which show the values, and if sharing fails, for example because a filter
// is invalid: binding it then reports what is wrong.
Result<ImplPtr> Statement::Impl::bound_with(const ImplPtr& statement, Parameters& parameters) {
  constexpr auto literals = query::FilterOperands::literals;
  const query::BoundStatement& bound = statement->bound;
  if (bound.filter_parameters.empty()) return statement;
  if (bound.mode != query::StatementMode::run) return statement->bind_again(parameters, literals);
  Parameters with_operands = parameters;
  auto key = query::take_filter_forms(bound.filter_parameters, with_operands);
  if (!key) return statement->bind_again(parameters, literals);
  ImplPtr found = statement->forms.find(*key);
  if (!found) {
    auto again = statement->bind_again(parameters, query::FilterOperands::parameters);
    if (!again) return statement->bind_again(parameters, literals);
    found = *std::move(again);
    statement->forms.add(*std::move(key), found);
  }
  parameters = std::move(with_operands);
  return found;
}

namespace {

using RunPtr = std::unique_ptr<query::RunningStatement>;

Error needs_writer() {
  return {ErrorCode::invalid_argument,
          "a statement that writes needs a writing transaction or the database itself; this "
          "snapshot or transaction is for reading",
          std::nullopt};
}

}  // namespace

Statement::Statement(Statement&&) noexcept = default;
Statement& Statement::operator=(Statement&&) noexcept = default;
Statement::~Statement() = default;
Statement::Statement(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}

// Parameters are unknown at this time. Whatever depends on them is checked when the statement runs.
Result<ImplPtr> Statement::Impl::parse(std::string_view text,
                                       query::RegisteredCallsPtr registered) {
  return query::within_memory([&]() -> Result<ImplPtr> {
    CAIRN_ASSIGN(query::BoundStatement bound,
                 query::parse_statement(text, {}, nullptr, std::move(registered),
                                        query::FilterOperands::literals, &query::is_procedure));
    return std::make_shared<const Impl>(std::string(text), std::move(bound));
  });
}

Result<Statement> Statement::parse(std::string_view text) {
  CAIRN_ASSIGN(auto impl, Impl::parse(text, nullptr));
  return Statement(std::move(impl));
}

Result<Statement> Statement::parse(std::string_view text, const Database& database) {
  CAIRN_ASSIGN(auto impl, Impl::parse(text, query::registered_calls(database)));
  return Statement(std::move(impl));
}

bool Statement::is_writing() const noexcept { return impl_->is_writing(); }
Role Statement::needed_role() const noexcept { return query::needed_role(impl_->bound); }

// Rows are produced while they are read. They share ownership of the view and the statement.
Result<Rows> Statement::run(const Snapshot& snapshot, const Parameters& parameters,
                            const StatementOptions& options) const {
  if (is_writing()) return needs_writer();
  if (auto* const way = Access::forwarding(snapshot))
    return impl_->forward(*way, parameters, options);
  return query::within_memory([&]() -> Result<Rows> {
    auto view = Access::view(snapshot);
    Parameters own = parameters;
    CAIRN_ASSIGN(const auto impl, Impl::bound_with(impl_, own));
    CAIRN_ASSIGN(RunPtr run, query::RunningStatement::start(
                                 impl->bound, impl->text,
                                 {view.get(), nullptr, Access::observer(snapshot),
                                  &Access::files(snapshot), nullptr, Access::core(snapshot),
                                  nullptr, query::workers_of(Access::core(snapshot))},
                                 std::move(own), options, &impl->plans));
    return Rows(std::make_unique<query::StreamedRows>(impl, std::move(view), std::move(run)));
  });
}

// In a transaction all rows are produced at once, because later changes must not affect earlier rows.
Result<Rows> Statement::run(Transaction& transaction, const Parameters& parameters,
                            const StatementOptions& options) const {
  if (query::drops_name_space(impl_->bound)) return query::needs_own_transactions();
  if (query::commits_in_batches(impl_->bound)) return query::needs_auto_commit();
  if (impl_->scrubs()) return query::scrubs_alone();
  if (auto* const way = Access::forwarding(transaction))
    return impl_->forward(*way, parameters, options);
  CAIRN_ASSIGN(const auto inside, Access::enter_statement(transaction));
  engine::Writer* writer = is_writing() ? Access::writer(transaction) : nullptr;
  if (is_writing() && writer == nullptr) return needs_writer();
  const query::Graph graph{&Access::view(transaction),  writer,  Access::observer(transaction),
                           &Access::files(transaction), nullptr, Access::core(transaction)};
  Parameters own = parameters;
  CAIRN_ASSIGN(const auto impl, Impl::bound_with(impl_, own));
  // Running allocates much, so memory exhaustion becomes an error here.
  const auto run_all = [&]() -> Result<std::unique_ptr<query::MadeRows>> {
    CAIRN_ASSIGN(RunPtr run, query::RunningStatement::start(impl->bound, impl->text, graph,
                                                            std::move(own), options, &impl->plans));
    auto all = query::drain(*run);
    if (!all) run->note_failure(all.error().code);
    return all;
  };
  auto rows = query::within_memory(run_all);
  // The statement had set the namespace and time of the writer. Direct changes by the transaction use the defaults again.
  if (rows && writer != nullptr) {
    CAIRN_TRY(writer->use_place({}));
    writer->use_time(std::nullopt);
  }
  if (rows) return Rows(std::move(rows).value());
  // Some changes may have been made, so the transaction must not commit.
  if (writer != nullptr) writer->fail(rows.error());
  return std::move(rows).error();
}

Result<Rows> Statement::Impl::run_on(Database& database, const Snapshot& snapshot,
                                     const ScrubReceipt* scrubbed, const ImplPtr& statement,
                                     const Parameters& parameters,
                                     const StatementOptions& options) {
  Parameters own = parameters;
  CAIRN_ASSIGN(const auto impl, bound_with(statement, own));
  const auto view = Access::view(snapshot);
  const query::Graph graph{view.get(),
                           nullptr,
                           Access::observer(snapshot),
                           &Access::files(snapshot),
                           &database,
                           Access::core(snapshot),
                           scrubbed};
  auto rows = query::within_memory([&]() -> Result<std::unique_ptr<query::MadeRows>> {
    CAIRN_ASSIGN(RunPtr run, query::RunningStatement::start(impl->bound, impl->text, graph,
                                                            std::move(own), options, nullptr));
    return query::drain(*run);
  });
  if (!rows) return std::move(rows).error();
  return Rows(std::move(rows).value());
}

// A writer takes the lock before it reads, so that the data cannot change before it writes. Actions on the database
// itself are done before the first row, as for writing statements.
Result<Rows> Statement::run(Database& database, const Parameters& parameters,
                            const StatementOptions& options) const {
  if (auto* const way = Access::forwarding(database))
    return impl_->forward(*way, parameters, options);
  if (!is_writing()) {
    CAIRN_ASSIGN(const Snapshot snapshot, database.snapshot());
    if (!impl_->needs_database()) return run(snapshot, parameters, options);
    return Impl::run_on(database, snapshot, nullptr, impl_, parameters, options);
  }
  if (impl_->scrubs()) {
    CAIRN_TRY(query::check_database(impl_->bound, options));
    CAIRN_TRY(query::check_procedures(impl_->bound));
    ScrubOptions asked;
    asked.by = options.caller;
    const auto receipt = database.scrub(asked, options.cancel);
    if (!receipt) return query::scrub_error(receipt.error(), options);
    CAIRN_ASSIGN(const Snapshot snapshot, database.snapshot());
    return Impl::run_on(database, snapshot, &*receipt, impl_, parameters, options);
  }
  if (query::commits_in_batches(impl_->bound)) {
    Parameters own = parameters;
    CAIRN_ASSIGN(const auto impl, Impl::bound_with(impl_, own));
    query::BatchCommits commits;
    CAIRN_ASSIGN(auto rows,
                 query::run_in_batches(impl->bound, impl->text, database, own, options, commits));
    return Rows(std::move(rows));
  }
  if (query::drops_name_space(impl_->bound)) {
    CAIRN_ASSIGN(const Changes changes, query::drop_name_space(impl_->bound, database, options));
    return Rows(std::make_unique<query::MadeRows>(changes));
  }
  CAIRN_ASSIGN(Transaction transaction, Access::begin_writing(database, options.cancel));
  // The wait for the lock does not count. A caller of memory.add() chooses no time limit for the index that the
  // first call makes.
  const auto begun =
      needed_role() == Role::admin ? std::optional(std::chrono::steady_clock::now()) : std::nullopt;
  CAIRN_ASSIGN(Rows rows, run(transaction, parameters, options));
  // After the run, in which statements of procedures may have named themselves.
  if (engine::Writer* const writer = Access::writer(transaction))
    writer->commit_for(impl_->text, options, begun);
  CAIRN_TRY(transaction.commit());
  return rows;
}

// Parses and runs a statement once.
Result<Rows> execute(Database& database, std::string_view text, const Parameters& parameters,
                     const StatementOptions& options) {
  CAIRN_ASSIGN(const Statement statement, Statement::parse(text, database));
  return statement.run(database, parameters, options);
}

}  // namespace cairn
