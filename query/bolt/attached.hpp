#pragma once
// What processes of this library say to each other beyond Bolt. It is in entries named "cairn": of HELLO and its SUCCESS who
// they are, of RUN the options of its statement, of SUCCESS what rows know at their end, of FAILURE the error itself.
//
// One that comes by the network (query/remote) gets errors and results in this way, and may ask for lower limits. It
// logs on by a token as any other client; what else an attached process may say is not read.
//
// A process of this library keeps its transaction where a statement in it fails: the session waits for RESET as any other, and
// then the transaction goes on. Only ROLLBACK ends it.

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

inline constexpr const char* attached_entry = "cairn";
/// Of FAILURE: the transaction has ended with it.
inline constexpr const char* ended_entry = "cairn_ended";
/// Statements of this form are calls of the library: "CALL cairn.NAME($arguments)".
inline constexpr std::string_view call_begin = "CALL cairn.";
inline constexpr std::string_view call_end = "($arguments)";

/// Where a call of the library is made: in a transaction, on a snapshot, or where both are null on the database.
struct CallPlace {
  Database& database;
  Transaction* transaction = nullptr;
  const Snapshot* snapshot = nullptr;
  const StatementOptions& options;
};

/// A client and the number of the commit that it is about to make, so that it can ask later whether it was made.
struct CommitNote {
  std::string client;
  std::int64_t count = 0;
};
/// The entry "note" of RUN and BEGIN.
[[nodiscard]] std::optional<CommitNote> note_of(const Map& said);
/// What is stored of a commit: its statement's results and, where they are few, its rows.
[[nodiscard]] Map outcome_of(const Rows& rows, const std::vector<List>& values);
/// The key and the value of a note in the store.
[[nodiscard]] std::pair<std::string, std::string> entry_of(const CommitNote& note,
                                                           const Map& outcome);

/// What the host of a database has for its attached processes. Threads: any.
class AttachedCalls {
 public:
  virtual ~AttachedCalls() = default;
  /// Errors: unsupported for a name that this version has not; as of the call.
  [[nodiscard]] virtual Result<Value> call(std::string_view name, const Map& arguments,
                                           const CallPlace& place) = 0;
  /// A commit of a client is about to be made. Errors: conflict, where the client has asked meanwhile what became of it,
  /// on another connection, and so has given it up.
  [[nodiscard]] virtual Status begin_commit(const CommitNote& note) = 0;
  /// It was made, or it never will be.
  virtual void end_commit(const CommitNote& note) noexcept = 0;
  /// The greeting of a process that connects. Errors: unsupported for one that speaks otherwise.
  [[nodiscard]] virtual Result<Map> greet(const Map& said) = 0;
};

[[nodiscard]] Value value_of(const Error& error);
/// Of what value_of() made; io_error with what is there for anything else.
[[nodiscard]] Error error_of(const Value& value);

/// Without the entries that have their default, and without `cancel`.
[[nodiscard]] Map statement_map_of(const StatementOptions& options);
[[nodiscard]] StatementOptions statement_options_of(const Map& map);

/// What an attached process says of a statement or a call: the entry of RUN.
struct AttachedRequest {
  StatementOptions options;
  bool sees_deleted = false;         ///< of a snapshot, with what is softly deleted
  std::optional<CommitNote> note{};  ///< of a single statement
};
inline constexpr const char* deleted_entry = "deleted";
[[nodiscard]] AttachedRequest request_of(const Map& said);
/// Of BEGIN: a snapshot that is asked for as a transaction, whose rows are made when its statements run.
inline constexpr const char* transaction_entry = "transaction";

/// Changes, warnings and plan.
[[nodiscard]] Map results_of(const Rows& rows);
struct RowsResults {
  Changes changes;
  std::vector<std::string> warnings;
  std::string plan;
};
[[nodiscard]] RowsResults results_of(const Map& map);

}  // namespace cairn::query::bolt
