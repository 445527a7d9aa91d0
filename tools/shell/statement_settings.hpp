#pragma once
// What the statements of a session run with: their namespace, and what they may use. One table for the
// options of the program (`--max-rows 10`) and the commands of the shell (`.max_rows 10`).

#include "tools/shell/dot_command.hpp"

#include <cairn/options.hpp>
#include <cairn/result.hpp>

#include <span>
#include <string>
#include <string_view>

namespace cairn::tools {

class Session;

struct StatementSetting {
  std::string_view name;  ///< of the command; that of the option has hyphens for underscores
  std::string_view summary;
  /// Errors: invalid_argument, with the text and what is accepted.
  Status (*set)(StatementOptions& options, std::string_view text);
  /// As set() reads it.
  std::string (*show)(const StatementOptions& options);
};

[[nodiscard]] std::span<const StatementSetting> statement_settings();
/// "--max-rows"
[[nodiscard]] std::string option_of(const StatementSetting& setting);

/// The command of this setting: print it without words, else set it. A namespace with blanks, and the
/// default one, are in quotes. Errors: those of set(), with the name of the command.
[[nodiscard]] Status print_or_set(Session& session, std::string_view name, const Arguments& words);

}  // namespace cairn::tools
