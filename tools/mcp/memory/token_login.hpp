#pragma once
// Callers of `cairn mcp --http`: each token of the database has its own tools, within its role and
// namespaces.

#include "tools/mcp/caller/memory_caller.hpp"
#include "tools/mcp/protocol/http_caller.hpp"

#include <cairn/database.hpp>

#include <optional>
#include <string>

namespace cairn::tools::mcp {

/// Each request looks up its token, so a revoked token is refused immediately. `settings` apply to
/// all tokens, except role and namespaces. The tools work in `name_space`, for tokens that may use
/// it; if it is not given, in the token's home namespace. Lifetime: the database must outlive the
/// login.
[[nodiscard]] HttpLogin token_login(Database& database, McpSettings settings,
                                    std::optional<std::string> name_space, std::string version);

}  // namespace cairn::tools::mcp
