#pragma once
// The extension of Bolt that processes of this library use among each other: entries named "cairn" in the metadata of
// messages.
//
//   HELLO and its SUCCESS   who the two processes are
//   RUN                     the options of the statement
//   SUCCESS of PULL         changes, warnings and plan
//   FAILURE                 the error itself, in addition to its Bolt code
//
// There are two kinds of clients that use the extension. An attached process uses the socket in the directory of the
// database and may use all of the extension. A remote client (query/remote) connects through the network and logs on
// with a token. It gets errors and results in this form, and may set a timeout and lower the limits of memory and rows.
// All its other entries are ignored.
//
// A transaction of such a client survives a failed statement: the session still waits for RESET, but the transaction
// continues afterwards. It ends by COMMIT or ROLLBACK, or with a failure that has the entry `cairn_ended`.

#include <cairn/database.hpp>
#include <cairn/options.hpp>
#include <cairn/result.hpp>
#include <cairn/snapshot.hpp>
#include <cairn/statement.hpp>
#include <cairn/transaction.hpp>
#include <cairn/value.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::query::bolt {

/// The name of the entries.
inline constexpr const char* attached_entry = "cairn";
/// In FAILURE: the transaction has ended with the failure.
inline constexpr const char* ended_entry = "cairn_ended";
/// In the answer to HELLO: the process id of the client, as the host sees it. A client in
/// another container has a different id there; 0 if the host cannot see it.
inline constexpr const char* client_entry = "client";
/// Statements of the form "CALL cairn.NAME($arguments)" are not parsed: they call the library.
inline constexpr std::string_view call_begin = "CALL cairn.";
inline constexpr std::string_view call_end = "($arguments)";

/// Where a call of the library runs: in a transaction, on a snapshot, or, if both are nullptr, on the
/// database.
struct CallPlace {
  Database& database;
  Transaction* transaction = nullptr;
  const Snapshot* snapshot = nullptr;
  const StatementOptions& options;
};

/// The name of a client and the number of its next commit. Both are stored with the commit, so that the client can
/// ask later whether the commit was made.
struct CommitNote {
  std::string client;
  std::int64_t count = 0;
};
/// Reads the entry "note" of RUN and BEGIN; nullopt if it is absent.
[[nodiscard]] std::optional<CommitNote> note_of(const Map& said);
/// What is stored with a commit: the results of its statement and, if they are small, its rows.
[[nodiscard]] Map outcome_of(const Rows& rows, const std::vector<List>& values);
/// The key and the value under which a note is stored. `is_unfinished`: see codec::ClientEntry.
[[nodiscard]] std::pair<std::string, std::string> entry_of(const CommitNote& note,
                                                           const Map& outcome,
                                                           bool is_unfinished = false);

/// The functions that a host offers to its attached processes. Threads: any.
class AttachedCalls {
 public:
  virtual ~AttachedCalls() = default;
  /// Runs a call of the library. Errors: unsupported for a name that this version does not have; those of the call.
  [[nodiscard]] virtual Result<Value> call(std::string_view name, const Map& arguments,
                                           const CallPlace& place) = 0;
  /// Registers a commit that is about to be made. Errors: conflict if the client has asked on another connection whether
  /// the commit was made: then it must not be made any more.
  [[nodiscard]] virtual Status begin_commit(const CommitNote& note) = 0;
  /// Called when the commit was made, or will never be made.
  virtual void end_commit(const CommitNote& note) noexcept = 0;
  /// Answers the greeting of a process that connects. Errors: unsupported if it speaks another version of the protocol.
  [[nodiscard]] virtual Result<Map> greet(const Map& said) = 0;
};

/// An error as a value, for the metadata of FAILURE.
[[nodiscard]] Value value_of(const Error& error);
/// Reads the value that value_of() wrote. Any other value becomes an io_error that quotes it.
[[nodiscard]] Error error_of(const Value& value);

/// Writes the options that differ from their defaults. `cancel` is not written: it becomes a RESET.
[[nodiscard]] Map statement_map_of(const StatementOptions& options);
[[nodiscard]] StatementOptions statement_options_of(const Map& map);

/// The entry of RUN for a statement or a call.
struct AttachedRequest {
  StatementOptions options;
  bool sees_deleted = false;         ///< runs on the snapshot with soft-deleted records
  std::optional<CommitNote> note{};  ///< only for a single statement
};
inline constexpr const char* deleted_entry = "deleted";
[[nodiscard]] AttachedRequest request_of(const Map& said);
/// In BEGIN: a snapshot that behaves as a transaction, so that rows are produced when their statements run.
inline constexpr const char* transaction_entry = "transaction";

/// Writes and reads the changes, warnings and plan of a result.
[[nodiscard]] Map results_of(const Rows& rows);
struct RowsResults {
  Changes changes;
  std::vector<std::string> warnings;
  std::string plan;
};
[[nodiscard]] RowsResults results_of(const Map& map);

}  // namespace cairn::query::bolt
