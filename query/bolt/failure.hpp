#pragma once
// Failure: an error in the terms of Bolt, with the code by which drivers decide what to do. Drivers retry a transaction
// for codes of the class TransientError only.

#include "query/bolt/session.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace cairn::query::bolt {

/// An error code of Neo4j with its GQL status.
struct FailureCode {
  std::string_view name;        ///< Neo.CLASS.CATEGORY.TITLE
  std::string_view gql_status;  ///< five characters
  std::string_view condition;   ///< the meaning of the status in the GQL standard
};

/// Codes of failures that are not errors of the library.
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
// The transaction of a request was committed before. Drivers do not repeat it.
inline constexpr FailureCode committed{"Neo.ClientError.Transaction.AlreadyCommitted", "25N00",
                                       "invalid transaction state"};
inline constexpr FailureCode no_database{"Neo.ClientError.Database.DatabaseNotFound", "22N51",
                                         "data exception"};
// Drivers request the routing table again, and try again at the server that the table names.
inline constexpr FailureCode not_a_leader{"Neo.ClientError.Cluster.NotALeader", "08N08",
                                          "connection exception"};
}  // namespace code

/// An error as a session sends it.
struct Failure {
  FailureCode code;
  std::string message;
  std::optional<TextRange> where = {};
  Next next = Next::go_on;
  std::optional<Error> error = {};  ///< the error of the library that the failure reports
};

/// What failed. A conflict of a statement is about the data, so running the statement again does not help. A conflict of
/// a transaction ends it; running the transaction again may succeed.
enum class Operation : bool { statement, transaction };

/// The Bolt failure for an error of the library.
[[nodiscard]] Failure failure_of(const Error& error, Operation operation);
/// The failure of a request that is malformed or not allowed in this state. The connection ends.
[[nodiscard]] Failure invalid_request(std::string message);

/// The metadata of FAILURE; since Bolt 5.7 with the GQL status.
[[nodiscard]] Map metadata_of(const Failure& failure, Version version);

/// The diagnostic record of a status. `classification` tells drivers what kind of problem it is.
[[nodiscard]] Map diagnostic_record(std::string_view classification);

}  // namespace cairn::query::bolt
