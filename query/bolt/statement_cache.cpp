#include "query/bolt/statement_cache.hpp"

#include <algorithm>

namespace cairn::query::bolt {
namespace {

constexpr std::size_t most_statements = 64;
constexpr std::size_t most_text_bytes = std::size_t{16} << 10;

}  // namespace

// A statement keeps the functions that it was parsed with: a change of the functions empties the cache.
Result<StatementCache::StatementPtr> StatementCache::find_or_parse(std::string_view text,
                                                                   const Database& database) {
  auto registered = registered_calls(database);
  if (registered != registered_) statements_.clear();
  registered_ = std::move(registered);
  const auto found = std::ranges::find(
      statements_, text, [](const auto& entry) { return std::string_view(entry.first); });
  if (found != statements_.end()) {
    std::rotate(statements_.begin(), found, found + 1);
    return statements_.front().second;
  }
  CAIRN_ASSIGN(Statement parsed, Statement::parse(text, database));
  auto statement = std::make_shared<const Statement>(std::move(parsed));
  if (text.size() > most_text_bytes) return statement;
  if (statements_.size() == most_statements) statements_.pop_back();
  statements_.emplace(statements_.begin(), text, statement);
  return statement;
}

}  // namespace cairn::query::bolt
