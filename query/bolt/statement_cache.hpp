#pragma once
// StatementCache: the parsed statements of one session, since drivers send the text each time.

#include "query/registered/registered_calls.hpp"

#include <cairn/database.hpp>
#include <cairn/statement.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::query::bolt {

/// Holds 64 statements, the latest used; none of a text over 16 KiB. Threads: one at a time.
class StatementCache {
 public:
  using StatementPtr = std::shared_ptr<const Statement>;  // owners: the cache and who runs it

  /// The statement, parsed with the functions that are registered now. Errors: as of Statement::parse().
  [[nodiscard]] Result<StatementPtr> find_or_parse(std::string_view text, const Database& database);

 private:
  RegisteredCallsPtr registered_;  // what all of them were parsed with
  std::vector<std::pair<std::string, StatementPtr>> statements_;  // the latest used first
};

}  // namespace cairn::query::bolt
