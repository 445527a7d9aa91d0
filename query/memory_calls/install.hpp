#pragma once
// Makes the procedures memory.* available in a database that is being opened.

#include <cairn/database.hpp>
#include <cairn/embedder.hpp>

#include <memory>
#include <string>

namespace cairn::query {

/// With the embedder of texts and the text that names it; nullptr: none. A later call replaces the embedder. Precondition:
/// the database is local.
void install_memory_calls(const Database& database, std::shared_ptr<const Embedder> embedder,
                          std::string spec);

}  // namespace cairn::query
