#pragma once
// Failure: an error as Bolt says it, with the code by which drivers decide what to do.
//
// Drivers run a transaction again for every code of the class TransientError, and for no other.

#include "query/bolt/session.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace cairn::query::bolt {

/// A code of Neo4j with its status of GQL.
struct FailureCode {
  std::string_view name;        ///< Neo.CLASS.CATEGORY.TITLE
  std::string_view gql_status;  ///< five characters
  std::string_view condition;   ///< what the status means, as GQL has it
};

/// Codes that no error of the library stands for.
namespace code {
inline constexpr std::string_view general = "general processing exception";
inline constexpr std::string_view access = "syntax error or access rule violation";
inline constexpr FailureCode request_invalid{"Neo.ClientError.Request.Invalid", "08N06",
                                             "connection exception"};
inline constexpr FailureCode unauthorized{"Neo.ClientError.Security.Unauthorized", "42NFF", access};
inline constexpr FailureCode too_many_tries{"Neo.ClientError.Security.AuthenticationRateLimit",
                                            "42NFF", access};
inline constexpr FailureCode authorization_expired{"Neo.ClientError.Security.AuthorizationExpired",
                                                   "42NFF", access};
inline constexpr FailureCode forbidden{"Neo.ClientError.Security.Forbidden", "42NFF", access};
inline constexpr FailureCode access_mode{"Neo.ClientError.Statement.AccessMode", "25G03",
                                         "invalid transaction state"};
inline constexpr FailureCode invalid_bookmark{"Neo.ClientError.Transaction.InvalidBookmark",
                                              "22000", "data exception"};
inline constexpr FailureCode violation = {"Neo.ClientError.Schema.ConstraintValidationFailed",
                                          "22000", "data exception"};
inline constexpr FailureCode too_much{"Neo.ClientError.Statement.ExecutionFailed", "50N42",
                                      general};
}  // namespace code

struct Failure {
  FailureCode code;
  std::string message;
  std::optional<TextRange> where = {};
  Next next = Next::go_on;
  std::optional<Error> error = {};  ///< the one of the library that it stands for
};

/// What met the error. A conflict of a statement is one of the data, and stays one however often it is run; one of a
/// transaction, which has ended, does not affect the next one.
enum class Operation : bool { statement, transaction };

[[nodiscard]] Failure failure_of(const Error& error, Operation operation);
/// A request that is malformed or not allowed in this state: the connection ends.
[[nodiscard]] Failure invalid_request(std::string message);

/// What FAILURE carries: since 5.7 with the status of GQL.
[[nodiscard]] Map metadata_of(const Failure& failure, Version version);

/// The record that is beside a status; `classification` says what to do about it.
[[nodiscard]] Map diagnostic_record(std::string_view classification);

}  // namespace cairn::query::bolt
