#pragma once
// The clients of an HTTP server: their machines, the streams for answers, and the worker threads of
// handlers.

#include "tools/mcp/protocol/definition.hpp"
#include "tools/mcp/protocol/http_caller.hpp"
#include "tools/mcp/protocol/http_server.hpp"
#include "tools/mcp/protocol/machine.hpp"
#include "tools/mcp/protocol/pending_changes.hpp"
#include "tools/mcp/protocol/shared_room.hpp"
#include "tools/mcp/protocol/worker_pool.hpp"

#include <boost/asio/io_context.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace cairn::tools::mcp {

/// The destination of the answer to one HTTP request.
class HttpStream {
 public:
  HttpStream() = default;
  HttpStream(const HttpStream&) = delete;
  HttpStream& operator=(const HttpStream&) = delete;
  virtual ~HttpStream() = default;

  /// `is_last`: no message follows.
  virtual void send(const json::value& message, bool is_last) = 0;
  /// Ends the stream without a further message.
  virtual void end() = 0;
  /// True if the client reads too slowly, so that optional messages should be skipped.
  [[nodiscard]] virtual bool is_slow() const = 0;
};

/// One client: a session after a handshake, or a single request without one.
struct HttpPeer {
  /// `asking`: the room of all peers for the calls that wait for their clients.
  HttpPeer(HttpCaller of, SharedRoom& asking);

  const HttpCaller caller;
  Machine machine;
  std::map<std::string, std::weak_ptr<HttpStream>> streams;  ///< by the JSON of the request's id
  std::atomic<int> reports = 0;  ///< progress and logs waiting for the io_context
};

/// Used only on the thread of the io_context; handlers run on other threads.
class HttpHub {
 public:
  /// All arguments must outlive the hub.
  HttpHub(HttpLogin login, boost::asio::io_context& io, const HttpOptions& options);
  HttpHub(const HttpHub&) = delete;
  HttpHub& operator=(const HttpHub&) = delete;
  /// Cancels running handlers and waits for them.
  ~HttpHub();

  /// Returns the caller of a bearer token, or why the token is refused.
  [[nodiscard]] std::variant<HttpCaller, HttpRefusal> log_in(std::string_view token) const {
    return login_(token);
  }
  /// Adds a client for one request. It is destroyed with the last pointer to it.
  [[nodiscard]] std::shared_ptr<HttpPeer> add_guest(const HttpCaller& caller);
  /// Adds a client with a session of a new name. If there are too many sessions, the least recently
  /// used one ends, of the caller that has most. So a caller cannot end sessions of others by
  /// opening many.
  [[nodiscard]] std::shared_ptr<HttpPeer> add_session(std::string& name, const HttpCaller& caller);
  /// Returns nullptr if this caller has no session of that name.
  [[nodiscard]] std::shared_ptr<HttpPeer> find_session(std::string_view name,
                                                       const HttpCaller& caller);

  /// Returns the ids of the requests in a message, which may be a batch.
  [[nodiscard]] static std::vector<json::value> request_ids(const json::value& message);
  /// Reserves room for a message of so many requests until it is answered. Returns false if the caller has used up its
  /// share, or no room is left. A message that begins to listen gives back its place among the messages at once, and its
  /// bytes when it ends.
  [[nodiscard]] bool take(const HttpCaller& caller, std::size_t requests, std::size_t cost);
  void give_back_place(const HttpCaller& caller);
  void give_back_bytes(const HttpCaller& caller, std::size_t cost);

  /// Passes a message to the client's machine; answers go to `stream`.
  void receive(const std::shared_ptr<HttpPeer>& peer, json::value message, std::size_t cost,
               const std::shared_ptr<HttpStream>& stream);
  /// True if one of these requests has not been answered yet.
  [[nodiscard]] static bool is_open(HttpPeer& peer, const std::vector<json::value>& ids);
  /// True if these requests are one that listens.
  [[nodiscard]] static bool is_listening(const HttpPeer& peer, const std::vector<json::value>& ids);
  /// Removes the session of a refused handshake.
  void drop_session(std::string_view name);

 private:
  struct Session {
    std::string name;
    std::shared_ptr<HttpPeer> peer;
  };

  void end_a_session_for(const HttpCaller& caller);
  void deliver(const std::shared_ptr<HttpPeer>& peer, Step step,
               const std::shared_ptr<HttpStream>& current);
  void begin_call(const std::shared_ptr<HttpPeer>& peer, Call call);
  void run_call(const std::shared_ptr<HttpPeer>& peer, const Call& call);
  void end_call(const std::shared_ptr<HttpPeer>& peer, std::uint64_t number, std::size_t cost,
                Outcome outcome);
  void report(const std::shared_ptr<HttpPeer>& peer, const Call& call, json::object message);
  /// Subscribes to the changes of this server, once for all of its clients.
  void listen_to(const std::shared_ptr<Changes>& changes);
  void tell_changes(const Changes* of);
  /// Unsubscribes from servers that have no clients left.
  void forget_changes();
  void end_answered_streams(HttpPeer& peer);

  HttpLogin login_;
  boost::asio::io_context& io_;
  const HttpOptions& options_;
  // Requests in progress, by connection. The calls of a session continue after their connection has closed; they count as
  // calls then.
  SharedRoom messages_;
  SharedRoom message_bytes_;
  SharedRoom calls_;  ///< that wait for a worker or run
  SharedRoom call_bytes_;
  SharedRoom asking_bytes_;      ///< of the calls that wait for their clients, in all sessions
  std::list<Session> sessions_;  ///< the last used one first
  std::list<std::weak_ptr<HttpPeer>> peers_;
  struct HeardChanges {
    std::shared_ptr<Changes> changes;
    std::unique_ptr<PendingChanges> pending;  ///< destroyed before the changes
  };
  std::map<const Changes*, HeardChanges> heard_;
  WorkerPool workers_;
};

}  // namespace cairn::tools::mcp
