#pragma once
// The outcome of a commit whose answer was lost. The host stores the outcome with the commit, in an entry of the
// client.

#include "query/attach/attached_rows.hpp"
#include "query/bolt/attached.hpp"

#include <cairn/database.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cairn::query::attach {

/// Reads a note from the arguments of a call. Errors: io_error if they contain none.
[[nodiscard]] Result<bolt::CommitNote> note_from(const Map& arguments);
/// Erases the entries of the named clients, or of all clients whose last commit was before `moment` (microseconds since
/// 1970 UTC). Works on a local database only. Errors: those of the store.
[[nodiscard]] Status forget_clients(const Database& database,
                                    const std::vector<std::string>& names);
[[nodiscard]] Status forget_clients_before(const Database& database, std::int64_t moment);
/// The stored rows of a committed statement. Errors: conflict if the rows were too large to be stored,
/// or if a statement in batches had not reached its end.
[[nodiscard]] Result<std::unique_ptr<AttachedRows>> rows_of_outcome(const Value& outcome);

}  // namespace cairn::query::attach
