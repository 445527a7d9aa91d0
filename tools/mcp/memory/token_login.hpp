#pragma once
// Callers of `cairn mcp --http`: each token of the database has tools of its own, within its role and its namespaces.

#include "tools/mcp/caller/memory_caller.hpp"
#include "tools/mcp/protocol/http_caller.hpp"

#include <cairn/database.hpp>

#include <optional>
#include <string>

namespace cairn::tools::mcp {

/// Each request looks its token up, so one that was revoked is refused from then on. `settings` hold for all tokens, beside
/// role and namespaces. The tools are in `name_space`, of tokens that may use it; without one in the home of the token.
/// Lifetime: of the database.
[[nodiscard]] HttpLogin token_login(Database& database, McpSettings settings,
                                    std::optional<std::string> name_space, std::string version);

}  // namespace cairn::tools::mcp
