// Authenticates callers of `cairn mcp --http` by token. Each token has its own cached server; servers of revoked tokens are
// dropped when one is added.
#include "tools/mcp/memory/token_login.hpp"

#include "tools/mcp/caller/token_budget.hpp"
#include "tools/mcp/memory/resource_watcher.hpp"
#include "tools/mcp/memory/tools.hpp"

#include <cairn/tokens.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace cairn::tools::mcp {
namespace {

/// Identifies a token: a later token with the same name has another creation time.
using TokenId = std::pair<std::string, std::int64_t>;

TokenId id_of(const Token& token) { return {token.name, token.created_at}; }

/// The server of one token.
struct TokenServer {
  TokenServer(Database& database, McpSettings settings, std::string version)
      : caller(database, std::move(settings)), server(memory_server(caller, std::move(version))) {}
  TokenServer(const TokenServer&) = delete;
  TokenServer& operator=(const TokenServer&) = delete;

  const MemoryCaller caller;
  const ServerDefinition server;
  const StateSigner signer;
  const ResourceWatcher watcher{caller, server};
};

HttpRefusal refusal_of_token(unsigned status, std::string text) {
  const ProtocolCode code =
      status < 500 ? ProtocolCode::invalid_request : ProtocolCode::internal_error;
  return {status, {code, std::move(text), std::nullopt}};
}

/// Returns the namespaces that a token may use; nullopt: all.
std::optional<std::vector<std::string>> name_spaces_of(const Token& token) {
  std::vector<std::string> names = token.name_spaces;
  if (std::ranges::find(names, "*") != names.end()) return std::nullopt;
  names.push_back(token.home);
  return with_others(std::move(names), token.also_read);
}

/// Used only on the thread of the connections.
class TokenLogin {
 public:
  TokenLogin(Database& database, McpSettings settings, std::optional<std::string> name_space,
             std::string version)
      : database_(database),
        settings_(std::move(settings)),
        name_space_(std::move(name_space)),
        version_(std::move(version)) {}

  std::variant<HttpCaller, HttpRefusal> log_in(std::string_view secret) {
    if (secret.empty())
      return refusal_of_token(401,
                              "needs the header Authorization: Bearer with a token of the "
                              "database; `cairn token create DB NAME` makes one");
    const auto token = find_token(database_, secret);
    if (!token) return refusal_of_token(503, token.error().message);
    if (!*token)
      return refusal_of_token(401,
                              "there is no such token, or it was revoked; `cairn token create "
                              "DB NAME` makes one");
    const std::string name_space = name_space_.value_or((*token)->home);
    if (name_space != (*token)->home && !(*token)->may_use(name_space))
      return refusal_of_token(
          403, "this token may not use the namespace " + as_data_line(name_space) +
                   " of this server; `cairn token create --namespace` makes one that may");
    return caller_of(**token, name_space);
  }

 private:
  HttpCaller caller_of(const Token& token, const std::string& name_space) {
    auto& kept = servers_[id_of(token)];
    if (!kept) {
      McpSettings settings = settings_;
      settings.role = token.role;
      settings.caller = token.name;
      settings.name_space = name_space;
      settings.name_spaces = name_spaces_of(token);
      settings.also_read = token.also_read;
      std::erase(settings.also_read, name_space);
      settings.author = token.name;
      kept = std::make_shared<const TokenServer>(database_, std::move(settings), version_);
    }
    HttpCaller caller{token.name + " " + std::to_string(token.created_at),
                      {kept, &kept->server},
                      {kept, &kept->signer}};
    forget_revoked(token);
    return caller;
  }

  /// Removes cached servers of revoked tokens, so there are at most as many servers as tokens.
  void forget_revoked(const Token& used) {
    if (servers_.size() == known_) return;
    if (const auto tokens = list_tokens(database_))
      std::erase_if(servers_, [&](const auto& entry) {
        return entry.first != id_of(used) &&
               std::ranges::find(*tokens, entry.first, id_of) == tokens->end();
      });
    known_ = servers_.size();
  }

  Database& database_;
  const McpSettings settings_;
  const std::optional<std::string> name_space_;
  const std::string version_;
  std::map<TokenId, std::shared_ptr<const TokenServer>> servers_;
  std::size_t known_ = 0;  ///< number of servers after the last removal
};

}  // namespace

HttpLogin token_login(Database& database, McpSettings settings,
                      std::optional<std::string> name_space, std::string version) {
  return [login = std::make_shared<TokenLogin>(database, std::move(settings), std::move(name_space),
                                               std::move(version))](std::string_view token) {
    return login->log_in(token);
  };
}

}  // namespace cairn::tools::mcp
