// Every call has two forms, in this process and in the host, because this process may become the host between two calls.
//
// A writing statement carries a note (client name and commit number). If the host ends before it answers, the note shows
// the next host whether the commit was made, so that the statement is never executed twice.
#include "query/attach/attached_database.hpp"

#include "engine/database/access.hpp"
#include "engine/database/call_values.hpp"
#include "engine/database/repeated_call.hpp"
#include "engine/database/transaction_writer.hpp"
#include "query/attach/attached_handles.hpp"
#include "query/attach/attached_rows.hpp"
#include "query/attach/outcome.hpp"
#include "query/attach/procedures.hpp"
#include "query/bolt/stored_outcome.hpp"
#include "query/memory_calls/install.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace cairn::query::attach {

using engine::CallReader;
using engine::number_value;

namespace {

/// True if no process listens: the host ended since the last call.
bool is_gone(const Error& error) { return error.code == ErrorCode::not_found; }

/// The number of hosts that may end during one call. Then the call fails, because it may itself be the reason (for
/// instance by exhausting memory).
constexpr int most_hosts = 8;

/// The calls of a database that only read. Of a handle that is open read-only all others are refused.
constexpr std::array<std::string_view, 9> reading_calls{
    "check",   "embed",          "embedder", "find_token", "list_tokens",
    "metrics", "noted_embedder", "role",     "statistics"};

WorkKind kind_of(TransactionMode mode) {
  if (mode == TransactionMode::read) return WorkKind::reading;
  return mode == TransactionMode::write ? WorkKind::writing : WorkKind::writing_if_free;
}

}  // namespace

// With HostPreference::high a thread waits for the end of the host and takes its place at once. A process that only reads
// takes no place.
AttachedDatabase::AttachedDatabase(std::shared_ptr<HostLink> link, const Options& options)
    : link_(std::move(link)), options_(options) {
  const bool takes_over = options.share == Share::automatic && options.mode == OpenMode::read_write;
  if (!takes_over || options.host_preference != HostPreference::high) return;
  const auto change = [this]() -> Result<bool> {
    CAIRN_TRY(change_host());
    return local() == nullptr;
  };
  watch_ = std::make_unique<HostWatch>(HostCalls{[this] { return link_->connect(); }, change});
}

std::shared_ptr<Database> AttachedDatabase::local() const {
  const std::lock_guard lock(local_mutex_);
  return local_;
}

std::shared_ptr<engine::Core> AttachedDatabase::core() const {
  const auto database = local();
  return database ? Access::core(*database) : nullptr;
}

engine::Forwarding* AttachedDatabase::forwarding() noexcept { return local() ? nullptr : this; }

// Only one thread changes the host; the others wait and then find the work done.
Status AttachedDatabase::change_host() {
  const std::lock_guard one_at_a_time(change_mutex_);
  CAIRN_TRY(link_->check_process());
  if (local()) return {};
  CAIRN_ASSIGN(Opened opened, open_or_attach(link_->directory(), options_, link_));
  if (!opened.local) return {};
  {
    const std::lock_guard lock(local_mutex_);
    local_ = std::make_shared<Database>(*std::move(opened.local));
    install_memory_calls(*local_, embedder_, embedder_spec_);
  }
  link_->close();
  return {};
}

bool AttachedDatabase::keep_embedder(std::shared_ptr<const Embedder> embedder, std::string spec) {
  const std::lock_guard lock(local_mutex_);
  embedder_ = std::move(embedder);
  embedder_spec_ = std::move(spec);
  if (local_) install_memory_calls(*local_, embedder_, embedder_spec_);
  return true;
}

