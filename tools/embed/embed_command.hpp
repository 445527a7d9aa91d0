#pragma once
// `cairn embed`: makes the vectors of records that were written while the embedder was unavailable.

#include "tools/arguments/command_parser.hpp"

#include <cairn/database.hpp>
#include <cairn/result.hpp>

#include <iosfwd>
#include <stop_token>
#include <string>

namespace cairn::tools {

/// The options of `cairn embed`.
struct EmbedCommand {
  std::string embedder;
  bool pending = false;
};

void define_embed(OptionSet options, EmbedCommand& command);

/// Makes the vectors that are pending, with progress on a terminal, and prints how many were made.
/// Errors: invalid_argument without --pending; those of make_embedder() and
/// memory::embed_pending(). After an error, the next run continues the work.
[[nodiscard]] Status run_embed(Database& database, const EmbedCommand& command, std::ostream& out,
                               const std::stop_token& cancel);

/// Makes the vectors that are pending after an import, and returns what to print. Does nothing for an
/// empty `spec`.
[[nodiscard]] Result<std::string> embed_imported(Database& database, const std::string& spec,
                                                 const std::stop_token& cancel);

}  // namespace cairn::tools
