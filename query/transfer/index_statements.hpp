#pragma once
// The indexes that users created and the constraints, as the statements that create them.

#include <cairn/result.hpp>
#include <cairn/snapshot.hpp>

#include <span>
#include <string>

namespace cairn::query {

/// One statement a line; empty if the database creates all indexes itself. Indexes that are being built or whose build
/// failed are included.
[[nodiscard]] std::string to_statements(std::span<const IndexDescription> indexes);

/// The statements that create the constraints, one a line.
[[nodiscard]] Result<std::string> constraint_statements(const Snapshot& snapshot);

}  // namespace cairn::query
