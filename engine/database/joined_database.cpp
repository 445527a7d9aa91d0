// A database within a statement. Its handles are those of a local database, over the view and the writer that are there
// already: no second turn to write is taken, and nothing becomes true before the transaction does.

#include "engine/database/joined_database.hpp"

#include "engine/database/access.hpp"
#include "engine/database/local_handles.hpp"

namespace cairn {
namespace {

Error not_within_a_statement(const char* what) {
  return {ErrorCode::unsupported,
          std::string(what) + " is a call of the database, and no part of a statement",
          {}};
}

}  // namespace

Result<Snapshot> JoinedDatabase::snapshot() {
  return Access::handle(std::make_shared<const LocalSnapshot>(core_, *view_));
}

Result<Transaction> JoinedDatabase::begin(TransactionMode mode) {
  if (mode == TransactionMode::read)
    return Access::handle(
        std::make_unique<LocalTransaction>(std::make_shared<const LocalSnapshot>(core_, *view_)));
  if (outer_ != nullptr) return Access::handle(std::make_unique<LocalTransaction>(*outer_));
  return Error{
      ErrorCode::unsupported, "the statement reads; it has no transaction to write in", {}};
}

Status JoinedDatabase::checkpoint() { return not_within_a_statement("a checkpoint"); }
Result<std::vector<Finding>> JoinedDatabase::check(std::size_t) {
  return not_within_a_statement("a check");
}
Result<DatabaseStatistics> JoinedDatabase::statistics() { return core_->statistics(); }
Result<std::size_t> JoinedDatabase::erase_expired(std::size_t) {
  return not_within_a_statement("erasing what has expired");
}
Result<ScrubReceipt> JoinedDatabase::scrub(const ScrubOptions&, const std::stop_token&) {
  return not_within_a_statement("a scrub");
}

Result<BackupReport> JoinedDatabase::backup(const std::filesystem::path&, const std::stop_token&) {
  return not_within_a_statement("a backup");
}
Result<DatabaseRole> JoinedDatabase::role() { return not_within_a_statement("the role"); }

}  // namespace cairn