// A busy error is returned even though the connection is lost: the host is stopped and may still execute the call.
template <class T>
Result<T> AttachedDatabase::ask(const std::function<Result<T>(Database&)>& here,
                                const std::function<Result<T>(Work&)>& there,
                                std::optional<bolt::Doubt>* doubt) {
  const auto failed = [&](Error error, bolt::Doubt why, bool is_in_doubt) -> Result<T> {
    if (doubt != nullptr && is_in_doubt) *doubt = why;
    return error;
  };
  int hosts = 0;
  while (hosts < most_hosts) {
    if (const auto database = local()) return here(*database);
    auto lease = link_->lease();
    if (lease) {
      ++hosts;
      Work work(*std::move(lease));
      auto result = there(work);
      if (result || !work.is_lost()) return result;
      if (result.error().code == ErrorCode::busy)
        return failed(std::move(result).error(), bolt::Doubt::stopped_host, true);
    } else if (!is_gone(lease.error())) {
      return failed(std::move(lease).error(), bolt::Doubt::unknown_outcome, hosts > 0);
    }
    if (Status changed = change_host(); !changed)
      return failed(std::move(changed).error(), bolt::Doubt::unknown_outcome, hosts > 0);
  }
  return failed(link_->given_up(most_hosts), bolt::Doubt::unknown_outcome, true);
}

// The loop ends when the host has begun the work, or when this process has become the host.
Result<std::shared_ptr<Work>> AttachedDatabase::begin_work(WorkKind kind, const CommitNote* note) {
  for (int hosts = 0; !local();) {
    if (hosts == most_hosts) return link_->given_up(most_hosts);
    auto lease = link_->lease();
    if (lease) {
      ++hosts;
      auto work = std::make_shared<Work>(*std::move(lease));
      const Status begun = work->begin(kind, note);
      if (begun) return work;
      if (!work->is_lost() || begun.error().code == ErrorCode::busy) return begun.error();
    } else if (!is_gone(lease.error())) {
      return lease.error();
    }
    CAIRN_TRY(change_host());
  }
  return std::shared_ptr<Work>();
}

Result<Snapshot> AttachedDatabase::snapshot() {
  CAIRN_ASSIGN(auto work, begin_work(WorkKind::snapshot, nullptr));
  if (!work) return local()->snapshot();
  return Access::handle(std::make_shared<const AttachedSnapshot>(std::move(work)));
}

Status AttachedDatabase::check_mode() const {
  if (options_.mode == OpenMode::read_only) return engine::is_read_only();
  return {};
}

// An entry whose transaction has ended is erased here, at the next begin of the same thread.
Status AttachedDatabase::check_thread() {
  const std::lock_guard lock(writers_mutex_);
  const auto place = writers_.find(std::this_thread::get_id());
  if (place == writers_.end()) return {};
  const auto work = place->second.lock();
  if (work && work->is_open() && !work->is_lost())
    return Error{ErrorCode::busy,
                 "this thread has a writing transaction open already; commit it or roll it back "
                 "before the next one begins, or write through it",
                 {}};
  writers_.erase(place);
  return {};
}

// Registers the transaction under its thread, so that a second one in this thread is refused.
Result<Transaction> AttachedDatabase::begin(TransactionMode mode, const std::stop_token& cancel) {
  std::unique_ptr<NoteInUse> note;
  if (mode != TransactionMode::read) {
    CAIRN_TRY(check_mode());
    CAIRN_TRY(check_thread());
    note = std::make_unique<NoteInUse>(names_);
  }
  CAIRN_ASSIGN(auto work, begin_work(kind_of(mode), note ? &**note : nullptr));
  if (!work) {
    const auto database = local();
    return Access::begin_writing(*database, cancel, mode);
  }
  if (note) {
    const std::lock_guard lock(writers_mutex_);
    writers_[std::this_thread::get_id()] = work;
  }
  return Access::handle(std::make_unique<AttachedTransaction>(std::move(work), mode,
                                                              shared_from_this(), std::move(note)));
}

// The calls below are made here or in the host, see ask().
Status AttachedDatabase::checkpoint() {
  if (!check_mode()) return {};  // as a local one, which has nothing to save
  CAIRN_TRY(call("checkpoint", {}, {}));
  return {};
}

Result<std::vector<Finding>> AttachedDatabase::check(std::size_t limit) {
  using Findings = std::vector<Finding>;
  return ask<Findings>([&](Database& database) { return database.check(limit); },
                       [&](Work& work) -> Result<Findings> {
                         CAIRN_ASSIGN(const Value found,
                                      work.call("check", {{"limit", number_value(limit)}}, {}));
                         return engine::read_items<Finding>(found, engine::read_finding);
                       });
}

