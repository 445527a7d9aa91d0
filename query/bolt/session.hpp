#pragma once
// Session: the state machine of one Bolt client. A session handles complete messages and uses no
// sockets.
//
//   HELLO -> unauthenticated -> LOGON -> ready -> RUN -> streaming -> ready
//                                        ready -> BEGIN -> in transaction -> RUN, PULL ... -> COMMIT -> ready
//   an error -> failed: every request is IGNORED until RESET; a request that the state does not allow ends the connection

#include "query/bolt/shared.hpp"

#include <cairn/bolt.hpp>
#include <cairn/database.hpp>

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace cairn::query::bolt {

/// A version of Bolt.
struct Version {
  std::uint8_t major = 5;
  std::uint8_t minor = 0;
  friend auto operator<=>(const Version&, const Version&) = default;
};

/// The receiver of the answers, in their order.
class Replies {
 public:
  virtual ~Replies() = default;
  /// Takes one complete message without chunks. Returns false if the client is gone or reads nothing; then the session
  /// must end.
  [[nodiscard]] virtual bool add(std::string_view message) = 0;
  /// Takes messages that are in chunks already. This implementation unpacks them and calls add().
  [[nodiscard]] virtual bool add_chunks(std::string_view chunks);
};

/// Whether the connection continues after a message.
enum class Next : bool { close, go_on };

/// Threads: handle(), prepare(), let_go() and is_in_work() from one thread at a time; interrupt(), is_logged_on() and principal() from
/// any.
class Session {
 public:
  /// `shared` must outlive the session. `peer` is the client's address without its port. `is_guest` is true for a
  /// process of another user on this machine, whose requests must not use files.
  Session(Shared& shared, Version version, std::string peer, bool is_guest = false);
  ~Session();  ///< rolls back an open transaction
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Answers one message.
  [[nodiscard]] Next handle(std::string_view message, Replies& replies);
  /// True if the client has pulled a part of a result and will probably pull more.
  [[nodiscard]] bool may_prepare() const noexcept;
  /// Produces rows that the client will probably pull next, until `enough` returns true. Called while no message is
  /// waiting.
  void prepare(const std::function<bool()>& enough);
  /// True if the open transaction has only read. Its snapshot prevents the removal of overwritten data.
  [[nodiscard]] bool may_let_go() const noexcept;
  /// Ends an open transaction that has only read, because its client is idle. Later requests to
  /// read in it fail with a conflict.
  void let_go() noexcept;
  /// True if a result or a transaction is open, or a failure waits for its RESET: the client is expected to send more.
  [[nodiscard]] bool is_in_work() const noexcept;
  /// Called when a RESET has arrived that handle() will receive later: stops the running statement. All messages before
  /// that RESET are ignored.
  void interrupt();
  /// Stops the session for good.
  void cancel();
  /// True after the logon; before it, stricter limits apply.
  [[nodiscard]] bool is_logged_on() const;
  /// The name of the token with which the client logged on; empty before.
  [[nodiscard]] std::string principal() const;

  class Impl;

 private:
  std::unique_ptr<Impl> impl_;
};

/// True if a message is a RESET.
[[nodiscard]] bool is_reset(std::string_view message) noexcept;

}  // namespace cairn::query::bolt
