// Procedures about the whole database: version, backups, scrub receipts, expiry and the grammar.

#include "codec/backup_manifest.hpp"
#include "engine/database/access.hpp"
#include "engine/database/core.hpp"
#include "engine/files/file_root.hpp"
#include "engine/system/clock.hpp"
#include "engine/transaction/writer_lock.hpp"
#include "engine/view/view.hpp"
#include "engine/write/writer.hpp"
#include "query/execute/call/builtin_procedures.hpp"
#include "query/execute/call/name_spaces.hpp"
#include "query/execute/call/procedure_arguments.hpp"
#include "query/execute/pipeline/execution_context.hpp"
#include "query/functions/call.hpp"

#include <cairn/backup.hpp>
#include <cairn/language_grammar.hpp>
#include <cairn/scrub.hpp>
#include <cairn/temporal.hpp>
#include <cairn/version.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

using Rows = Procedure::Rows;
using Arguments = std::span<const Value>;

}  // namespace

// Clients compare the version in the first row with the version that they need.
Result<Rows> list_components(ExecutionContext&, Arguments) {
  return Rows{{Value("Neo4j Kernel"), Value(List{"5.26.0"}), Value("community")},
              {Value("Cairn"), Value(List{std::string(version())}), Value("embedded")}};
}

namespace {

/// Returns an id that no other namespace of any database has. A caller who may not use all namespaces gets null.
Value id_of_database(const ExecutionContext& context, const std::string& name_space) {
  if (context.core == nullptr || context.options.listed_name_spaces) return {};
  const std::string& id = context.core->database_id();
  return Value(name_space.empty() ? id : id + "/" + name_space);
}

}  // namespace

namespace {

/// The namespaces that the caller may use, as list_name_spaces() lists them.
Result<std::vector<std::string>> names_of_name_spaces(ExecutionContext& context) {
  CAIRN_ASSIGN(const Rows name_spaces, list_name_spaces(context, {}));
  std::vector<std::string> names;
  for (const std::vector<Value>& one : name_spaces) names.push_back(one.front().as_string());
  return names;
}

std::string database_name(const std::string& name_space) {
  return name_space.empty() ? "neo4j" : name_space;
}

/// The namespaces to which the arguments of db.databases() restrict the list. The home namespace is there even if it has
/// no record yet.
Result<std::vector<std::string>> chosen_name_spaces(ExecutionContext& context,
                                                    Arguments arguments) {
  if (arguments.empty()) return names_of_name_spaces(context);
  CAIRN_ASSIGN(const std::string which,
               text_of("the first argument of db.databases()", arguments[0]));
  if (which == "HOME" && arguments.size() == 1)
    return std::vector<std::string>{context.options.name_space};
  const bool has_name = which == "NAME" && arguments.size() == 2;
  if (!has_name && (which != "DEFAULT" || arguments.size() > 1))
    return Error{
        ErrorCode::invalid_argument,
        "db.databases() takes 'HOME', 'DEFAULT', or 'NAME' and a name, got " + shown(arguments[0]),
        std::nullopt};
  std::string name = "neo4j";
  if (has_name) {
    CAIRN_ASSIGN(name, text_of("the name of a database", arguments[1]));
  }
  CAIRN_ASSIGN(auto names, names_of_name_spaces(context));
  std::erase_if(names, [&](const std::string& one) { return database_name(one) != name; });
  return names;
}

}  // namespace

// All namespaces are online. A namespace is writable unless the statement may only read it.
Result<Rows> list_databases(ExecutionContext& context, Arguments arguments) {
  CAIRN_ASSIGN(const auto names, chosen_name_spaces(context, arguments));
  Rows rows;
  for (const std::string& name : names) {
    const bool is_home = name == context.options.name_space;
    const auto& also_read = context.options.also_read;
    const bool is_read_only = !is_home && std::ranges::find(also_read, name) != also_read.end();
    rows.push_back({Value(database_name(name)), Value("standard"), Value(List()),
                    Value(is_read_only ? "read-only" : "read-write"), id_of_database(context, name),
                    Value(), Value("primary"), Value(true), Value("online"), Value("online"),
                    Value(""), Value(name.empty()), Value(is_home), Value("rocksdb"),
                    Value(List())});
  }
  return rows;
}

