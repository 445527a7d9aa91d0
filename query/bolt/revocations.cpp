#include "query/bolt/revocations.hpp"

#include <cairn/tokens.hpp>

#include <utility>

namespace cairn::query::bolt {

bool Revocations::look(const Database& database, Clock::time_point now) {
  if (now < next_look_) return false;
  next_look_ = now + std::chrono::seconds(1);
  const auto listed = list_tokens(database);
  if (!listed) return false;
  before_ = std::exchange(tokens_, {});
  for (const Token& token : *listed) tokens_.emplace(token.name, token.created_at);
  return true;
}

bool Revocations::is_revoked(const std::string& name) const {
  const auto now = tokens_.find(name);
  if (now == tokens_.end()) return true;
  const auto before = before_.find(name);
  return before != before_.end() && before->second != now->second;
}

}  // namespace cairn::query::bolt
