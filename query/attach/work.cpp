// Translates statements, transactions and calls to exchanges of Bolt messages on one connection.
#include "query/attach/work.hpp"

#include "query/bolt/doubt.hpp"

#include <algorithm>
#include <new>
#include <stop_token>
#include <string>
#include <utility>

namespace cairn::query::attach {
namespace {

using bolt::Tag;

/// The rows for which a portion has room from the start.
constexpr std::size_t usual_rows = 16;

// The metadata of PULL and DISCARD. -1 rows: all; a negative number: the last result.
Map portion_of(std::int64_t rows, std::int64_t number) {
  Map map{{"n", rows}};
  if (number >= 0) map.emplace("qid", number);
  return map;
}

// The entry "cairn" of a message; nullptr if it is absent.
const Map* attached_entry_of(const Map& metadata) {
  const auto found = metadata.find(bolt::attached_entry);
  return found == metadata.end() ? nullptr : found->second.map();
}

// An integer entry; 0 if it is absent.
std::int64_t number_in(const Map& map, std::string_view key) {
  const auto found = map.find(key);
  const auto* integer = found == map.end() ? nullptr : found->second.get_if<std::int64_t>();
  return integer == nullptr ? 0 : *integer;
}

Error cancelled() { return {ErrorCode::cancelled, "the statement was cancelled", {}}; }

}  // namespace

// The peer knows only that it may use no files, not why.
Error Work::with_reason(Error error, const StatementOptions& options) const {
  const bool is_of_files = error.code == ErrorCode::unsupported &&
                           error.message.find("StatementOptions::use_files") != std::string::npos;
  if (is_of_files && options.use_files) error.message = link().why_no_files();
  return error;
}

// A transaction that begins late sends nothing now, so that its namespace can be taken from the first statement.
Status Work::begin(WorkKind kind, const CommitNote* note) {
  is_snapshot_ = kind == WorkKind::snapshot;
  only_reads_ = is_snapshot_ || kind == WorkKind::reading;
  if (link().begins_late()) {
    waiting_ = kind;
    is_transaction_ = true;
    is_open_ = true;
    return {};
  }
  is_open_ = false;
  const Map extra = link().extra_of_begin(kind, note, {});
  CAIRN_TRY(exchange<Map>({}, [&](Patience patience) { return ask_begin(extra, patience); }));
  is_transaction_ = true;
  is_open_ = true;
  return {};
}

Result<Map> Work::ask_begin(const Map& extra, Patience patience) {
  CAIRN_ASSIGN(Map begun, lease_->ask(Tag::begin, {extra}, patience));
  if (const Map* entry = attached_entry_of(begun))
    commit_ = static_cast<std::uint64_t>(number_in(*entry, "commit"));
  return begun;
}

// In Bolt, BEGIN names the one namespace of a transaction. If BEGIN is refused, the next statement sends it again.
Status Work::begin_for(const StatementOptions& options, Patience patience) {
  if (!link().begins_late() || !is_transaction_) return {};
  if (waiting_) {
    CAIRN_TRY(ask_begin(link().extra_of_begin(*waiting_, nullptr, options), patience));
    name_space_ = options.name_space;
    waiting_.reset();
    return {};
  }
  if (options.name_space == name_space_) return {};
  return Error{ErrorCode::unsupported,
               "this transaction or snapshot uses the namespace \"" + name_space_ +
                   "\" and cannot use \"" + options.name_space +
                   "\" over Bolt; begin another one for it",
               {}};
}

Work::~Work() { roll_back(); }

Error Work::lost() const {
  const std::string_view what = !is_transaction_ ? "the rest of the rows"
                                : is_snapshot_   ? "the snapshot"
                                                 : "the transaction";
  return link().lost(*lease_, what);
}

Status Work::check_usable() const {
  if (is_lost()) return lost();
  if (const Error* const error = ended_by()) return *error;
  return link().check_process();
}

// Called within an exchange, so by one thread at a time. Other threads read the error once was_ended_ is true.
void Work::note_end(const Error& error) {
  is_open_ = false;
  if (was_ended_) return;
  ended_by_ = error;
  was_ended_ = true;
}

// A lost connection takes the transaction with it. For a single statement the caller decides what to do.
Error Work::error_of_exchange(Error error) {
  if (!lease_->is_lost()) return error;
  is_lost_ = true;
  if (!is_transaction_ || error.code == ErrorCode::busy) return error;
  return lost();
}

// The stop callback is destroyed before settle(), so that no RESET can be sent afterwards.
template <class T>
Result<T> Work::exchange(const StatementOptions& options,
                         const std::function<Result<T>(Patience)>& talk) {
  const std::lock_guard lock(mutex_);
  CAIRN_TRY(check_usable());
  const Patience patience = std::min(options.timeout, Patience(std::chrono::hours(1)));
  Result<T> result = [&] {
    const std::stop_callback on_stop(options.cancel, [this] { lease_->interrupt(); });
    return talk(patience);
  }();
  const auto settled = lease_->settle(patience);
  if (!settled) return error_of_exchange(settled.error());
  was_interrupted_ = *settled;
  if (const auto& error = lease_->transaction_end(); error && is_transaction_) note_end(*error);
  if (result) return result;
  return error_of_exchange(std::move(result).error());
}

// A call that is already cancelled is not sent: the host might finish a short call before it reads the RESET.
Status Work::check_startable(const StatementOptions& options) const {
  if (options.cancel.stop_requested()) return cancelled();
  return check_usable();
}

// A RESET between two portions discards the rest of the result. In a transaction, the host may keep the result open,
// even if the host ignored the PULL; so the result is discarded here.
void Work::note_interruption(Portion& portion, std::int64_t number) {
  if (was_interrupted_ && portion.has_more) {
    portion.has_more = false;
    portion.failure = cancelled();
  }
  const bool is_cancelled = portion.failure && portion.failure->code == ErrorCode::cancelled;
  if (is_cancelled && is_transaction_ && is_open_) discard(number);
}

Result<Work::Started> Work::run(const engine::ForwardedStatement& statement, std::int64_t rows,
                                const CommitNote* note) {
  CAIRN_TRY(check_startable(statement.options));
  CAIRN_TRY(link().check_statement(statement));
  StatementOptions options = statement.options;
  options.use_files = options.use_files && link().may_use_files();
  auto started = exchange<Started>(options, [&](Patience patience) -> Result<Started> {
    CAIRN_TRY(begin_for(options, patience));
    return run_now(statement.text, Value(statement.parameters),
                   link().extra_of_run(options, note, statement.sees_deleted), rows, patience);
  });
  if (!started) return with_reason(std::move(started).error(), statement.options);
  note_interruption(started->first, started->number);
  if (auto& failure = started->first.failure)
    failure = with_reason(*std::move(failure), statement.options);
  return started;
}

// PULL is sent together with RUN to save a round trip. If RUN fails, the host ignores PULL.
Result<Work::Started> Work::run_now(std::string_view text, const Value& parameters, Map extra,
                                    std::int64_t rows, Patience patience) {
  List request;
  request.reserve(3);
  request.emplace_back(text);
  request.push_back(parameters);
  request.emplace_back(std::move(extra));
  lease_->add(Tag::run, request);
  lease_->add(Tag::pull, {portion_of(rows, -1)});
  CAIRN_TRY(lease_->flush());
  CAIRN_ASSIGN(const Connection::Answer answer, lease_->receive(patience));
  Started started;
  started.number = number_in(answer.metadata(), "qid");
  if (const auto fields = answer.metadata().find("fields");
      fields != answer.metadata().end() && fields->second.list() != nullptr)
    for (const Value& field : *fields->second.list())
      started.columns.push_back(field.string() == nullptr ? "" : *field.string());
  CAIRN_ASSIGN(started.first, receive_portion(patience));
  return started;
}

// An error after some rows belongs to the portion, so that the caller reads these rows first. A lost connection is
// returned at once.
Result<Work::Portion> Work::receive_portion(Patience patience) {
  Portion portion;
  while (true) {
    auto answer = lease_->receive(patience);
    if (!answer && lease_->is_lost()) return answer.error();
    if (!answer) {
      portion.failure = answer.error();
      return portion;
    }
    if (answer->tag == Tag::record) {
      portion.bytes += lease_->last_message_bytes();
      if (portion.rows.empty()) portion.rows.reserve(usual_rows);
      portion.rows.push_back(std::move(answer->values));
      continue;
    }
    const auto more = answer->metadata().find("has_more");
    portion.has_more = more != answer->metadata().end() && more->second == Value(true);
    if (const Map* results = attached_entry_of(answer->metadata()))
      portion.results = bolt::results_of(*results);
    return portion;
  }
}

// Returns errors within the portion, because rows may have been received before.
Work::Portion Work::pull(std::int64_t number, std::int64_t rows, const StatementOptions& options) {
  auto portion = exchange<Portion>(options, [&](Patience patience) -> Result<Portion> {
    lease_->add(Tag::pull, {portion_of(rows, is_transaction_ ? number : -1)});
    CAIRN_TRY(lease_->flush());
    return receive_portion(patience);
  });
  if (portion) {
    note_interruption(*portion, number);
    if (auto& failure = portion->failure) failure = with_reason(*std::move(failure), options);
    return *std::move(portion);
  }
  Portion failed;
  failed.failure =
      lease_->is_lost() && portion.error().code != ErrorCode::busy ? lost() : portion.error();
  return failed;
}

// Errors are ignored: the result ends in any case.
void Work::discard(std::int64_t number) noexcept {
  try {
    const auto dropped = exchange<Map>({}, [&](Patience patience) {
      return lease_->ask(Tag::discard, {portion_of(-1, is_transaction_ ? number : -1)}, patience);
    });
    static_cast<void>(dropped);
  } catch (const std::bad_alloc&) {
  }
}

Result<Value> Work::call(std::string_view name, Map arguments, const StatementOptions& options,
                         bool sees_deleted) {
  CAIRN_TRY(check_startable(options));
  CAIRN_TRY(link().check_calls(name));
  const std::string text =
      std::string(bolt::call_begin) + std::string(name) + std::string(bolt::call_end);
  const Value parameters = Map{{"arguments", std::move(arguments)}};
  auto started = exchange<Started>(options, [&](Patience patience) {
    return run_now(text, parameters, link().extra_of_run(options, nullptr, sees_deleted), -1,
                   patience);
  });
  if (!started) return started.error();
  if (started->first.failure) return *started->first.failure;
  if (started->first.rows.size() != 1 || started->first.rows[0].empty()) return Value();
  return std::move(started->first.rows[0][0]);
}

// If the answer is lost, only the link knows whether the outcome can be found out. A stopped host has the COMMIT
// already, and executes the COMMIT when the host continues.
Status Work::commit() {
  if (is_lost()) return lost();
  if (waiting_) {  // BEGIN was never sent, so there is nothing to commit
    is_open_ = false;
    return {};
  }
  StatementOptions options;
  options.timeout = link().commit_patience();
  auto done = exchange<Map>(
      options, [&](Patience patience) { return lease_->ask(Tag::commit, {}, patience); });
  if (done) {
    is_open_ = false;
    return {};
  }
  if (!lease_->is_lost()) return done.error();
  if (done.error().code == ErrorCode::busy) {
    if (only_reads_) return done.error();
    leave_in_doubt();
    return bolt::with_doubt(std::move(done).error(), bolt::Doubt::stopped_host);
  }
  if (link().leaves_doubt()) leave_in_doubt();
  return link().lost_commit(*lease_);
}

void Work::roll_back() noexcept {
  if (!is_open_.exchange(false) || !is_transaction_ || waiting_) return;
  const auto done = exchange<Map>(
      {}, [&](Patience patience) { return lease_->ask(Tag::rollback, {}, patience); });
  static_cast<void>(done);
}

}  // namespace cairn::query::attach
