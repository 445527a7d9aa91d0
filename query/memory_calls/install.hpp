#pragma once
// Gives a database that is opened the procedures memory.*.

#include <cairn/database.hpp>

namespace cairn::query {

/// Of a local database, before its first statement.
void install_memory_calls(const Database& database);

}  // namespace cairn::query
