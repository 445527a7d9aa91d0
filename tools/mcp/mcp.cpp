// `cairn mcp`: its options, the server by standard input and output or by HTTP, and the
// configuration of clients.
#include "tools/mcp/mcp.hpp"

#include "tools/arguments/name_list.hpp"
#include "tools/embed/database_embedder.hpp"
#include "tools/embedders/spec_from_anywhere.hpp"
#include "tools/mcp/graph/graph_tools.hpp"
#include "tools/mcp/memory/resource_watcher.hpp"
#include "tools/mcp/memory/token_login.hpp"
#include "tools/mcp/memory/tools.hpp"
#include "tools/mcp/protocol/http_server.hpp"
#include "tools/mcp/protocol/stdio_server.hpp"
#include "tools/text/cell_text.hpp"
#include "tools/text/quantity.hpp"

#include <cairn/host_embedder.hpp>
#include <cairn/make_embedder.hpp>
#include <cairn/result.hpp>
#include <cairn/version.hpp>

#include <boost/asio/ip/address.hpp>
#include <boost/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::tools {

// `cairn mcp --print-config CLIENT`: prints what a user pastes into a client so that it starts the
// server.

namespace {

/// How to start the server: the absolute path of the program, and its arguments.
struct McpStart {
  std::string program;
  std::vector<std::string> words;
};

/// A configuration for a client.
struct McpConfig {
  std::string place;  ///< where the user puts it
  std::string text;   ///< JSON, or a shell command
};

namespace json = boost::json;

constexpr std::array<std::string_view, 5> clients = {"claude-code", "claude-desktop", "vscode",
                                                     "cursor", "zed"};

/// Quotes a word for a shell if necessary.
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

/// Writes JSON with two blanks per level, as people write it.
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

/// The supported clients: claude-code, claude-desktop, vscode, cursor, zed.
std::span<const std::string_view> mcp_clients() noexcept { return clients; }

/// Precondition: `client` is one of mcp_clients().
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

}  // namespace

