// Maps errors of the library to codes of Neo4j. The choice matters, because drivers act on the code: for some codes they
// retry, for others they drop the server.
#include "query/bolt/failure.hpp"

#include "query/batched_run.hpp"
#include "query/bolt/doubt.hpp"
#include "query/execute/call/operators.hpp"

#include <cstdint>
#include <utility>

namespace cairn::query::bolt {
namespace {

constexpr std::string_view data_exception = "data exception";

// A resource_limit is never transient: a driver would retry the statement for half a minute and hit the same limit.
FailureCode code_of_limit(const Error& error) {
  const bool is_time = error.message.find("StatementOptions::timeout") != std::string::npos;
  if (!is_time) return code::too_much;
  return {"Neo.ClientError.Transaction.TransactionTimedOut", "40000", "transaction rollback"};
}

// True if the error says that nothing was written, as after a lost connection to the host. Then the transaction can
// be retried, although the error came from a statement.
bool is_of_lost_host(const Error& error) { return error.message.ends_with(": run it again"); }

// DeadlockDetected is the transient code that drivers handle best: DatabaseUnavailable makes them drop the server, and
// Terminated and LockClientStopped become client errors.
FailureCode code_of_conflict(const Error& error, Operation operation) {
  if (operation == Operation::statement && !is_of_lost_host(error)) return code::violation;
  return {"Neo.TransientError.Transaction.DeadlockDetected", "40000", "transaction rollback"};
}

// An error of a constraint ends with the constraint's name and has no position in the text. A statement that commits in
// batches adds what it has committed.
bool is_of_constraint(const Error& error) {
  const std::string_view message =
      std::string_view(error.message).substr(0, error.message.rfind(before_this));
  return error.code == ErrorCode::invalid_argument && !error.where && message.ends_with("\")") &&
         message.find("(constraint \"") != std::string_view::npos;
}

// Clients that get this code, and find "in an implicit transaction" in the message, run the statement again on its own
// (LangChain).
FailureCode code_of_unsupported(const Error& error) {
  if (error.message == needs_auto_commit().message)
    return {"Neo.DatabaseError.Transaction.TransactionStartFailed", "25N01",
            "invalid transaction state"};
  return {"Neo.ClientError.Statement.UnsupportedOperationError", "50N42", code::general};
}

// Clients test for a procedure by calling it, and continue without it if it does not exist.
FailureCode code_of_absence(const Error& error) {
  if (error.message.starts_with("there is no procedure "))
    return {"Neo.ClientError.Procedure.ProcedureNotFound", "42N08", code::access};
  return {"Neo.ClientError.Statement.EntityNotFound", "22000", data_exception};
}

// Maps an error of the library to a code. A change in doubt must not be retried, whatever its error code is.
FailureCode code_of(const Error& error, Operation operation) {
  if (is_in_doubt(error))
    return {"Neo.DatabaseError.Transaction.TransactionCommitFailed", "2DN01",
            "invalid transaction termination"};
  if (is_of_constraint(error)) return code::violation;
  switch (error.code) {
    case ErrorCode::parse_error:
      return {"Neo.ClientError.Statement.SyntaxError", "42001", code::access};
    case ErrorCode::type_error:
      return {"Neo.ClientError.Statement.TypeError", "22G03", data_exception};
    case ErrorCode::invalid_argument:
      return {"Neo.ClientError.Statement.ArgumentError", "22000", data_exception};
    case ErrorCode::not_found:
      return code_of_absence(error);
    case ErrorCode::already_exists:
      return code::violation;
    case ErrorCode::conflict:
      return code_of_conflict(error, operation);
    case ErrorCode::busy:
      return {"Neo.TransientError.Transaction.LockAcquisitionTimeout", "40000",
              "transaction rollback"};
    case ErrorCode::cancelled:
      return {"Neo.ClientError.Transaction.Terminated", "40000", "transaction rollback"};
    case ErrorCode::resource_limit:
      return code_of_limit(error);
    case ErrorCode::unsupported:
      return code_of_unsupported(error);
    case ErrorCode::io_error:
    case ErrorCode::corruption:
    case ErrorCode::format_too_new:
      break;
  }
  return {"Neo.DatabaseError.General.UnknownError", "50N42", code::general};
}

// Adds the position of an error. Parse errors contain their line already.
std::string message_with_place(const Error& error) {
  if (!error.where || error.message.starts_with("line ")) return error.message;
  return "line " + std::to_string(error.where->line) + ", column " +
         std::to_string(error.where->column) + ": " + error.message;
}

std::string_view classification_of(std::string_view code) {
  if (code.starts_with("Neo.ClientError.")) return "CLIENT_ERROR";
  if (code.starts_with("Neo.TransientError.")) return "TRANSIENT_ERROR";
  return "DATABASE_ERROR";
}

Value position_of(const TextRange& where) {
  return map_of({{"offset", where.begin}, {"line", where.line}, {"column", where.column}});
}

}  // namespace

Failure failure_of(const Error& error, Operation operation) {
  return {code_of(error, operation), message_with_place(error), error.where, Next::go_on, error};
}

Failure invalid_request(std::string message) {
  return {code::request_invalid, std::move(message), std::nullopt, Next::close};
}

Map diagnostic_record(std::string_view classification) {
  return {{"OPERATION", ""},
          {"OPERATION_CODE", "0"},
          {"CURRENT_SCHEMA", "/"},
          {"_classification", classification}};
}

// Bolt 5.7 renamed `code` to `neo4j_code` and added the GQL status.
Map metadata_of(const Failure& failure, Version version) {
  if (version < Version{5, 7}) return {{"code", failure.code.name}, {"message", failure.message}};
  Map record = diagnostic_record(classification_of(failure.code.name));
  if (failure.where) record.emplace("_position", position_of(*failure.where));
  return {{"neo4j_code", failure.code.name},
          {"message", failure.message},
          {"gql_status", failure.code.gql_status},
          {"description", "error: " + std::string(failure.code.condition) + ". " + failure.message},
          {"diagnostic_record", std::move(record)}};
}

}  // namespace cairn::query::bolt
