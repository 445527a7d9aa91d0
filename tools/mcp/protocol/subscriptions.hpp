#pragma once
// The subscriptions of one client, in both eras of the protocol.

#include "tools/mcp/protocol/definition.hpp"
#include "tools/mcp/protocol/message.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace cairn::tools::mcp {

/// Limits: 1,024 resources, 64 listening requests, 2,048 bytes per URI.
class Subscriptions {
 public:
  explicit Subscriptions(const ServerDefinition& server) : server_(server) {}
  Subscriptions(const Subscriptions&) = delete;
  Subscriptions& operator=(const Subscriptions&) = delete;
  ~Subscriptions();

  // Clients with handshake: "resources/subscribe" and "resources/unsubscribe".
  [[nodiscard]] std::optional<ProtocolError> subscribe(const json::object& params);
  [[nodiscard]] std::optional<ProtocolError> unsubscribe(const json::object& params);

  // Clients without handshake: "subscriptions/listen". The request's id identifies the subscription
  // until it ends.
  /// Begins to listen. Returns the acknowledgement to send first, which lists the wishes that the
  /// server supports. Errors: wishes or URIs of a wrong form; too many listening requests or
  /// subscriptions.
  [[nodiscard]] std::variant<json::object, ProtocolError> listen(const json::value& id,
                                                                 const json::object& params);
  [[nodiscard]] bool is_listening(const json::value& id) const;
  /// Returns false if no listening request has this id.
  bool stop_listening(const json::value& id);
  /// Ends all listening requests; returns their ids.
  [[nodiscard]] std::vector<json::value> stop_all();

  struct Notice {
    json::object message;
    std::optional<json::value> listener;  ///< the id of its listening request
  };
  /// Returns the messages for a change. `is_initialized`: the client made a handshake, so it also
  /// gets changes of lists.
  [[nodiscard]] std::vector<Notice> notices_of(const Change& change, bool is_initialized) const;

 private:
  struct Listener {
    json::value id;
    std::set<Change::Kind> lists;
    std::set<std::string> uris;
  };

  [[nodiscard]] std::optional<ProtocolError> check_uri(const json::value* uri) const;
  [[nodiscard]] std::size_t watched() const;
  void forget(const Listener& listener);

  const ServerDefinition& server_;
  std::set<std::string> uris_;
  std::map<std::string, Listener> listeners_;  ///< by the JSON of their ids
};

}  // namespace cairn::tools::mcp
