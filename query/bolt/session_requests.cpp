// The handlers of the requests, about in the order in which a client sends them.
//
// Three kinds of clients differ here: drivers, remote clients of this library (is_ours_), and attached processes
// (is_ours_ and is_attached_); see attached.hpp.
#include "engine/database/access.hpp"
#include "engine/database/core.hpp"
#include "query/bolt/chunks.hpp"
#include "query/bolt/cursor.hpp"
#include "query/bolt/session_impl.hpp"
#include "query/bolt/stored_outcome.hpp"

#include <cairn/version.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace cairn::query::bolt {
namespace {

using PullClock = std::chrono::steady_clock;

std::string next_connection_id() {
  static std::atomic<std::uint64_t> last = 0;
  return "bolt-" + std::to_string(++last);
}

// Drivers derive from this name which version of Neo4j the server behaves like.
std::string server_name() { return "Neo4j/5.26.0 (Cairn " + std::string(version()) + ")"; }

/// The entry "cairn" of a request; nullptr if it is absent.
const Map* said_by_attached(const Map& extra) {
  const auto said = extra.find(attached_entry);
  return said == extra.end() ? nullptr : said->second.map();
}

// The note of the commit that an attached process announces.
std::optional<CommitNote> said_note(const Map& extra) {
  const Map* said = said_by_attached(extra);
  return said == nullptr ? std::nullopt : note_of(*said);
}

/// The limits that a remote client requests for its statement. The client may set any timeout. It may lower the limits
/// of memory and rows below the defaults, but not raise them.
StatementLimits limits_in(const Map& extra) {
  static const StatementOptions usual;
  const Map* said = said_by_attached(extra);
  const StatementOptions wanted = said == nullptr ? usual : statement_options_of(*said);
  return {wanted.timeout, std::min(wanted.memory_bytes, usual.memory_bytes),
          std::min(wanted.max_rows, usual.max_rows)};
}

// A server that is attached to a host commits through it, without a note of its own.
Failure keeps_no_requests() {
  return failure_of(
      {ErrorCode::unsupported,
       "this server cannot store a cairn_request_id, because another process has the database "
       "open; send the request to that process's server (`cairn DIR -c .database` shows the "
       "process), or send it without the id; nothing was written",
       {}},
      Operation::transaction);
}

// True if the entry "cairn" contains the name.
bool says(const Map& extra, const char* entry) {
  const Map* said = said_by_attached(extra);
  return said != nullptr && said->contains(entry);
}

}  // namespace

// In Bolt 5.0, HELLO logs on as well.
Session::Impl::Answer Session::Impl::hello(const Map& extra, Map& metadata) {
  wants_notifications_ = wants_notifications(extra).value_or(true);
  if (const auto agent = extra.find("user_agent");
      agent != extra.end() && agent->second.string() != nullptr)
    agent_ = *agent->second.string();
  metadata = {{"server", server_name()},
              {"connection_id", next_connection_id()},
              {"hints", map_of({{"telemetry.enabled", false}})}};
  if (shared_.attached != nullptr) return hello_of_owner(extra, metadata);
  is_ours_ = said_by_attached(extra) != nullptr;
  if (is_ours_)
    metadata.emplace(
        attached_entry,
        Map{{"library", version()},
            {"message_bytes", static_cast<std::int64_t>(shared_.limits.message_bytes)}});
  if (version_ < Version{5, 1}) return log_on(extra);
  state_ = State::unauthenticated;
  return std::nullopt;
}

// The permissions of the socket file admit only the user and the group, so no LOGON is needed.
Session::Impl::Answer Session::Impl::hello_of_owner(const Map& extra, Map& metadata) {
  const auto said = extra.find(attached_entry);
  if (said != extra.end() && said->second.map() != nullptr) {
    auto greeting = shared_.attached->greet(*said->second.map());
    if (!greeting) {
      is_attached_ = is_ours_ = true;  // send the error in full
      Failure failure = failure_of(greeting.error(), Operation::statement);
      failure.next = Next::close;
      return failure;
    }
    is_attached_ = is_ours_ = true;
    greeting->insert_or_assign(client_entry, peer_);
    if (is_guest_) {
      greeting->insert_or_assign("files", false);
      greeting->insert_or_assign("guest", true);
    }
    metadata.emplace(attached_entry, *std::move(greeting));
  }
  login.log_on_as_owner();
  state_ = version_ < Version{5, 1} || is_attached_ ? State::ready : State::unauthenticated;
  return std::nullopt;
}

