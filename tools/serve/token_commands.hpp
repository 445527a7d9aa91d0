#pragma once
// `cairn token create`, `cairn token list` and `cairn token revoke`.

#include "tools/arguments/command_parser.hpp"

#include <cairn/database.hpp>
#include <cairn/result.hpp>
#include <cairn/tokens.hpp>

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>

namespace cairn::tools {

struct TokenCommand {
  enum class Action : std::uint8_t { create, list, revoke };
  Action action = Action::list;
  NewToken token{};  ///< of revoke the name alone
};

/// Its three verbs, as `verb` has them.
void define_token(OptionSet verb, std::string& database, TokenCommand& command);
/// The action of "token create" and its kind, as CommandParser::verb() gives it.
[[nodiscard]] TokenCommand::Action token_action(std::string_view verb);

/// What is to be kept goes to `out`, for a new token the secret alone; `remarks` takes what is for a person.
[[nodiscard]] Status run_token(Database& database, const TokenCommand& command, std::ostream& out,
                               std::ostream& remarks);

}  // namespace cairn::tools
