#pragma once
// The directories of replicas on a node, and the copies that killed processes left in them.

#include <filesystem>
#include <string_view>

namespace cairn::query::cluster {

/// The suffix that the name of a replica's directory adds to the name of the home's directory.
inline constexpr std::string_view replica_suffix = "-replica";
/// In the directory of a replica: the lock of its follower, and the directory of its copies.
inline constexpr std::string_view lock_of_follower = "LOCK";
inline constexpr std::string_view copies_of_follower = "states";

/// Erases the copies of all replicas under `homes` that no process has open. Only killed processes leave such copies,
/// because a follower erases its copies when it ends. Ignores files that cannot be erased. The directories of homes
/// are two levels below `homes`.
void erase_left_replicas(const std::filesystem::path& homes) noexcept;

}  // namespace cairn::query::cluster
