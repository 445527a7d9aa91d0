#pragma once
// Erases a whole namespace in many short transactions.

#include "engine/write/erased_records.hpp"

#include <cairn/database.hpp>
#include <cairn/result.hpp>
#include <cairn/transaction.hpp>

#include <functional>
#include <string_view>

namespace cairn::engine {

/// Called before the commit that erases the name, with what the whole drop erases. It may add to that commit.
using BeforeLastCommit = std::function<void(Transaction& last, const ErasedRecords& erased)>;

/// Erases every record of a namespace, including hidden records, and then its name.
///
/// Each step is a transaction of at most 2,000 records, so that other writers can write in between. Records that other
/// writers add to the namespace are erased too. `before_step` is called before each step; its error ends the call.
/// Records erased by then stay erased, and a second call erases the rest. `erased` is updated with each commit.
/// Errors: not_found if the namespace does not exist; invalid_argument for the default namespace; the error of
/// `before_step`; those of Database::begin() and Transaction::commit().
[[nodiscard]] Status drop_name_space(Database& database, std::string_view name,
                                     const std::function<Status()>& before_step,
                                     ErasedRecords& erased,
                                     const BeforeLastCommit& before_last = {});

}  // namespace cairn::engine
