#pragma once
// `cairn mcp --print-config CLIENT`: what a person pastes so that a client starts the server.

#include <cairn/result.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::tools {

/// claude-code, claude-desktop, vscode, cursor, zed.
[[nodiscard]] std::span<const std::string_view> mcp_clients() noexcept;

/// What starts the server: the program by its absolute path, and its words.
struct McpStart {
  std::string program;
  std::vector<std::string> words;
};

struct McpConfig {
  std::string place;  ///< where a person puts it
  std::string text;   ///< JSON, or a line for a shell
};
/// Precondition: `client` is one of mcp_clients().
[[nodiscard]] McpConfig mcp_config(std::string_view client, const McpStart& start);

}  // namespace cairn::tools