// LOGON of a driver on the socket in a directory is accepted without a token.
Session::Impl::Answer Session::Impl::log_on(const Map& credentials) {
  if (shared_.attached != nullptr) {
    login.log_on_as_owner();
    state_ = State::ready;
    return std::nullopt;
  }
  if (auto failure = login.log_on(credentials, shared_, peer_)) return failure;
  state_ = State::ready;
  return std::nullopt;
}

Session::Impl::Answer Session::Impl::log_off() {
  login.log_off();
  state_ = State::unauthenticated;
  return std::nullopt;
}

// A client of this library may continue its transaction after RESET.
void Session::Impl::reset() {
  keeps_transaction_ |= may_keep_transaction();
  if (!keeps_transaction_) work_.end();
  pulled_.reset();  // nothing is prepared for a client that gave up its result
  interruption.end_reset();
  state_ = keeps_transaction_ ? State::in_transaction : State::ready;
  keeps_transaction_ = false;
}

std::optional<CommitNote> Session::Impl::note_of(const TransactionExtra& said,
                                                 const std::string& name_space) const {
  if (said.request_id.empty() || said.is_reading) return std::nullopt;
  return note_of_request(login.principal(), name_space, said.request_id);
}

// Checks bookmarks and permissions before the transaction begins. Attached processes have further options.
std::variant<WorkOptions, Failure> Session::Impl::options_of(const Map& extra) {
  auto read = read_extra(extra);
  if (auto* failure = std::get_if<Failure>(&read)) return std::move(*failure);
  auto& said = std::get<TransactionExtra>(read);
  auto found = name_space_of(said.database);
  if (auto* failure = std::get_if<Failure>(&found)) return std::move(*failure);
  auto& name_space = std::get<std::string>(found);
  if (auto failure = enter(name_space, said)) return *std::move(failure);
  if (auto failure = check_bookmarks(said.bookmarks)) return *std::move(failure);
  auto also_read = login.also_read(name_space);
  if (auto refusal = check_tenants(name_space, also_read)) return *std::move(refusal);
  const bool is_request = !is_attached_ && !said.request_id.empty() && !said.is_reading;
  if (is_request) shared_.old_requests.forget(work_.database());
  if (is_request && Access::core(work_.database()) == nullptr) return keeps_no_requests();
  auto note = is_attached_ ? said_note(extra) : note_of(said, name_space);
  return WorkOptions{said.is_reading,
                     std::move(name_space),
                     login.listed_name_spaces(),
                     std::move(also_read),
                     login.principal(),
                     said.time_limit,
                     said.wants_notifications.value_or(wants_notifications_),
                     is_attached_,
                     std::move(note),
                     is_attached_ && says(extra, "if_free"),
                     is_attached_ && said.is_reading && says(extra, transaction_entry),
                     login.principal()};
}

// The answer to an attached process has the number of the last commit before the transaction.
Session::Impl::Answer Session::Impl::begin(const Map& extra, Map& metadata) {
  auto options = options_of(extra);
  if (auto* failure = std::get_if<Failure>(&options)) return std::move(*failure);
  const Status begun = work_.begin(std::get<WorkOptions>(std::move(options)));
  if (!begun) return work_.failure_to_begin(begun.error());
  state_ = State::in_transaction;
  if (is_attached_)
    metadata.emplace(attached_entry,
                     Map{{"commit", static_cast<std::int64_t>(work_.first_commit())}});
  if (version_ >= Version{5, 8}) metadata.emplace("db", database_name(work_.options().name_space));
  return std::nullopt;
}

// `db` is empty if the client names no database.
void Session::Impl::tell_of(const Request& request) const {
  if (!shared_.on_statement) return;
  const Map& said = request.fields[2].as_map();
  const auto database = said.find("db");
  const bool is_named = database != said.end() && database->second.string() != nullptr;
  shared_.on_statement(
      {peer_, agent_, is_named ? std::string_view(*database->second.string()) : std::string_view(),
       request.fields[0].as_string(), request.fields[1].as_map()});
}

