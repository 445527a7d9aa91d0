#pragma once
// Death points: places at which a host kills itself with SIGKILL. So tests see what other processes observe then,
// without depending on chance. The points are calls of the C library, so the product needs no hook.

#include <filesystem>
#include <string_view>

namespace cairn::test {

/// Kills this process when it reaches a point for the `count`-th time. Call it before the database is opened. The
/// points: `before_write` and `after_write` of a commit to the log, `before_answer`, when the commit is synced but its
/// caller has no answer yet; `opening`, when all of an older database is loaded; `binding` the socket and `naming` the
/// host, within a take-over; `handing_over`, while it closes. Returns false for any other name, and always in a program
/// that is linked with no_death_points.cpp.
bool die_at(std::string_view point, unsigned long long count,
            const std::filesystem::path& database);

}  // namespace cairn::test