Result<DatabaseStatistics> AttachedDatabase::statistics() {
  return ask<DatabaseStatistics>([](Database& database) { return database.statistics(); },
                                 [](Work& work) {
                                   return engine::read_result<DatabaseStatistics>(
                                       work.call("statistics", {}, {}), engine::read_statistics);
                                 });
}

// Repeating the call is safe: the next run erases what the lost run did not. The result counts the last run only.
Result<std::size_t> AttachedDatabase::erase_expired(std::size_t limit) {
  CAIRN_TRY(check_mode());
  return ask<std::size_t>([&](Database& database) { return database.erase_expired(limit); },
                          [&](Work& work) -> Result<std::size_t> {
                            CAIRN_ASSIGN(
                                const Value erased,
                                work.call("erase_expired", {{"limit", number_value(limit)}}, {}));
                            const auto* count = erased.get_if<std::int64_t>();
                            return count == nullptr ? 0 : static_cast<std::size_t>(*count);
                          });
}

// A relative path means the working directory of this process, not of the host.
Result<BackupReport> AttachedDatabase::backup(const std::filesystem::path& directory,
                                              const std::stop_token& cancel) {
  CAIRN_TRY(check_mode());
  std::error_code error;
  const std::filesystem::path whole = std::filesystem::absolute(directory, error);
  StatementOptions stoppable;
  stoppable.cancel = cancel;
  return ask<BackupReport>([&](Database& database) { return database.backup(whole, cancel); },
                           [&](Work& work) {
                             return engine::read_result<BackupReport>(
                                 work.call("backup", {{"directory", whole.string()}}, stoppable),
                                 engine::read_backup);
                           });
}

// Repeating a scrub is safe if the host ended: the second scrub completes the first.
Result<ScrubReceipt> AttachedDatabase::scrub(const ScrubOptions& options,
                                             const std::stop_token& cancel) {
  CAIRN_TRY(check_mode());
  StatementOptions stoppable;
  stoppable.cancel = cancel;
  const Map asked{{"by", options.by}, {"wait_milliseconds", options.wait_for_readers.count()}};
  return ask<ScrubReceipt>([&](Database& database) { return database.scrub(options, cancel); },
                           [&](Work& work) {
                             return engine::read_result<ScrubReceipt>(
                                 work.call("scrub", asked, stoppable), engine::read_scrub);
                           });
}

Result<DatabaseRole> AttachedDatabase::role() {
  return ask<DatabaseRole>([](Database& database) { return database.role(); },
                           [](Work& work) {
                             return engine::read_result<DatabaseRole>(work.call("role", {}, {}),
                                                                      engine::read_role);
                           });
}

Metrics AttachedDatabase::metrics() {
  auto metrics = ask<Metrics>(
      [](Database& database) { return Result<Metrics>(database.metrics()); },
      [](Work& work) {
        return engine::read_result<Metrics>(work.call("metrics", {}, {}), engine::read_metrics);
      });
  return std::move(metrics).value_or({});
}

// Errors are ignored: if the names are not erased now, the host erases them after a day.
void AttachedDatabase::forget_names() {
  const auto names = names_.all();
  if (names.empty() || local() || !link_->check_process()) return;
  if (auto lease = link_->lease()) {
    Work work(*std::move(lease));
    static_cast<void>(work.call("forget", {{"clients", engine::text_list(names)}}, {}));
  }
}

// The watching thread uses this object, so it ends first.
Status AttachedDatabase::close() {
  watch_.reset();
  forget_names();
  link_->close();
  const auto database = local();
  return database ? database->close() : Status();
}

// Parses the statement again with this handle, which has the functions that the program registered.
Result<std::unique_ptr<Rows::Impl>> AttachedDatabase::run_here(
    Database& database, const engine::ForwardedStatement& statement) {
  const auto handle =
      Access::share(shared_from_this());  // has the functions that the program registered
  CAIRN_ASSIGN(const Statement parsed, Statement::parse(statement.text, *handle));
  CAIRN_ASSIGN(Rows rows, parsed.run(database, statement.parameters, statement.options));
  return Access::take(std::move(rows));
}