Result<Rows> list_users(ExecutionContext& context, Arguments arguments) {
  if (arguments.empty())
    warn_once(
        context,
        "SHOW USERS lists the caller alone: users are tokens, and cairn token list lists all");
  const std::string& caller = context.options.caller;
  return Rows{{caller.empty() ? Value() : Value(caller), Value(), Value(false), Value(false),
               Value(database_name(context.options.name_space))}};
}

Result<Rows> list_settings(ExecutionContext& context, Arguments) {
  warn_once(context,
            "there are no settings to show: they are options of the program that opens the "
            "database");
  return Rows{};
}

Result<Rows> list_aliases(ExecutionContext&, Arguments) { return Rows{}; }

Result<Rows> ping(ExecutionContext&, Arguments) { return Rows{{Value(true)}}; }

Result<Rows> await_indexes(ExecutionContext&, Arguments) { return Rows{}; }

// As the background task does.
Result<std::size_t> erase_all_expired(ExecutionContext& context, std::size_t limit) {
  CAIRN_ASSIGN(const engine::ErasedRecords erased,
               context.writer->erase_expired(context.now, limit));
  context.changes.nodes_deleted += erased.nodes;
  context.changes.relationships_deleted += erased.relationships;
  return erased.total();
}

// A caller who may not use all namespaces erases only in its own namespace.
Result<Rows> erase_expired(ExecutionContext& context, Arguments arguments) {
  constexpr std::size_t usual_limit = 100'000;
  std::size_t limit = usual_limit;
  if (!arguments.empty()) {
    CAIRN_ASSIGN(limit, count_of("the limit of db.expire()", arguments[0]));
  }
  CAIRN_ASSIGN(const std::size_t erased, context.options.listed_name_spaces
                                             ? erase_own_expired(context, limit)
                                             : erase_all_expired(context, limit));
  context.graph.forget();
  return Rows{{Value(static_cast<std::int64_t>(erased))}};
}

// A backup by a statement calls Database::backup() with a directory that FileRoot has checked. The time limit of the
// statement does not apply: if the limit ended the backup, each further attempt would start from the beginning.
// Cancelling the statement stops the backup.

