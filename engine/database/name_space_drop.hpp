#pragma once
// Erasing a whole namespace, in many short transactions.

#include <cairn/database.hpp>
#include <cairn/result.hpp>

#include <cstdint>
#include <functional>
#include <string_view>

namespace cairn::engine {

struct ErasedRecords {
  std::uint64_t nodes = 0;
  std::uint64_t relationships = 0;
};

/// Erase every record of a namespace, hidden ones too, and then its name.
///
/// Each step is a transaction of at most a few thousand records, so that other writers get their turn. What
/// they add to the namespace meanwhile goes, too. `before_step` may end it; what is gone by then stays gone,
/// and a second call erases the rest. `erased` counts up with each commit.
/// Errors: not_found where there is no such namespace; invalid_argument for the default one; the first that
/// `before_step` gives; those of Database::begin() and Transaction::commit().
[[nodiscard]] Status drop_name_space(Database& database, std::string_view name,
                                     const std::function<Status()>& before_step,
                                     ErasedRecords& erased);

}  // namespace cairn::engine
