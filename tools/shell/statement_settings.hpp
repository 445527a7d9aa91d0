#pragma once
// Settings of the session's statements: namespaces, author and limits. One table defines the
// options of the program (`--max-rows 10`) and the commands of the shell (`.max_rows 10`).

#include "tools/shell/dot_command.hpp"

#include <cairn/options.hpp>
#include <cairn/result.hpp>

#include <span>
#include <string>
#include <string_view>

namespace cairn::tools {

class Session;

/// One setting.
struct StatementSetting {
  std::string_view name;  ///< of the command; the option has hyphens instead of underscores
  std::string_view summary;
  /// Errors: invalid_argument, with the text and what is accepted.
  Status (*set)(StatementOptions& options, std::string_view text);
  /// Formats the value as set() accepts it.
  std::string (*show)(const StatementOptions& options);
};

[[nodiscard]] std::span<const StatementSetting> statement_settings();
/// Returns the name of the option: "--max-rows".
[[nodiscard]] std::string option_of(const StatementSetting& setting);

/// The command of a setting: without words prints it, otherwise sets it. A namespace with blanks,
/// and the default one, must be quoted. Errors: those of set(), with the name of the command.
[[nodiscard]] Status print_or_set(Session& session, std::string_view name, const Arguments& words);

}  // namespace cairn::tools
