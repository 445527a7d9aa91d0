#pragma once
// Session: what one client of Bolt has open, as a state machine over whole messages. It knows no socket.
//
//   HELLO -> unauthenticated -> LOGON -> ready -> RUN -> streaming -> ready
//                                         ready -> BEGIN -> in transaction -> RUN, PULL ... -> COMMIT -> ready
//   an error -> failed: all is IGNORED until RESET; a message out of order ends the connection

#include "query/bolt/shared.hpp"

#include <cairn/bolt.hpp>
#include <cairn/database.hpp>

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace cairn::query::bolt {

struct Version {
  std::uint8_t major = 5;
  std::uint8_t minor = 0;
  friend auto operator<=>(const Version&, const Version&) = default;
};

/// Takes the answers, in order.
class Replies {
 public:
  virtual ~Replies() = default;
  /// One whole message, without chunks. False where the client is gone or reads nothing: the session is to end.
  [[nodiscard]] virtual bool add(std::string_view message) = 0;
  /// The same of messages that are in chunks already. This one takes them out of these again.
  [[nodiscard]] virtual bool add_chunks(std::string_view chunks);
};

enum class Next : bool { close, go_on };

/// Threads: handle(), prepare() and let_go() from one at a time; interrupt(), is_logged_on() and principal() from any.
class Session {
 public:
  /// `shared` outlives the session. `peer` is the client's address without its port. A guest is a process of another user of
  /// this machine: nothing that it asks touches files.
  Session(Shared& shared, Version version, std::string peer, bool is_guest = false);
  ~Session();  ///< rolls back what is open
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Answer one message.
  [[nodiscard]] Next handle(std::string_view message, Replies& replies);
  /// Whether a result has more rows than its client asked for so far.
  [[nodiscard]] bool may_prepare() const noexcept;
  /// Evaluate rows that the client will ask for next, while no message waits: until there is `enough`.
  void prepare(const std::function<bool()>& enough);
  /// Whether it has a transaction that has only read, and so holds back what others have overwritten.
  [[nodiscard]] bool may_let_go() const noexcept;
  /// End that, as its client says nothing: what it asks of it then is a conflict.
  void let_go() noexcept;
  /// A RESET has arrived, which handle() will have later: end what runs. What comes before that RESET is ignored.
  void interrupt();
  /// End what runs, for good.
  void cancel();
  /// Until then the limits before logon hold.
  [[nodiscard]] bool is_logged_on() const;
  /// The name of the token it logged on with; empty before.
  [[nodiscard]] std::string principal() const;

  class Impl;

 private:
  std::unique_ptr<Impl> impl_;
};

/// Whether a whole message is a RESET.
[[nodiscard]] bool is_reset(std::string_view message) noexcept;

}  // namespace cairn::query::bolt