// Within a transaction, BEGIN has set the options.
Session::Impl::Answer Session::Impl::run(const Request& request, Map& metadata) {
  if (is_attached_) return run_attached(request, metadata);
  tell_of(request);
  const auto begin = PullClock::now();
  const bool is_alone = state_ == State::ready;
  if (is_alone) {
    work_.end();
    auto options = options_of(request.fields[2].as_map());
    if (auto* failure = std::get_if<Failure>(&options)) return std::move(*failure);
    work_.prepare(std::get<WorkOptions>(std::move(options)));
  }
  if (is_ours_) work_.limit(limits_in(request.fields[2].as_map()));
  const auto statement = statements_.find_or_parse(request.fields[0].as_string(), work_.database());
  if (!statement) return failure_of(statement.error(), Operation::statement);
  if (auto refusal = login.refusal_of(**statement)) return refusal;
  auto result = work_.run(**statement, request.fields[0].as_string(), request.fields[1].as_map());
  if (auto* failure = std::get_if<Failure>(&result)) return std::move(*failure);
  const auto time = std::chrono::duration_cast<std::chrono::milliseconds>(PullClock::now() - begin);
  const std::int64_t number = std::get<std::int64_t>(result);
  const auto& columns = work_.find(number)->rows().columns();
  metadata = {{"fields", List(columns.begin(), columns.end())},
              {"t_first", std::int64_t{time.count()}}};
  if (!is_alone) metadata.emplace("qid", number);
  if (is_alone && version_ >= Version{5, 8})
    metadata.emplace("db", database_name(work_.options().name_space));
  if (is_alone) state_ = State::streaming;
  return std::nullopt;
}

// Attached processes need no timing and no database name.
Session::Impl::Answer Session::Impl::run_attached(const Request& request, Map& metadata) {
  const bool is_alone = state_ == State::ready;
  if (is_alone) {
    work_.end();
    work_.prepare({});
  }
  const auto number = start_attached(request);
  if (!number) return failure_of(number.error(), Operation::statement);
  const auto& columns = work_.find(*number)->rows().columns();
  metadata = {{"fields", List(columns.begin(), columns.end())}, {"qid", *number}};
  if (is_alone) state_ = State::streaming;
  return std::nullopt;
}

// A text of the form "CALL cairn.NAME($arguments)" is a call of the library and is not parsed.
Result<std::int64_t> Session::Impl::start_attached(const Request& request) {
  const Map& extra = request.fields[2].as_map();
  const Map* said = said_by_attached(extra);
  const Map& parameters = request.fields[1].as_map();
  std::string_view text = request.fields[0].as_string();
  AttachedRequest given = said == nullptr ? AttachedRequest() : request_of(*said);
  if (is_guest_) given.options.use_files = false;
  if (text.starts_with(call_begin) && text.ends_with(call_end)) {
    text.remove_prefix(call_begin.size());
    text.remove_suffix(call_end.size());
    const auto arguments = parameters.find("arguments");
    if (arguments != parameters.end() && arguments->second.map() != nullptr)
      return work_.call(*shared_.attached, text, *arguments->second.map(), std::move(given));
  }
  CAIRN_ASSIGN(const auto statement,
               statements_.find_or_parse(request.fields[0].as_string(), shared_.database));
  return work_.run(*statement, request.fields[0].as_string(), parameters, std::move(given));
}

// The bookmark names the newest commit that the client has now seen.
Session::Impl::Answer Session::Impl::commit(Map& metadata) {
  const Status done = work_.commit();
  if (!done) return failure_of(done.error(), Operation::transaction);
  if (const auto commit = work_.commit_number()) metadata.emplace("bookmark", bookmark_of(*commit));
  work_.end();
  state_ = State::ready;
  return std::nullopt;
}

Session::Impl::Answer Session::Impl::roll_back() {
  work_.end();
  state_ = State::ready;
  return std::nullopt;
}

std::variant<Cursor*, Failure> Session::Impl::cursor_of(const Portion& portion) {
  Cursor* cursor = work_.find(portion.result);
  if (cursor != nullptr) return cursor;
  return Failure{code::request_invalid,
                 portion.result == -1
                     ? "no result of this transaction is open"
                     : "no result " + std::to_string(portion.result) + " (qid) is open"};
}

