#pragma once
// A small graph for statements and filters of the targets. It has a vector index, a full-text
// index, values of every type and relationships of three types.

#include <cairn/database.hpp>

#include <filesystem>
#include <span>
#include <string_view>

namespace cairn::fuzz {

/// Statements that create the graph in an empty database, in this order.
[[nodiscard]] std::span<const std::string_view> small_graph_statements();

/// Options with small caches and without waits for the disk.
[[nodiscard]] Options small_options();

/// Creates the database in a directory that does not exist yet.
[[nodiscard]] Database make_small_database(const std::filesystem::path& directory,
                                           const Options& options = small_options());

/// Returns the database that all inputs of a target share, because creating one takes longer than
/// most statements. A target that changes it must undo the change.
[[nodiscard]] Database& shared_database();

}  // namespace cairn::fuzz
