#pragma once
// The implementation of Session: its state and a handler for each request.

#include "query/bolt/interruption.hpp"
#include "query/bolt/login.hpp"
#include "query/bolt/messages.hpp"
#include "query/bolt/session.hpp"
#include "query/bolt/work.hpp"
#include "query/registered/registered_calls.hpp"

#include <cairn/database.hpp>
#include <cairn/statement.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace cairn::query::bolt {

/// The states of the state machine.
enum class State : std::uint8_t {
  connected,        ///< waits for HELLO
  unauthenticated,  ///< waits for LOGON
  ready,
  streaming,  ///< the result of a statement outside of a transaction is open
  in_transaction,
  failed,  ///< waits for RESET
};

/// A cache of the statements that a session parsed last, because drivers send the text each time. Holds 64 statements
/// with texts of at most 16 KiB. Threads: one at a time.
class StatementCache {
 public:
  using StatementPtr =
      std::shared_ptr<const Statement>;  // owners: the cache and the running request

  /// Returns the statement, parsed with the functions that are registered now. Errors: those of Statement::parse().
  [[nodiscard]] Result<StatementPtr> find_or_parse(std::string_view text, const Database& database);

 private:
  RegisteredCallsPtr registered_;  // the functions with which all cached statements were parsed
  std::vector<std::pair<std::string, StatementPtr>> statements_;  // most recently used first
};

/// The database name for drivers. The default namespace has no name, but a database needs one.
inline std::string database_name(const std::string& name_space) {
  return name_space.empty() ? "neo4j" : name_space;
}

/// Threads: see Session.
class Session::Impl {
 public:
  Impl(Shared& shared, Version version, std::string peer, bool is_guest);

  [[nodiscard]] Next handle(std::string_view message, Replies& replies);
  [[nodiscard]] bool may_prepare() const noexcept {
    return pulled_ && (state_ == State::streaming || state_ == State::in_transaction);
  }
  void prepare(const std::function<bool()>& enough);
  [[nodiscard]] bool may_let_go() const noexcept {
    return state_ == State::in_transaction && work_.may_let_go();
  }
  [[nodiscard]] bool is_in_work() const noexcept {
    return state_ == State::streaming || state_ == State::in_transaction || state_ == State::failed;
  }
  void let_go() noexcept {
    pulled_.reset();
    work_.let_go();
  }

  Interruption interruption;
  Login login;

 private:
  /// The outcome of a request: nullopt for success. `metadata` is then the metadata of SUCCESS.
  using Answer = std::optional<Failure>;

  [[nodiscard]] Next answer(std::string_view message, Replies& replies);
  [[nodiscard]] Answer dispatch(const Request& request, Map& metadata, Replies& replies);
  /// Errors: conflict if the transaction was released while the client was idle.
  [[nodiscard]] Answer check_work(Tag tag) const;
  [[nodiscard]] Answer hello(const Map& extra, Map& metadata);
  /// HELLO on the socket in a directory, whose clients need no token.
  [[nodiscard]] Answer hello_of_owner(const Map& extra, Map& metadata);
  [[nodiscard]] Answer log_on(const Map& credentials);
  [[nodiscard]] Answer log_off();
  [[nodiscard]] Answer route(const Request& request, Map& metadata);
  [[nodiscard]] Answer begin(const Map& extra, Map& metadata);
  [[nodiscard]] Answer run(const Request& request, Map& metadata);
  /// Passes a statement to BoltOptions::on_statement.
  void tell_of(const Request& request) const;
  /// RUN of an attached process: a statement, or a call of the library.
  [[nodiscard]] Answer run_attached(const Request& request, Map& metadata);
  [[nodiscard]] Result<std::int64_t> start_attached(const Request& request);
  [[nodiscard]] Answer commit(Map& metadata);
  [[nodiscard]] Answer roll_back();
  [[nodiscard]] Answer pull(const Map& extra, Map& metadata, Replies& replies);
  [[nodiscard]] Answer discard(const Map& extra, Map& metadata);
  void reset();

  /// Reads the options of a transaction, and enters the database of its namespace. Failure: the token does not permit them,
  /// another server has the database, or a bookmark is invalid.
  [[nodiscard]] std::variant<WorkOptions, Failure> options_of(const Map& extra);
  /// The note of a driver's request; nullopt if it has no id.
  [[nodiscard]] std::optional<CommitNote> note_of(const TransactionExtra& said,
                                                  const std::string& name_space) const;
  /// The namespace that a request means. Failure: the token does not permit it.
  [[nodiscard]] std::variant<std::string, Failure> name_space_of(std::string_view database) const;
  /// Uses the database of a namespace from now on.
  [[nodiscard]] Answer enter(const std::string& name_space, const TransactionExtra& said);
  /// Releases the database of a tenant, so that the database can be closed. Precondition: no result
  /// or transaction is open.
  void leave_tenant() noexcept;
  /// The bookmark of a commit of the database that is in use.
  [[nodiscard]] std::string bookmark_of(std::uint64_t commit) const;
  /// Failure: a namespace that is read in addition is of another tenant.
  [[nodiscard]] Answer check_tenants(const std::string& name_space,
                                     const std::vector<std::string>& also_read) const;
  [[nodiscard]] Answer check_bookmarks(const std::vector<std::string>& bookmarks) const;
  /// The open result that PULL or DISCARD names.
  [[nodiscard]] std::variant<Cursor*, Failure> cursor_of(const Portion& portion);
  /// Writes the metadata after a portion: `has_more`, or the summary of the result. Closes a finished result.
  void note_portion(const Portion& portion, const Cursor& cursor, bool has_more, Map& metadata);
  /// Encodes a row as a message in chunks. The result is stored in message_.
  [[nodiscard]] std::string_view record_of(const cairn::Row& row);
  [[nodiscard]] Next send(Tag tag, Map metadata, Replies& replies);
  /// Ends the open work after a failure, unless the transaction survives, and changes the state.
  void fail_work();
  /// True if the client is of this library and has an open transaction.
  [[nodiscard]] bool may_keep_transaction() const;
  [[nodiscard]] Next send_failure(const Failure& failure, Replies& replies);
  [[nodiscard]] codec::PackStreamLimits limits() const;

  Shared& shared_;
  const Version version_;
  const std::string peer_;
  const bool is_guest_;
  State state_ = State::connected;
  std::shared_ptr<Database>
      tenant_;  // nullptr without tenants, and if no result or transaction is open
  Work work_;
  std::optional<std::int64_t> pulled_;  // the result of the last portion if it has more rows
  StatementCache statements_;
  std::string agent_;  // the client's name from HELLO
  bool wants_notifications_ = true;
  bool is_attached_ = false;  // the client is an attached process on this machine
  bool is_ours_ =
      false;  // the client is of this library, attached or remote: errors and results are sent in full
  bool keeps_transaction_ = false;  // the open transaction survives the failure
  bool is_client_gone_ = false;     // the client accepts no more records
  std::string message_;  // the message being encoded; a member so that its memory is reused
};

}  // namespace cairn::query::bolt
