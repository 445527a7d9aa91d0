#pragma once
// The outcome of a commit whose answer was lost.

#include "query/attach/attached_rows.hpp"
#include "query/bolt/attached.hpp"

#include <cairn/database.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cairn::query::attach {

/// Errors: io_error, if the arguments have no note.
[[nodiscard]] Result<bolt::CommitNote> note_from(const Map& arguments);
/// The result of a commit, as query/bolt/attached.hpp keeps it; nothing if it was not made. The database is local.
/// Errors: corruption, io_error.
[[nodiscard]] Result<std::optional<Value>> find_outcome(const Database& database,
                                                        const bolt::CommitNote& note);
/// Erase the entries of the named clients, or of all clients whose last commit is before `moment`, in microseconds since
/// 1970 UTC. The database is local. Errors: those of the store.
[[nodiscard]] Status forget_clients(const Database& database,
                                    const std::vector<std::string>& names);
[[nodiscard]] Status forget_clients_before(const Database& database, std::int64_t moment);
/// The rows of a statement whose commit was made. Errors: conflict, where there were too many to store.
[[nodiscard]] Result<std::unique_ptr<AttachedRows>> rows_of_outcome(const Value& outcome);

}  // namespace cairn::query::attach
