// Subscriptions of one client. Clients with handshake subscribe to single resources and get changes
// of lists unasked. Others send a listening request that names what they want. Watched URIs are
// counted in Changes, once per subscription.
#include "tools/mcp/protocol/subscriptions.hpp"

#include <utility>

namespace cairn::tools::mcp {
namespace {

constexpr std::size_t most_uris = 1'024;
constexpr std::size_t most_uri_bytes = 2'048;
constexpr std::size_t most_listeners = 64;
constexpr const char* subscription_key = "io.modelcontextprotocol/subscriptionId";

ProtocolError refused(std::string text) {
  return {ProtocolCode::invalid_params, std::move(text), std::nullopt};
}

std::string_view method_of(Change::Kind kind) {
  switch (kind) {
    case Change::Kind::tools:
      return "notifications/tools/list_changed";
    case Change::Kind::prompts:
      return "notifications/prompts/list_changed";
    case Change::Kind::resources:
      return "notifications/resources/list_changed";
    case Change::Kind::resource:
      break;
  }
  return "notifications/resources/updated";
}

bool is_wanted(const json::object& wishes, std::string_view key) {
  const json::value* wish = wishes.if_contains(key);
  return wish != nullptr && *wish == json::value(true);
}

/// True if every known wish has the right type; unknown ones are ignored.
bool is_filter(const json::object& wishes) {
  for (const char* key : {"toolsListChanged", "promptsListChanged", "resourcesListChanged"})
    if (const json::value* wish = wishes.if_contains(key))
      if (!wish->is_bool()) return false;
  const json::value* uris = wishes.if_contains("resourceSubscriptions");
  return uris == nullptr || uris->is_array();
}

}  // namespace

Subscriptions::~Subscriptions() {
  if (!server_.changes) return;
  for (const std::string& uri : uris_) server_.changes->unwatch(uri);
  for (const auto& [key, listener] : listeners_) forget(listener);
}

std::optional<ProtocolError> Subscriptions::subscribe(const json::object& params) {
  const json::value* uri = params.if_contains("uri");
  if (auto fault = check_uri(uri)) return fault;
  if (watched() >= most_uris)
    return refused("more than 1024 subscriptions of resources; unsubscribe from some first");
  if (uris_.emplace(uri->get_string()).second)
    server_.changes->watch(std::string(uri->get_string()));
  return std::nullopt;
}

std::optional<ProtocolError> Subscriptions::unsubscribe(const json::object& params) {
  const json::value* uri = params.if_contains("uri");
  if (auto fault = check_uri(uri)) return fault;
  const std::string name(uri->get_string());
  if (uris_.erase(name) > 0) server_.changes->unwatch(name);
  return std::nullopt;
}

std::variant<json::object, ProtocolError> Subscriptions::listen(const json::value& id,
                                                                const json::object& params) {
  const json::object* wishes = find_object(params, "notifications");
  if (wishes == nullptr || !is_filter(*wishes))
    return refused(
        "subscriptions/listen needs `notifications`: an object of toolsListChanged, "
        "promptsListChanged, resourcesListChanged (booleans) and resourceSubscriptions "
        "(a list of URIs)");
  if (listeners_.size() >= most_listeners)
    return ProtocolError{ProtocolCode::internal_error,
                         "no more than 64 listening requests; cancel one", std::nullopt};

  Listener listener;
  listener.id = id;
  json::object honored;
  const auto take_list = [&](const char* key, Change::Kind kind, bool exists) {
    if (!is_wanted(*wishes, key) || !exists || !server_.lists_change || !server_.changes) return;
    listener.lists.insert(kind);
    honored[key] = true;
  };
  take_list("toolsListChanged", Change::Kind::tools, !server_.tools.empty());
  take_list("promptsListChanged", Change::Kind::prompts, !server_.prompts.empty());
  take_list("resourcesListChanged", Change::Kind::resources,
            static_cast<bool>(server_.read_resource));
  const json::value* uris = wishes->if_contains("resourceSubscriptions");
  if (uris != nullptr && server_.changes && server_.read_resource && !uris->get_array().empty()) {
    for (const json::value& uri : uris->get_array()) {
      if (auto fault = check_uri(&uri)) return *std::move(fault);
      listener.uris.emplace(uri.get_string());
      if (watched() + listener.uris.size() > most_uris)
        return refused("more than 1024 subscriptions of resources; unsubscribe from some first");
    }
    honored["resourceSubscriptions"] = *uris;
    for (const std::string& uri : listener.uris) server_.changes->watch(uri);
  }
  listeners_.emplace(json::serialize(id), std::move(listener));
  return notification("notifications/subscriptions/acknowledged",
                      {{"_meta", {{subscription_key, id}}}, {"notifications", std::move(honored)}});
}

bool Subscriptions::is_listening(const json::value& id) const {
  return listeners_.contains(json::serialize(id));
}

bool Subscriptions::stop_listening(const json::value& id) {
  const auto found = listeners_.find(json::serialize(id));
  if (found == listeners_.end()) return false;
  forget(found->second);
  listeners_.erase(found);
  return true;
}

std::vector<json::value> Subscriptions::stop_all() {
  std::vector<json::value> ids;
  for (const auto& [key, listener] : std::exchange(listeners_, {})) {
    forget(listener);
    ids.push_back(listener.id);
  }
  return ids;
}

std::vector<Subscriptions::Notice> Subscriptions::notices_of(const Change& change,
                                                             bool is_initialized) const {
  const bool is_resource = change.kind == Change::Kind::resource;
  json::object params;
  if (is_resource) params["uri"] = change.uri;
  std::vector<Notice> notices;
  const bool is_asked = is_resource ? uris_.contains(change.uri) : server_.lists_change;
  if (is_initialized && is_asked)
    notices.push_back({notification(method_of(change.kind), params), std::nullopt});
  for (const auto& [key, listener] : listeners_) {
    const bool hears =
        is_resource ? listener.uris.contains(change.uri) : listener.lists.contains(change.kind);
    if (!hears) continue;
    params["_meta"] = {{subscription_key, listener.id}};
    notices.push_back({notification(method_of(change.kind), params), listener.id});
  }
  return notices;
}

std::optional<ProtocolError> Subscriptions::check_uri(const json::value* uri) const {
  if (!server_.changes || !server_.read_resource)
    return ProtocolError{ProtocolCode::method_not_found,
                         "resources of this server cannot be watched", std::nullopt};
  if (uri == nullptr || !uri->is_string()) return refused("`uri` must be a text");
  if (uri->get_string().size() > most_uri_bytes)
    return refused("a `uri` to watch has at most 2048 bytes");
  return std::nullopt;
}

std::size_t Subscriptions::watched() const {
  std::size_t number = uris_.size();
  for (const auto& [key, listener] : listeners_) number += listener.uris.size();
  return number;
}

void Subscriptions::forget(const Listener& listener) {
  for (const std::string& uri : listener.uris) server_.changes->unwatch(uri);
}

}  // namespace cairn::tools::mcp
