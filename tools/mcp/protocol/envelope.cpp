#include "tools/mcp/protocol/envelope.hpp"

#include "tools/mcp/protocol/revision.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <utility>

namespace cairn::tools::mcp {
namespace {

constexpr const char* version_key = "io.modelcontextprotocol/protocolVersion";
constexpr const char* client_key = "io.modelcontextprotocol/clientInfo";
constexpr const char* capabilities_key = "io.modelcontextprotocol/clientCapabilities";
constexpr const char* log_level_key = "io.modelcontextprotocol/logLevel";

constexpr std::array<std::string_view, 8> level_names = {
    "debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"};

ProtocolError bad_envelope(const char* key, const char* problem) {
  return {ProtocolCode::invalid_params, "_meta[\"" + std::string(key) + "\"] " + problem,
          std::nullopt};
}

ProtocolError unsupported_version(const json::string& requested) {
  return {ProtocolCode::unsupported_version,
          "Unsupported protocol version; without `initialize` this server speaks 2026-07-28",
          json::object{{"supported", stateless_revisions()}, {"requested", requested}}};
}

bool is_stateless_version(const json::string& version) {
  const auto revision = find_revision(version);
  return revision && is_stateless(*revision);
}

bool is_client_info(const json::value& client) {
  const json::object* object = client.if_object();
  return object != nullptr && find_text(*object, "name") != nullptr &&
         find_text(*object, "version") != nullptr;
}

}  // namespace

bool has_envelope(const json::object& params) { return meta_of(params).contains(version_key); }

std::variant<ClientProfile, ProtocolError> read_envelope(const json::object& params) {
  const json::object& meta = meta_of(params);
  const json::string* version = find_text(meta, version_key);
  if (version == nullptr) return bad_envelope(version_key, "must be a text such as 2026-07-28");
  if (!is_stateless_version(*version)) return unsupported_version(*version);
  const json::object* capabilities = find_object(meta, capabilities_key);
  if (capabilities == nullptr)
    return bad_envelope(capabilities_key, "must be an object; {} for a client without any");
  ClientProfile profile{{}, *capabilities, std::nullopt};
  if (const json::value* client = meta.if_contains(client_key)) {
    if (!is_client_info(*client))
      return bad_envelope(client_key, "must be an object with name and version");
    profile.client = client->get_object();
  }
  if (const json::value* level = meta.if_contains(log_level_key)) {
    profile.log_level = level->is_string() ? find_log_level(level->get_string()) : std::nullopt;
    if (!profile.log_level) return bad_envelope(log_level_key, "must be debug, info, ...");
  }
  return profile;
}

std::optional<LogLevel> find_log_level(std::string_view name) noexcept {
  for (std::size_t i = 0; i < level_names.size(); ++i)
    if (level_names[i] == name) return static_cast<LogLevel>(i);
  return std::nullopt;
}

std::string_view to_string(LogLevel level) noexcept {
  return level_names[static_cast<std::size_t>(level)];
}

}  // namespace cairn::tools::mcp