// Sends the rows of a portion. A RESET or the end of the client stops it between two rows.
Session::Impl::Answer Session::Impl::pull(const Map& extra, Map& metadata, Replies& replies) {
  auto portion = read_portion(extra);
  if (auto* failure = std::get_if<Failure>(&portion)) return std::move(*failure);
  const Portion& wanted = std::get<Portion>(portion);
  if (const Status ready = work_.check_idle(); !ready)
    return failure_of(ready.error(), Operation::statement);
  auto found = cursor_of(wanted);
  if (auto* failure = std::get_if<Failure>(&found)) return std::move(*failure);
  Cursor& cursor = *std::get<Cursor*>(found);
  // Sending takes time, so each portion of bytes is checked.
  bool is_stopped = false;  // produced rows do not check the stop token
  const auto send = [&](std::string_view records) {
    is_stopped = interruption.is_reset_pending() || interruption.is_cancelled();
    if (!is_stopped) is_client_gone_ = !replies.add_chunks(records);
    return !is_stopped && !is_client_gone_;
  };
  const auto more =
      cursor.take(wanted.rows, [this](const cairn::Row& row) { return record_of(row); }, send);
  if (!more) {
    work_.close(wanted.result);
    return failure_of(more.error(), Operation::statement);
  }
  if (is_stopped) {
    work_.close(wanted.result);  // a transaction that continues is now idle
    return failure_of({ErrorCode::cancelled, "the result was cancelled", {}}, Operation::statement);
  }
  note_portion(wanted, cursor, *more, metadata);
  return std::nullopt;
}

// Vectors are lists for drivers of Bolt 5; clients of this library get all values unchanged.
std::string_view Session::Impl::record_of(const cairn::Row& row) {
  const auto vectors = version_ >= Version{6, 0} ? codec::PackStreamVectors::as_structures
                                                 : codec::PackStreamVectors::as_lists;
  message_.assign(room_for_length, '\0');
  codec::PackStreamWriter writer(message_);
  writer.begin_structure(static_cast<std::uint8_t>(Tag::record), 1);
  writer.begin_list(row.size());
  for (const Value& value : row)
    if (is_ours_)
      codec::write_whole_value(writer, value);
    else
      codec::write_value(writer, value, vectors);
  put_into_chunks(message_);
  return message_;
}

// Produces the next portion of rows while the client processes the last one.
void Session::Impl::prepare(const std::function<bool()>& enough) {
  Cursor* cursor = may_prepare() ? work_.find(*pulled_) : nullptr;
  if (cursor == nullptr) return;
  cursor->prepare([this](const cairn::Row& row) { return record_of(row); },
                  [&] { return interruption.is_reset_pending() || enough(); });
  work_.list_idle();
}

// Skips the rows of a portion. Does not report that the transaction was terminated, because an attached process ignores
// the answer to DISCARD; the next other request reports it.
Session::Impl::Answer Session::Impl::discard(const Map& extra, Map& metadata) {
  auto portion = read_portion(extra);
  if (auto* failure = std::get_if<Failure>(&portion)) return std::move(*failure);
  const Portion& unwanted = std::get<Portion>(portion);
  auto found = cursor_of(unwanted);
  if (auto* failure = std::get_if<Failure>(&found)) return std::move(*failure);
  Cursor& cursor = *std::get<Cursor*>(found);
  const auto more = cursor.drop(unwanted.rows);
  if (!more) {
    work_.close(unwanted.result);
    return failure_of(more.error(), Operation::statement);
  }
  note_portion(unwanted, cursor, *more, metadata);
  return std::nullopt;
}

void Session::Impl::note_portion(const Portion& portion, const Cursor& cursor, bool has_more,
                                 Map& metadata) {
  pulled_.reset();
  if (has_more) {
    metadata.emplace("has_more", true);
    pulled_ = portion.result;
    work_.list_idle();
    return;
  }
  if (!is_attached_) metadata = summary_of(cursor, version_);
  if (is_ours_) metadata.emplace(attached_entry, results_of(cursor.rows()));
  metadata.emplace("db", database_name(work_.options().name_space));
  work_.close(portion.result);
  if (state_ != State::streaming) return;
  if (const auto commit = work_.commit_number()) metadata.emplace("bookmark", bookmark_of(*commit));
  work_.end();
  state_ = State::ready;
}

}  // namespace cairn::query::bolt
