#pragma once
// The clients of an HTTP server: their machines, the streams that wait for answers, and the threads of handlers.

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

/// Where the answer of one request by HTTP goes.
class HttpStream {
 public:
  HttpStream() = default;
  HttpStream(const HttpStream&) = delete;
  HttpStream& operator=(const HttpStream&) = delete;
  virtual ~HttpStream() = default;

  /// `is_last`: nothing follows.
  virtual void send(const json::value& message, bool is_last) = 0;
  /// Nothing comes any more, not even a last message.
  virtual void end() = 0;
  /// What can be left out is, while the client reads too little.
  [[nodiscard]] virtual bool is_slow() const = 0;
};

/// One client: a session after a handshake, or a single request without one.
struct HttpPeer {
  explicit HttpPeer(HttpCaller of)
      : caller(std::move(of)), machine(*caller.server, *caller.signer) {}

  const HttpCaller caller;
  Machine machine;
  std::map<std::string, std::weak_ptr<HttpStream>> streams;  ///< by the JSON of the request's id
  std::atomic<int> reports = 0;                              ///< of handlers, on their way
};

/// Used by the thread of the io_context alone; handlers run on others.
class HttpHub {
 public:
  /// All must live longer.
  HttpHub(HttpLogin login, boost::asio::io_context& io, const HttpOptions& options);
  HttpHub(const HttpHub&) = delete;
  HttpHub& operator=(const HttpHub&) = delete;
  /// Cancels what runs, and waits for it.
  ~HttpHub();

  /// The caller of a bearer token, or why the token is refused.
  [[nodiscard]] std::variant<HttpCaller, HttpRefusal> log_in(std::string_view token) const {
    return login_(token);
  }
  /// A client of one request. It is forgotten when the last pointer to it goes.
  [[nodiscard]] std::shared_ptr<HttpPeer> add_guest(const HttpCaller& caller);
  /// A client with a session of this new name. Where there are too many, one of the caller with most of them ends, the one
  /// unused for longest: nobody ends the sessions of others by opening many.
  [[nodiscard]] std::shared_ptr<HttpPeer> add_session(std::string& name, const HttpCaller& caller);
  /// Null: this caller has no such session, or no longer.
  [[nodiscard]] std::shared_ptr<HttpPeer> find_session(std::string_view name,
                                                       const HttpCaller& caller);

  /// The ids of the requests of a message, which may be a batch.
  [[nodiscard]] static std::vector<json::value> request_ids(const json::value& message);
  /// Take room for a message of so many requests, until it is answered; false: this caller has its share of the room, or
  /// no room is left.
  [[nodiscard]] bool take(const HttpCaller& caller, std::size_t requests, std::size_t cost);
  void give_back(const HttpCaller& caller, std::size_t cost);

  /// Give a message to the client's machine; its answers go to `stream`.
  void receive(const std::shared_ptr<HttpPeer>& peer, json::value message, std::size_t cost,
               const std::shared_ptr<HttpStream>& stream);
  /// Whether one of these requests is still to be answered.
  [[nodiscard]] static bool is_open(HttpPeer& peer, const std::vector<json::value>& ids);
  /// Of a handshake that was refused.
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
  /// Hear of the changes of this server, once for all of its clients.
  void listen_to(const std::shared_ptr<Changes>& changes);
  void tell_changes(const Changes* of);
  /// Servers whose clients are all gone are heard of no more.
  void forget_changes();
  void end_answered_streams(HttpPeer& peer);

  HttpLogin login_;
  boost::asio::io_context& io_;
  const HttpOptions& options_;
  // What is being answered, by connection: a session's calls go on where their connection has gone, and count as calls.
  SharedRoom messages_;
  SharedRoom message_bytes_;
  SharedRoom calls_;  ///< that wait for a worker or run
  SharedRoom call_bytes_;
  std::list<Session> sessions_;  ///< the last used one first
  std::list<std::weak_ptr<HttpPeer>> peers_;
  struct HeardChanges {
    std::shared_ptr<Changes> changes;
    std::unique_ptr<PendingChanges> pending;  ///< goes before the changes
  };
  std::map<const Changes*, HeardChanges> heard_;
  WorkerPool workers_;
};

}  // namespace cairn::tools::mcp
