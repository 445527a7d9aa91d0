#pragma once
// `cairn serve`: serves a database to drivers until a signal ends it.

#include "tools/arguments/command_parser.hpp"

#include <cairn/bolt.hpp>
#include <cairn/database.hpp>
#include <cairn/result.hpp>
#include <cairn/tokens.hpp>

#include <csignal>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>

namespace cairn::tools {

/// The options of `cairn serve`.
struct ServeCommand {
  BoltAddress bolt;
  std::string certificate;  ///< PEM file, for TLS; empty: no TLS
  std::string key;
  std::string statements;  ///< file to which statements are appended; empty: none
  std::string embedder;    ///< of the texts of statements; empty: none
  std::string homes;       ///< store of a cluster, whose homes are served; empty: the database
  BoltAddress health{"127.0.0.1", 0};  ///< of the health page of a node of a cluster
  std::string advertised_host;         ///< by which others reach the node; empty: that of `bolt`
  std::uint64_t memory_mebibytes = 1'024;            ///< for the homes that are open
  std::optional<std::chrono::seconds> home_history;  ///< see Options::home_history
  bool no_bolt = false;  ///< serve only processes of the same user, through the directory
};

void define_serve(OptionSet options, ServeCommand& command);

/// Blocks interrupt (Ctrl-C) and termination while it exists: these signals only end wait().
/// Threads inherit the block from the thread that starts them, so create the object before any
/// thread.
class EndSignals {
 public:
  EndSignals() noexcept;
  EndSignals(const EndSignals&) = delete;
  EndSignals& operator=(const EndSignals&) = delete;
  /// Afterwards, a further signal ends the program at once.
  ~EndSignals();

  void wait() const noexcept;

 private:
  sigset_t signals_{};
  sigset_t before_{};
};

/// Checks that the database has a token, because no client could log on without one. Errors:
/// not_found.
[[nodiscard]] Status check_tokens(const Database& database, const std::string& name);

/// Serves until a signal arrives; writes the address to `out`. With --no-bolt, only serves other
/// processes as their host, and needs no token. Errors: not_found if drivers are served and the
/// database has no token; invalid_argument if certificate or key is missing; those of
/// BoltListener::open() and StatementLog::open().
[[nodiscard]] Status run_serve(Database& database, const std::string& name,
                               const ServeCommand& command, const EndSignals& signals,
                               std::ostream& out);

/// Serves the homes of a store as one node of several, with copies in `directory`, until a signal
/// arrives. Errors: those of ClusterNode::open() and ClusterNode::close().
[[nodiscard]] Status run_cluster_node(const std::string& directory, const ServeCommand& command,
                                      const EndSignals& signals, std::ostream& out);

// `cairn token create`, `cairn token list` and `cairn token revoke`.

/// The options of `cairn token`.
struct TokenCommand {
  enum class Action : std::uint8_t { create, list, revoke };
  Action action = Action::list;
  NewToken token{};  ///< for revoke only the name
};

/// Adds the three verbs below `verb`.
void define_token(OptionSet verb, std::string& database, TokenCommand& command);
/// Returns the action for a verb such as "token create", see CommandParser::verb().
[[nodiscard]] TokenCommand::Action token_action(std::string_view verb);

/// True for the address of the store of a cluster, in place of the directory of a database.
[[nodiscard]] bool is_store_address(const std::string& text);

/// Opens the database with the tokens of a cluster, in a directory of temporary files, and calls
/// run_token(). Errors: those of Database::open().
[[nodiscard]] Status run_cluster_token(const std::string& store, const TokenCommand& command,
                                       std::ostream& out, std::ostream& remarks);

/// Writes the result to `out` (for a new token only its secret, for a script to store), and remarks
/// for people to `remarks`.
[[nodiscard]] Status run_token(Database& database, const TokenCommand& command, std::ostream& out,
                               std::ostream& remarks);

}  // namespace cairn::tools
