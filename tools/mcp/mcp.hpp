#pragma once
// `cairn mcp`: a database as the memory of an agent, by the Model Context Protocol on standard input and output.

#include "tools/arguments/command_parser.hpp"

#include <cairn/database.hpp>
#include <cairn/result.hpp>

#include <ostream>
#include <string>

namespace cairn::tools {

struct McpCommand {
  std::string name_space;
  bool has_name_space = false;
  bool allow_writes = false;
  bool read_only = false;
  std::string client;  ///< of --print-config; empty: serve
};

void define_mcp(OptionSet options, McpCommand& command);

/// Serve until the client closes the input. Errors: io_error, where the client stopped reading.
[[nodiscard]] Status run_mcp(Database& database, const McpCommand& command);

/// `--print-config`: what is pasted goes to `out`, and `remarks` takes where it goes.
void print_mcp_config(const McpCommand& command, const std::string& database, std::ostream& out,
                      std::ostream& remarks);

}  // namespace cairn::tools
