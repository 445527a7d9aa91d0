#include "tools/mcp/mcp.hpp"

#include "tools/mcp/memory/tools.hpp"
#include "tools/mcp/print_config.hpp"
#include "tools/mcp/protocol/stdio_server.hpp"

#include <cairn/version.hpp>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

namespace cairn::tools {
namespace {

std::string client_names() {
  std::string names;
  for (const std::string_view one : mcp_clients())
    names += (names.empty() ? "" : ", ") + std::string(one);
  return names;
}

std::string take_client(McpCommand& command, const std::string& word) {
  if (std::ranges::find(mcp_clients(), std::string_view(word)) == mcp_clients().end())
    return "one of " + client_names();
  command.client = word;
  return {};
}

/// By a path that holds wherever a client starts it.
std::string this_program() {
  std::error_code problem;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", problem);
  return problem ? "cairn" : self.string();
}

}  // namespace

void define_mcp(OptionSet options, McpCommand& command) {
  options.word(
      "--namespace",
      [&command](const std::string& name) {
        command.name_space = name;
        command.has_name_space = true;
        return std::string();
      },
      "Namespace of all tools; no other is shown");
  options.flag("--allow-writes", command.allow_writes,
               "Let the tool query write, each time with a confirmation");
  options.flag("--read-only", command.read_only, "Leave out the tools that write");
  options.word(
      "--print-config", [&command](const std::string& word) { return take_client(command, word); },
      "Print what to paste into a client, and end: " + client_names());
}

Status run_mcp(Database& database, const McpCommand& command) {
  mcp::McpSettings settings;
  settings.name_space = command.name_space;
  settings.is_tenant = command.has_name_space;
  settings.allow_writes = command.allow_writes;
  settings.read_only = command.read_only;
  const mcp::MemoryCaller caller(database, std::move(settings));
  const mcp::StdioEnd end = mcp::serve_stdio(mcp::memory_server(caller, std::string(version())));
  if (end == mcp::StdioEnd::input_ended) return {};
  return Error{ErrorCode::io_error,
               end == mcp::StdioEnd::output_failed ? "the client reads no more"
                                                   : "standard input cannot be read",
               std::nullopt};
}

void print_mcp_config(const McpCommand& command, const std::string& database, std::ostream& out,
                      std::ostream& remarks) {
  std::error_code problem;
  const auto path = std::filesystem::absolute(database, problem);
  McpStart start{this_program(), {"mcp", problem ? database : path.string()}};
  if (command.has_name_space) {
    start.words.emplace_back("--namespace");
    start.words.push_back(command.name_space);
  }
  if (command.allow_writes) start.words.emplace_back("--allow-writes");
  if (command.read_only) start.words.emplace_back("--read-only");
  const McpConfig config = mcp_config(command.client, start);
  remarks << config.place << ":\n";
  out << config.text;
}

}  // namespace cairn::tools
