#pragma once
// Makes the procedures memory.* available in a database that is being opened.

#include <cairn/database.hpp>

namespace cairn::query {

/// Precondition: the database is local and has run no statement yet.
void install_memory_calls(const Database& database);

}  // namespace cairn::query
