#pragma once
// The directories of a follower of a home: each has one state and never changes. The next state is made next to it.

#include "codec/commit_record.hpp"
#include "engine/home/home.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

namespace cairn::engine {

/// A state of a home in a directory, which opens with OpenMode::read_only.
struct FollowedState {
  std::unique_ptr<Home> home{};  ///< after Home::look()
  std::uint64_t commit = 0;
  codec::HomePlace next{};  ///< the slot after the state
};

/// Makes a directory of the newest state of the home at `address`, and replaces what is there. Errors: as restore_home().
[[nodiscard]] Result<FollowedState> fetch_followed(std::string_view address,
                                                   const std::filesystem::path& directory);

/// Makes the directory `to`, which must not be there, of the state in `from` and the commits after it. Files that never change
/// are shared by hard links. Returns the commit. Errors: io_error; corruption. Cost: what was committed since the last flush,
/// and the opening of a store.
[[nodiscard]] Result<std::uint64_t> advance_followed(const std::filesystem::path& from,
                                                     const std::filesystem::path& to,
                                                     std::span<const codec::CommitRecord> records);

}  // namespace cairn::engine
