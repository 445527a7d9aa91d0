#pragma once
// What damaged table files mean for a database: a finding each, and whether a repair can repair them.

#include "engine/store/damaged_file.hpp"

#include <cairn/database.hpp>
#include <cairn/result.hpp>

#include <vector>

namespace cairn::engine {

/// Names the file, what is in it, what is wrong with it and the repair, which hangs on what else is damaged: `all`.
[[nodiscard]] Finding finding_of(const DamagedFile& file, const std::vector<DamagedFile>& all);

/// Errors: corruption, naming the files, where one is not of a derived family: nothing can rebuild it.
[[nodiscard]] Status check_repairable(const std::vector<DamagedFile>& files);

}  // namespace cairn::engine
