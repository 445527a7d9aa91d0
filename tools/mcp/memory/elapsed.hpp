#pragma once
// Progress of work that cannot say how far it is: the seconds that have passed.

#include "tools/mcp/caller/memory_caller.hpp"
#include "tools/mcp/protocol/context.hpp"

#include <chrono>
#include <functional>
#include <optional>

namespace cairn::tools::mcp {

/// Runs `work`, and reports the elapsed seconds to the client, if it requested progress. `work` then runs on another thread.
/// `most`: the time after which the work ends; absent if it has no limit.
[[nodiscard]] Result<CalledRows> run_with_progress(const std::function<Result<CalledRows>()>& work,
                                                   std::optional<std::chrono::milliseconds> most,
                                                   Context& context);

}  // namespace cairn::tools::mcp