namespace {

constexpr std::string_view files_word = "memory-tool";
constexpr std::string_view graph_word = "server-memory";

std::string client_names() {
  std::string names;
  for (const std::string_view one : mcp_clients())
    names += (names.empty() ? "" : ", ") + std::string(one);
  return names;
}

std::string take_client(McpCommand& command, const std::string& word) {
  if (std::ranges::find(mcp_clients(), std::string_view(word)) == mcp_clients().end())
    return "expected one of " + client_names() + ", got " + word;
  command.client = word;
  return {};
}

/// Only accepts addresses of this machine: without TLS, tokens and memories could be read on the
/// network.
std::string take_address(McpCommand& command, const std::string& text) {
  auto address = BoltAddress::parse(text);
  if (!address) return address.error().message;
  const bool has_port = text.find_last_not_of("0123456789") == text.rfind(':');
  if (!has_port || text.ends_with(':'))
    return "expected a port too, as 127.0.0.1:8000; port 0 takes a free one";
  if (address->host == "localhost") address->host = "127.0.0.1";
  boost::system::error_code problem;
  const auto number = boost::asio::ip::make_address(address->host, problem);
  if (problem)
    return "expected an IP address and a port, as 127.0.0.1:8000 or [::1]:8000, or localhost";
  if (!number.is_loopback())
    return "--http has no TLS, so it serves this machine alone; use 127.0.0.1, and a proxy that "
           "has TLS for others";
  command.http = *std::move(address);
  return {};
}

std::string take_timeout(McpCommand& command, const std::string& text) {
  const auto time = parse_duration(text);
  if (!time) return time.error().message;
  command.timeout = *time;
  return {};
}

/// The options that say what the tools may do.
void define_limits(OptionSet& options, McpCommand& command) {
  options.flag("--allow-writes", command.allow_writes,
               "Let the tool query write, each time with a confirmation");
  options.flag("--read-only", command.read_only, "Leave out the tools that write");
  options.word(
      "--timeout", [&command](const std::string& text) { return take_timeout(command, text); },
      "Time that a statement may take, such as 500ms, 5s or 2m [5s]");
}

mcp::McpSettings settings_of(const McpCommand& command) {
  mcp::McpSettings settings;
  settings.name_space = command.name_space;
  settings.also_read = command.also_read;
  settings.author = command.author;
  if (command.has_name_space || !command.also_read.empty())
    settings.name_spaces = mcp::with_others({command.name_space}, command.also_read);
  settings.allow_writes = command.allow_writes;
  settings.read_only = command.read_only;
  settings.all_tools = command.all_tools;
  settings.root = command.root;
  settings.timeout = command.timeout.value_or(settings.timeout);
  if (command.compatibility == files_word) settings.tools = mcp::ToolSet::files;
  if (command.compatibility == graph_word) settings.tools = mcp::ToolSet::graph;
  return settings;
}

/// Sets the embedder of memories, questions and the tool ingest. If memories have vectors of another
/// model, the embedder is refused. With the tool ingest it is accepted, and used only for documents.
Status add_embedder(Database& database, mcp::McpSettings& settings, const McpCommand& command) {
  if (command.embedder.empty()) return {};
  CAIRN_ASSIGN(settings.embedder, make_database_embedder(database, command.embedder, std::cerr));
  const Status is_set = set_embedder(database, settings.embedder, storable_spec(command.embedder));
  const bool has_ingest = command.all_tools && !command.root.empty();
  if (is_set || is_set.error().code != ErrorCode::invalid_argument || !has_ingest) return is_set;
  std::cerr << "warning: --embedder is for documents alone: " << is_set.error().message << "\n";
  return {};
}

Status import_once(const mcp::MemoryCaller& caller, const McpCommand& command) {
  if (command.import.empty()) return {};
  CAIRN_ASSIGN(const mcp::GraphImport done, mcp::import_graph(caller, command.import));
  if (!done.was_done_before)
    std::cerr << "imported " << done.entities << " entities and " << done.relations
              << " relations of " << make_visible(command.import) << '\n';
  return {};
}

/// The absolute path of this program, because a client may start it from any directory.
std::string this_program() {
  std::error_code problem;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", problem);
  return problem ? "cairn" : self.string();
}

/// The path from the root, because a client may start the program in any directory. `..` is not
/// resolved: after a link, it does not lead to the directory of the link.
std::string from_anywhere(const std::string& path) {
  std::error_code problem;
  std::filesystem::path whole;
  for (const auto& part : std::filesystem::absolute(path, problem))
    if (part != ".") whole /= part;
  return problem ? path : whole.string();
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
  options.word(
      "--also-read",
      [&command](const std::string& names) {
        command.also_read = read_name_list(names);
        return std::string();
      },
      "More namespaces that the tools read but do not change, as a,b");
  options.text("--author", command.author,
               "Author of what the tools store (@author); with --http it is the token's name");
  options.word(
      "--http", [&command](const std::string& text) { return take_address(command, text); },
      "Serve by HTTP at this address of this machine, as 127.0.0.1:8000, to clients with a token "
      "of the database; port 0 takes a free one");
  define_limits(options, command);
  options.word(
      "--compat",
      [&command](const std::string& word) {
        command.compatibility = word;
        return word == files_word || word == graph_word
                   ? std::string()
                   : "expected memory-tool or server-memory, got " + word;
      },
      "Offer other tools: memory-tool for files in /memories; server-memory for the tools "
      "of the knowledge-graph server");
  options.word(
      "--tools",
      [&command](const std::string& word) {
        command.all_tools = word == "all";
        return command.all_tools ? std::string() : "expected all, got " + word;
      },
      "all adds relate, tag_rules, faceted_search, grammar, and with --root ingest");
  options.text("--root", command.root, "Directory whose files the tool ingest may read");
  options.text("--embedder", command.embedder, embedder_help);
  options.text("--import", command.import,
               "With --compat server-memory: its memory.jsonl, imported once");
  options.word(
      "--print-config", [&command](const std::string& word) { return take_client(command, word); },
      "Print what to paste into a client, and end: " + client_names());
}

// --compat offers other tools than those that these options are for.
std::string check_mcp(const McpCommand& command) {
  if (!command.import.empty() && command.compatibility != graph_word)
    return "--import is for --compat server-memory; cairn import DB FILE reads other files";
  if (!command.compatibility.empty()) {
    const std::string instead =
        ", which --compat " + command.compatibility +
        " replaces; leave it out, or start a second server without --compat";
    if (command.all_tools) return "--tools all adds to the tools for memories" + instead;
    if (!command.root.empty()) return "--root is for the tool ingest" + instead;
    if (command.allow_writes) return "--allow-writes is for the tool query" + instead;
  }
  if (!command.root.empty() && !command.all_tools)
    return "--root is for the tool ingest, which --tools all adds; add --tools all, or leave out "
           "--root";
  if (!command.root.empty() && !std::filesystem::is_directory(command.root))
    return "--root names no directory: " + command.root;
  if (command.read_only && command.allow_writes)
    return "--allow-writes lets the tool query write, which --read-only forbids; leave out one of "
           "them";
  return {};
}

Status check_new_mcp(const std::string& database, const McpCommand& command) {
  if (command.http) {
    const std::string name = make_visible(database);
    return Error{ErrorCode::not_found,
                 "there is no database in " + name +
                     ", and --http needs one with a token; make both first: cairn " + name +
                     " --create </dev/null, and cairn token create " + name + " NAME --role write",
                 std::nullopt};
  }
  if (!command.import.empty()) CAIRN_TRY(mcp::check_graph_file(command.import));
  if (!command.embedder.empty()) CAIRN_TRY(make_embedder(command.embedder));
  return {};
}

Status run_mcp(Database& database, const McpCommand& command) {
  mcp::McpSettings settings = settings_of(command);
  CAIRN_TRY(add_embedder(database, settings, command));
  const mcp::MemoryCaller caller(database, std::move(settings));
  CAIRN_TRY(import_once(caller, command));
  const mcp::ServerDefinition server = mcp::memory_server(caller, std::string(version()));
  const mcp::ResourceWatcher watcher(caller, server);
  const mcp::StdioEnd end = mcp::serve_stdio(server);
  if (end == mcp::StdioEnd::input_ended) return {};
  return Error{ErrorCode::io_error,
               end == mcp::StdioEnd::output_failed ? "the client no longer reads standard output"
                                                   : "standard input cannot be read",
               std::nullopt};
}

Status run_mcp_http(Database& database, const std::string& name, const McpCommand& command,
                    const EndSignals& signals, std::ostream& out) {
  CAIRN_TRY(check_tokens(database, name));
  if (!command.also_read.empty() || !command.author.empty())
    return Error{
        ErrorCode::invalid_argument,
        "with --http the token determines the author and what is read; leave out --also-read and "
        "--author, and create the token with `cairn token create --also-read`",
        std::nullopt};
  BoltAddress address = *command.http;
  mcp::HttpOptions options;
  options.address = address.host;
  options.port = address.port;
  std::optional<std::string> name_space;
  if (command.has_name_space) name_space = command.name_space;
  mcp::McpSettings settings = settings_of(command);
  CAIRN_TRY(add_embedder(database, settings, command));
  const mcp::MemoryCaller caller(database, settings);
  CAIRN_TRY(import_once(caller, command));
  try {
    const mcp::HttpServer server(
        mcp::token_login(database, settings, name_space, std::string(version())), options);
    address.port = server.port();
    out << "serving " << make_visible(name) << " at http://" << address.text() << options.path
        << " (Ctrl-C ends)" << std::endl;
    signals.wait();
  } catch (const boost::system::system_error& problem) {
    return Error{ErrorCode::io_error,
                 "cannot listen at " + address.text() + ": " + problem.code().message() +
                     "; give another port, or 0 for a free one",
                 std::nullopt};
  }
  return {};
}

void print_mcp_config(const McpCommand& command, const std::string& database, std::ostream& out,
                      std::ostream& remarks) {
  McpStart start{this_program(), {"mcp", from_anywhere(database)}};
  if (command.has_name_space) {
    start.words.emplace_back("--namespace");
    start.words.push_back(command.name_space);
  }
  if (!command.also_read.empty()) {
    std::string names;
    for (const std::string& name : command.also_read)
      names += (&name == &command.also_read.front() ? "" : ",") + name;
    start.words.emplace_back("--also-read");
    start.words.push_back(names);
  }
  if (!command.author.empty()) {
    start.words.emplace_back("--author");
    start.words.push_back(command.author);
  }
  if (command.allow_writes) start.words.emplace_back("--allow-writes");
  if (command.read_only) start.words.emplace_back("--read-only");
  if (!command.compatibility.empty()) {
    start.words.emplace_back("--compat");
    start.words.push_back(command.compatibility);
  }
  if (command.all_tools) {
    start.words.emplace_back("--tools");
    start.words.emplace_back("all");
  }
  if (command.timeout) {
    start.words.emplace_back("--timeout");
    start.words.push_back(duration_text(*command.timeout));
  }
  if (!command.root.empty()) {
    start.words.emplace_back("--root");
    start.words.push_back(from_anywhere(command.root));
  }
  if (!command.embedder.empty()) {
    start.words.emplace_back("--embedder");
    start.words.push_back(spec_from_anywhere(command.embedder));
  }
  if (!command.import.empty()) {
    start.words.emplace_back("--import");
    start.words.push_back(from_anywhere(command.import));
  }
  const McpConfig config = mcp_config(command.client, start);
  remarks << config.place << ":\n";
  out << config.text;
}

}  // namespace cairn::tools
