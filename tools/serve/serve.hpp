#pragma once
// `cairn serve`: a database for drivers, until a signal ends it.

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

struct ServeCommand {
  BoltAddress bolt;
  std::string certificate;  ///< PEM files, for TLS; empty: none
  std::string key;
  std::string statements;  ///< a file to which each statement is added; empty: none
  bool no_bolt = false;    ///< only through the directory, to processes of the same user
};

void define_serve(OptionSet options, ServeCommand& command);

/// While it lives, interrupt (Ctrl-C) and termination end nothing but wait(). Threads take it over from the one that
/// starts them: to be made before there are any.
class EndSignals {
 public:
  EndSignals() noexcept;
  EndSignals(const EndSignals&) = delete;
  EndSignals& operator=(const EndSignals&) = delete;
  /// From then on another one ends the program, whatever it is doing.
  ~EndSignals();

  void wait() const noexcept;

 private:
  sigset_t signals_{};
  sigset_t before_{};
};

/// Errors: not_found, where the database of this name has no token, so that no client could log on.
[[nodiscard]] Status check_tokens(const Database& database, const std::string& name);

/// Serve until a signal comes; `out` gets the place. Without Bolt it is a host that does nothing else, and needs no token.
/// Errors: not_found, where the database has no token, so that nobody could log on; invalid_argument, where one of
/// certificate and key is missing; as of BoltListener::open() and StatementLog::open().
[[nodiscard]] Status run_serve(Database& database, const std::string& name,
                               const ServeCommand& command, const EndSignals& signals,
                               std::ostream& out);

// `cairn token create`, `cairn token list` and `cairn token revoke`.

struct TokenCommand {
  enum class Action : std::uint8_t { create, list, revoke };
  Action action = Action::list;
  NewToken token{};  ///< of revoke the name alone
};

/// Its three verbs, as `verb` has them.
void define_token(OptionSet verb, std::string& database, TokenCommand& command);
/// The action of "token create" and its kind, as CommandParser::verb() gives it.
[[nodiscard]] TokenCommand::Action token_action(std::string_view verb);

/// What is to be saved goes to `out`, for a new token the secret alone; `remarks` takes what is for a person.
[[nodiscard]] Status run_token(Database& database, const TokenCommand& command, std::ostream& out,
                               std::ostream& remarks);

}  // namespace cairn::tools
