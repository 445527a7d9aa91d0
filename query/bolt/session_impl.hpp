#pragma once
// The implementation of Session: its state, and the handler of each request.

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
#include <vector>

namespace cairn::query::bolt {

enum class State : std::uint8_t {
  connected,        ///< HELLO is to come
  unauthenticated,  ///< LOGON is to come
  ready,
  streaming,  ///< the result of a statement of its own is open
  in_transaction,
  failed,  ///< RESET is to come
};

/// The statements that one session parsed last, as drivers send the text each time. Holds 64; none of a text over 16 KiB.
/// Threads: one at a time.
class StatementCache {
 public:
  using StatementPtr = std::shared_ptr<const Statement>;  // owners: the cache and who runs it

  /// The statement, parsed with the functions that are registered now. Errors: as of Statement::parse().
  [[nodiscard]] Result<StatementPtr> find_or_parse(std::string_view text, const Database& database);

 private:
  RegisteredCallsPtr registered_;  // what all of them were parsed with
  std::vector<std::pair<std::string, StatementPtr>> statements_;  // the latest used first
};

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
  void let_go() noexcept {
    pulled_.reset();
    work_.let_go();
  }

  Interruption interruption;
  Login login;

 private:
  /// Nothing where a request succeeded, and `metadata` is what its SUCCESS carries.
  using Answer = std::optional<Failure>;

  [[nodiscard]] Next answer(std::string_view message, Replies& replies);
  [[nodiscard]] Answer dispatch(const Request& request, Map& metadata, Replies& replies);
  /// Errors: conflict, where the transaction was let go.
  [[nodiscard]] Answer check_work(Tag tag) const;
  [[nodiscard]] Answer hello(const Map& extra, Map& metadata);
  [[nodiscard]] Answer hello_of_owner(const Map& extra, Map& metadata);
  [[nodiscard]] Answer log_on(const Map& credentials);
  [[nodiscard]] Answer log_off();
  [[nodiscard]] Answer route(const Request& request, Map& metadata);
  [[nodiscard]] Answer begin(const Map& extra, Map& metadata);
  [[nodiscard]] Answer run(const Request& request, Map& metadata);
  void tell_of(const Request& request) const;
  /// RUN of an attached process.
  [[nodiscard]] Answer run_attached(const Request& request, Map& metadata);
  [[nodiscard]] Result<std::int64_t> start_attached(const Request& request);
  [[nodiscard]] Answer commit(Map& metadata);
  [[nodiscard]] Answer roll_back();
  [[nodiscard]] Answer pull(const Map& extra, Map& metadata, Replies& replies);
  [[nodiscard]] Answer discard(const Map& extra, Map& metadata);
  void reset();

  /// The options of a transaction, where everything that its client says of it is allowed.
  [[nodiscard]] std::variant<WorkOptions, Failure> options_of(const Map& extra) const;
  [[nodiscard]] std::variant<Cursor*, Failure> cursor_of(const Portion& portion);
  /// After a portion: whether there is more of the result, or its summary and its end.
  void note_portion(const Portion& portion, const Cursor& cursor, bool has_more, Map& metadata);
  /// In message_, in chunks.
  [[nodiscard]] std::string_view record_of(const Row& row);
  [[nodiscard]] Next send(Tag tag, const Map& metadata, Replies& replies);
  /// What a failure does to what is open, and to the state.
  void fail_work();
  /// Whether the client is of this library and has a transaction that is open.
  [[nodiscard]] bool may_keep_transaction() const;
  [[nodiscard]] Next send_failure(const Failure& failure, Replies& replies);
  [[nodiscard]] codec::PackStreamLimits limits() const;

  Shared& shared_;
  const Version version_;
  const std::string peer_;
  const bool is_guest_;
  State state_ = State::connected;
  Work work_;
  std::optional<std::int64_t> pulled_;  // the result of the last portion, where it has more
  StatementCache statements_;
  std::string agent_;  // what the client calls itself
  bool wants_notifications_ = true;
  bool is_attached_ = false;        // the client is a process of this library, and of this machine
  bool is_ours_ = false;            // it is of this library, wherever: errors and results go whole
  bool keeps_transaction_ = false;  // of one of ours, over a failure of a statement in it
  bool is_client_gone_ = false;     // it takes no more records
  std::string message_;             // the one that is being made, to keep its memory
};

}  // namespace cairn::query::bolt
