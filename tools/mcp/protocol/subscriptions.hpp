#pragma once
// What one client has subscribed to, in both eras.

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

/// Bounds: at most 1,024 resources and 64 listening requests, with URIs of at most 2,048 bytes.
class Subscriptions {
 public:
  explicit Subscriptions(const ServerDefinition& server) : server_(server) {}
  Subscriptions(const Subscriptions&) = delete;
  Subscriptions& operator=(const Subscriptions&) = delete;
  ~Subscriptions();

  // Clients with handshake: "resources/subscribe" and "resources/unsubscribe".
  [[nodiscard]] std::optional<ProtocolError> subscribe(const json::object& params);
  [[nodiscard]] std::optional<ProtocolError> unsubscribe(const json::object& params);

  // Clients without: "subscriptions/listen", which its request's id names until it ends.
  /// The acknowledgement that is sent first. It says what of the wishes the server can do.
  [[nodiscard]] std::variant<json::object, ProtocolError> listen(const json::value& id,
                                                                 const json::object& params);
  [[nodiscard]] bool is_listening(const json::value& id) const;
  /// False: no listening request has this id.
  bool stop_listening(const json::value& id);
  /// The ids of all listening requests, which are over then.
  [[nodiscard]] std::vector<json::value> stop_all();

  struct Notice {
    json::object message;
    std::optional<json::value> listener;  ///< the id of the listening request that it is for
  };
  /// What is sent for a change. `is_initialized`: the client made a handshake, and so gets changes of lists unasked.
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
