#pragma once
// `cairn mcp`: a database as the memory of agents, by the Model Context Protocol on standard input
// and output, or by HTTP.

#include "tools/arguments/command_parser.hpp"
#include "tools/serve/serve.hpp"

#include <cairn/bolt.hpp>
#include <cairn/database.hpp>
#include <cairn/result.hpp>

#include <chrono>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace cairn::tools {

/// The options of `cairn mcp`.
struct McpCommand {
  std::string name_space;
  bool has_name_space = false;
  std::vector<std::string> also_read;
  std::string author;
  bool allow_writes = false;
  bool read_only = false;
  /// Of one statement; absent: that of the server.
  std::optional<std::chrono::milliseconds> timeout;
  std::string compatibility;        ///< of --compat; empty: the tools for memories
  bool all_tools = false;           ///< --tools all
  std::string root;                 ///< --root DIR; empty: no files can be read
  std::string embedder;             ///< of memories and the tool ingest; empty: the built-in one
  std::string import;               ///< --import FILE; empty: none
  std::optional<BoltAddress> http;  ///< address of HTTP; absent: standard input and output
  std::string client;               ///< of --print-config; empty: serve
};

void define_mcp(OptionSet options, McpCommand& command);

/// Returns what is wrong with options that do not go together, and how to repair it; empty if nothing is.
[[nodiscard]] std::string check_mcp(const McpCommand& command);

/// Checks what a new database needs before it is made, so that a start that must fail leaves none.
/// Errors: not_found with --http, which needs a token of the database; those of --import and
/// --embedder.
[[nodiscard]] Status check_new_mcp(const std::string& database, const McpCommand& command);

/// Serves until the client closes the input. Errors: io_error if the client stopped reading.
[[nodiscard]] Status run_mcp(Database& database, const McpCommand& command);

/// Serves the holders of tokens by HTTP until a signal arrives; writes the address to `out`.
/// Errors: not_found if the database has no token; io_error if the address cannot be used.
[[nodiscard]] Status run_mcp_http(Database& database, const std::string& name,
                                  const McpCommand& command, const EndSignals& signals,
                                  std::ostream& out);

/// `--print-config`: writes what to paste to `out`, and where to paste it to `remarks`.
void print_mcp_config(const McpCommand& command, const std::string& database, std::ostream& out,
                      std::ostream& remarks);

}  // namespace cairn::tools
