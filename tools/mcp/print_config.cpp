#include "tools/mcp/print_config.hpp"

#include <boost/json.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace cairn::tools {
namespace {

namespace json = boost::json;

constexpr std::array<std::string_view, 5> clients = {"claude-code", "claude-desktop", "vscode",
                                                     "cursor", "zed"};

/// A word for a shell.
std::string shell_word(const std::string& word) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,@%+";
  const bool is_plain = !word.empty() && word.find_first_not_of(plain) == std::string::npos;
  if (is_plain) return word;
  std::string quoted = "'";
  for (const char letter : word) quoted += letter == '\'' ? "'\\''" : std::string(1, letter);
  return quoted + "'";
}

std::string shell_line(const McpStart& start) {
  std::string line = "claude mcp add --scope user memory -- " + shell_word(start.program);
  for (const std::string& word : start.words) line += " " + shell_word(word);
  return line + "\n";
}

json::object server_object(const McpStart& start) {
  json::object server{{"command", start.program}};
  server["args"] = json::array(start.words.begin(), start.words.end());
  return server;
}

/// With two blanks a level, as people write it.
void write(std::string& out, const json::value& value, std::size_t level) {
  const std::string indent(2 * (level + 1), ' ');
  const auto* object = value.if_object();
  if (object == nullptr) {
    out += json::serialize(value);
    return;
  }
  out += "{";
  bool is_first = true;
  for (const auto& [name, member] : *object) {
    out += is_first ? "\n" : ",\n";
    is_first = false;
    out += indent + json::serialize(json::string(name)) + ": ";
    write(out, member, level + 1);
  }
  out += "\n" + std::string(2 * level, ' ') + "}";
}

McpConfig file_config(std::string place, const char* outer, json::object server) {
  McpConfig config{std::move(place), {}};
  write(config.text, json::object{{outer, json::object{{"memory", std::move(server)}}}}, 0);
  config.text += '\n';
  return config;
}

}  // namespace

std::span<const std::string_view> mcp_clients() noexcept { return clients; }

McpConfig mcp_config(std::string_view client, const McpStart& start) {
  if (client == "claude-code") return {"Run this in a shell", shell_line(start)};
  json::object server = server_object(start);
  if (client == "claude-desktop")
    return file_config("claude_desktop_config.json (Settings, Developer, Edit Config)",
                       "mcpServers", std::move(server));
  if (client == "cursor")
    return file_config("~/.cursor/mcp.json, or .cursor/mcp.json in a project", "mcpServers",
                       std::move(server));
  if (client == "zed")
    return file_config("settings.json (zed: open settings)", "context_servers", std::move(server));
  server["type"] = "stdio";
  return file_config(".vscode/mcp.json, or the user's mcp.json (MCP: Open User Configuration)",
                     "servers", std::move(server));
}

}  // namespace cairn::tools
