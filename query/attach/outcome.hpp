#pragma once
// What became of a commit of which the answer was lost.

#include "query/attach/attached_rows.hpp"
#include "query/bolt/attached.hpp"

#include <cairn/database.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cairn::query::attach {

/// Errors: io_error, where it is none.
[[nodiscard]] Result<bolt::CommitNote> note_from(const Map& arguments);
/// What a commit gave, as query/bolt/attached.hpp keeps it; nothing where it was not made. Of a local database.
/// Errors: corruption, io_error.
[[nodiscard]] Result<std::optional<Value>> find_outcome(const Database& database,
                                                        const bolt::CommitNote& note);
/// Erase the entries of clients that have ended, or those of all that committed last before a moment, in microseconds since
/// 1970 UTC. Of a local database. Errors: those of the store.
[[nodiscard]] Status forget_clients(const Database& database,
                                    const std::vector<std::string>& names);
[[nodiscard]] Status forget_clients_before(const Database& database, std::int64_t moment);
/// The rows of a statement whose commit was made. Errors: conflict, where there were too many to be kept.
[[nodiscard]] Result<std::unique_ptr<AttachedRows>> rows_of_outcome(const Value& outcome);

}  // namespace cairn::query::attach
