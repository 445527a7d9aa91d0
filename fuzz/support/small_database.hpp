#pragma once
// A small graph with a vector index, a full-text index, values of every type and relationships of three
// types: what statements and filters of the targets ask.

#include <cairn/database.hpp>

#include <filesystem>
#include <span>
#include <string_view>

namespace cairn::fuzz {

/// Statements that make it in an empty database, one after the other.
[[nodiscard]] std::span<const std::string_view> small_graph_statements();

/// Small caches and no wait for the disk.
[[nodiscard]] Options small_options();

/// Make a database in a directory that does not exist yet.
[[nodiscard]] Database make_small_database(const std::filesystem::path& directory);

/// The one that all inputs of a target share, since making one takes longer than most statements. Whoever
/// changes it takes the change back.
[[nodiscard]] Database& shared_database();

}  // namespace cairn::fuzz
