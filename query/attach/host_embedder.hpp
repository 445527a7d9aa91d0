#pragma once
// The embedder of the host of a database.

#include "query/execute/call/memory_calls.hpp"

#include <cairn/database.hpp>

#include <memory>

namespace cairn::query::attach {

/// The memory calls of a database in this process, which have its embedder; nullptr for another database.
[[nodiscard]] std::shared_ptr<const MemoryCalls> memory_calls_of(const Database& database);

}  // namespace cairn::query::attach
