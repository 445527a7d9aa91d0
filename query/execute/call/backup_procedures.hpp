#pragma once
// db.backup, which BACKUP TO is short for, and db.backups, which SHOW BACKUPS lists.

#include "query/execute/call/procedures.hpp"

namespace cairn::query {

/// Argument: a path beneath Options::file_root. One row, what the backup holds and cost. Errors: those of
/// Database::backup(); unsupported where the statement may have no files, in a transaction and on a snapshot.
[[nodiscard]] Result<Procedure::Rows> back_up(ExecutionContext& context,
                                              std::span<const Value> arguments);
/// The newest backup in each directory, newest first.
[[nodiscard]] Result<Procedure::Rows> list_backups(ExecutionContext& context,
                                                   std::span<const Value> arguments);

}  // namespace cairn::query