namespace {

Value count_value(std::uint64_t count) { return static_cast<std::int64_t>(count); }

/// Converts microseconds since 1970 UTC, which may be negative.
Value moment_value(std::int64_t microseconds) {
  constexpr std::int64_t second = 1'000'000;
  std::int64_t rest = microseconds % second;
  if (rest < 0) rest += second;
  return DateTime{(microseconds - rest) / second, static_cast<std::int32_t>(rest * 1'000), 0, {}};
}

}  // namespace

// db.backup
Result<Procedure::Rows> back_up(ExecutionContext& context, std::span<const Value> arguments) {
  const std::string* path = arguments[0].string();
  if (path == nullptr)
    return Error{ErrorCode::type_error,
                 "BACKUP TO needs a path as a string, got " + shown(arguments[0]), std::nullopt};
  if (context.database == nullptr)
    return Error{
        ErrorCode::unsupported,
        "BACKUP TO cannot run in a transaction or on a snapshot; run it on the database itself",
        std::nullopt};
  CAIRN_ASSIGN(const engine::FileRoot* files, files_of(context));
  CAIRN_ASSIGN(const engine::FilePlace place, files->resolve_for_writing(*path));
  context.budget.pause();
  const auto report = Access::backup(*context.database, place, context.budget.cancel());
  context.budget.resume();
  if (!report) return report.error();
  return Procedure::Rows{{Value(report->database_id), count_value(report->commit),
                          moment_value(report->made_at), count_value(report->files),
                          count_value(report->bytes), count_value(report->linked_files),
                          count_value(report->copied_bytes)}};
}

// A caller who may not use all namespaces learns only that the scrub is complete. The numbers are
// null: counts and commits are those of all namespaces.
Result<Procedure::Rows> give_receipt(ExecutionContext& context, std::span<const Value>) {
  if (context.scrubbed == nullptr) return scrubs_alone();
  const ScrubReceipt& receipt = *context.scrubbed;
  List backups;
  for (const ScrubbedBackup& backup : receipt.backups)
    backups.push_back(Map{{"path", backup.path},
                          {"commit", count_value(backup.commit)},
                          {"madeAt", moment_value(backup.made_at)}});
  std::vector<Value> numbers = {
      count_value(receipt.commit),        count_value(receipt.names),
      count_value(receipt.names_unknown), count_value(receipt.tables),
      count_value(receipt.table_bytes),   count_value(receipt.vector_segments),
      Value(std::move(backups))};
  if (context.options.listed_name_spaces) numbers.assign(numbers.size(), Value());
  std::vector<Value> row = {Value(receipt.database_id), Value(receipt.by),
                            moment_value(receipt.begun_at), moment_value(receipt.ended_at)};
  std::ranges::move(numbers, std::back_inserter(row));
  return Procedure::Rows{std::move(row)};
}

Result<Procedure::Rows> list_backups(ExecutionContext& context, std::span<const Value>) {
  CAIRN_ASSIGN(const auto notes, context.graph.view().describe_backups());
  Procedure::Rows rows;
  for (const codec::BackupNote& note : notes)
    rows.push_back({Value(note.path), count_value(note.commit), moment_value(note.made_at)});
  return rows;
}

// Transactions. db.transactions lists the running statements, the idle transaction that holds the writer lock, and the
// transactions that wait for this lock. Ids have the form of Neo4j: neo4j-transaction-3.

namespace {

constexpr std::string_view id_mark = "-transaction-";
constexpr std::string_view writer_mark = "writer-";

std::string transaction_id(const engine::ListedStatement& statement) {
  return database_name(statement.name_space) + std::string(id_mark) +
         std::to_string(statement.number);
}

Value user_of(const engine::ListedStatement& statement) {
  return statement.caller.empty() ? Value() : Value(statement.caller);
}

Value duration_value(std::chrono::steady_clock::duration elapsed) {
  constexpr std::int64_t second = 1'000'000'000;
  const std::int64_t whole = std::chrono::duration_cast<std::chrono::nanoseconds>(elapsed).count();
  return Duration{0, 0, whole / second, static_cast<std::int32_t>(whole % second)};
}

/// An idle transaction that has only read is listed without a text.
const char* status_of(const engine::ListedStatement& one) {
  if (one.is_stopping) return "Terminated";
  return one.text.empty() ? "Idle" : "Running";
}

std::string writer_id(const engine::WriterLock::IdleWriter& writer) {
  return std::string(writer_mark) + std::to_string(writer.turn);
}

/// Adds rows for the idle transaction that holds the writer lock, and for those that wait for the lock. These
/// transactions have no namespace, so only callers who may use all namespaces see them.
void add_idle_writers(ExecutionContext& context, Procedure::Rows& rows) {
  if (context.options.listed_name_spaces) return;
  for (const auto& writer : context.core->turn().idle_writers()) {
    const auto elapsed = std::chrono::steady_clock::now() - writer.begun;
    const auto microseconds =
        std::chrono::duration_cast<std::chrono::microseconds>(elapsed).count();
    rows.push_back({Value(), Value(writer_id(writer)), Value(""), Value(),
                    moment_value(engine::system_time() - microseconds),
                    Value(writer.is_waiting ? "Waiting" : "Idle"), duration_value(elapsed)});
  }
}

/// Adds the ids in a value: a string, or a list of strings and of lists.
Status add_ids(const Value& value, std::vector<std::string>& ids) {
  if (const List* list = value.list()) {
    for (const Value& one : *list) CAIRN_TRY(add_ids(one, ids));
    return {};
  }
  const std::string* id = value.string();
  if (id == nullptr)
    return Error{ErrorCode::type_error,
                 "TERMINATE TRANSACTIONS takes ids, which are strings, got " + shown(value),
                 std::nullopt};
  ids.push_back(*id);
  return {};
}

}  // namespace

// db.transactions
Result<Procedure::Rows> list_transactions(ExecutionContext& context, std::span<const Value>) {
  Procedure::Rows rows;
  if (context.core == nullptr) return rows;
  for (const engine::ListedStatement& one :
       context.core->running_statements().list(context.options.listed_name_spaces))
    rows.push_back({Value(database_name(one.name_space)), Value(transaction_id(one)),
                    Value(one.text), user_of(one), moment_value(one.started_at),
                    Value(status_of(one)), duration_value(one.elapsed)});
  add_idle_writers(context, rows);
  return rows;
}

namespace {

/// Ends the idle or waiting transaction with this id, if add_idle_writers() lists it for this caller. Returns whether
/// there was such a transaction.
bool end_idle_writer(ExecutionContext& context, const std::string& id) {
  if (context.core == nullptr || context.options.listed_name_spaces) return false;
  const auto writers = context.core->turn().idle_writers();
  const auto found = std::ranges::find(writers, id, writer_id);
  return found != writers.end() && context.core->turn().take_away(found->turn);
}

/// Requests the end of the statement with this id. Returns the statement, or nullopt if it has ended or the caller may
/// not see it.
std::optional<engine::ListedStatement> stop(ExecutionContext& context, const std::string& id) {
  if (context.core == nullptr) return std::nullopt;
  engine::StatementRegister& running = context.core->running_statements();
  const auto& caller = context.options.listed_name_spaces;
  const auto seen = running.list(caller);
  const auto found = std::ranges::find(seen, id, transaction_id);
  return found == seen.end() ? std::nullopt : running.stop(found->number, caller);
}

}  // namespace

// db.transactions.terminate
Result<Procedure::Rows> terminate_transactions(ExecutionContext& context,
                                               std::span<const Value> arguments) {
  std::vector<std::string> ids;
  CAIRN_TRY(add_ids(arguments[0], ids));
  Procedure::Rows rows;
  for (const std::string& id : ids) {
    CAIRN_TRY(context.budget.step());
    const auto stopped = stop(context, id);
    const bool is_ended = stopped || end_idle_writer(context, id);
    rows.push_back({Value(id), stopped ? user_of(*stopped) : Value(),
                    Value(is_ended ? "Transaction terminated." : "Transaction not found.")});
  }
  return rows;
}

// A program that writes statements, or has a model write them, can ask the database for the
// grammar.

namespace {

Result<std::vector<Value>> grammar_row(std::string_view format) {
  CAIRN_ASSIGN(std::string text, language_grammar(format));
  return std::vector<Value>{Value(format), Value(std::move(text))};
}

}  // namespace

// db.grammar
Result<Procedure::Rows> give_grammar(ExecutionContext&, std::span<const Value> arguments) {
  Procedure::Rows rows;
  if (!arguments.empty()) {
    const std::string* format = arguments[0].string();
    if (format == nullptr)
      return Error{
          ErrorCode::type_error,
          "the format of db.grammar() must be \"ebnf\" or \"gbnf\", got " + shown(arguments[0]),
          std::nullopt};
    CAIRN_ASSIGN(auto row, grammar_row(*format));
    rows.push_back(std::move(row));
    return rows;
  }
  for (const std::string_view format : grammar_formats) {
    CAIRN_ASSIGN(auto row, grammar_row(format));
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace cairn::query