Result<std::unique_ptr<Rows::Impl>> AttachedDatabase::run(
    const engine::ForwardedStatement& statement) {
  if (statement.is_writing) {
    CAIRN_TRY(check_mode());
    CAIRN_TRY(check_thread());
  }
  for (int hosts = 0; hosts < most_hosts;) {
    if (const auto database = local()) return run_here(*database, statement);
    auto lease = link_->lease();
    if (lease) {
      ++hosts;
      if (statement.calls_program) return refused_functions(*link_);
      auto rows = run_there(*std::move(lease), statement);
      if (!rows) return rows.error();
      if (*rows) return *std::move(rows);
    } else if (!is_gone(lease.error())) {
      return lease.error();
    }
    CAIRN_TRY(change_host());
  }
  return link_->given_up(most_hosts);
}

// Returns nullptr if the host ended before it committed anything; the caller repeats the statement then.
Result<std::unique_ptr<Rows::Impl>> AttachedDatabase::run_there(
    Link::Lease lease, const engine::ForwardedStatement& statement) {
  using RowsPtr = std::unique_ptr<Rows::Impl>;
  std::optional<NoteInUse> note;
  if (statement.is_writing) note.emplace(names_);
  const auto work = std::make_shared<Work>(std::move(lease));
  auto rows = AttachedRows::run(work, statement, statement.is_writing, note ? &**note : nullptr);
  if (rows) return RowsPtr(*std::move(rows));
  if (!work->is_lost()) return rows.error();
  if (!statement.is_writing)
    return rows.error().code == ErrorCode::busy ? rows.error() : Result<RowsPtr>(RowsPtr());
  if (rows.error().code == ErrorCode::busy) {
    note->retire();
    return bolt::with_doubt(rows.error(), bolt::Doubt::stopped_host);
  }
  const auto outcome = outcome_of(**note);
  if (!outcome) {
    note->retire();
    return bolt::with_doubt(outcome.error(), bolt::Doubt::unknown_outcome);
  }
  if (!*outcome) return RowsPtr();
  CAIRN_ASSIGN(auto kept, rows_of_outcome(**outcome));
  return RowsPtr(std::move(kept));
}

// Asks the next host, or this process once it is the host.
Result<std::optional<Value>> AttachedDatabase::outcome_of(const CommitNote& note) {
  using Outcome = std::optional<Value>;
  return ask<Outcome>(
      [&](Database& database) { return bolt::find_outcome(database, note); },
      [&](Work& work) -> Result<Outcome> {
        CAIRN_ASSIGN(const Value answer,
                     work.call("outcome", {{"client", note.client}, {"count", note.count}}, {}));
        return answer.is_null() ? Outcome() : Outcome(answer);
      });
}

// From the second round on, a call that has the entry `again` learns that it may have been made already. The other calls
// that write do no harm when the caller repeats them.
Result<Value> AttachedDatabase::call(std::string_view name, Map arguments,
                                     const StatementOptions& options) {
  if (std::ranges::find(reading_calls, name) == reading_calls.end()) CAIRN_TRY(check_mode());
  const auto place = arguments.find(engine::again_entry);
  bool is_again = false;
  const auto note_round = [&] {
    if (is_again && place != arguments.end()) place->second = true;
    is_again = true;
  };
  std::optional<bolt::Doubt> doubt;
  auto result = ask<Value>(
      [&](Database& database) {
        note_round();
        return run_procedure(name, arguments, {database, nullptr, nullptr, options});
      },
      [&](Work& work) {
        note_round();
        return work.call(name, arguments, options);
      },
      &doubt);
  const bool is_made_once = place != arguments.end() || name == "create_token";
  if (result || !doubt || !is_made_once) return result;
  return bolt::with_doubt(std::move(result).error(), *doubt);
}

}  // namespace cairn::query::attach
