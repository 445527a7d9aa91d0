#pragma once
// The copy of a home that a follower keeps: an open store, which gets the commits of the home as they appear. Its states are
// databases that share the store, see RocksStore::fixed().

#include "codec/commit_record.hpp"
#include "engine/home/home.hpp"
#include "engine/store/rocks_store.hpp"
#include "engine/store/store_options.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

namespace cairn::engine {

/// A copy with the newest state of a home.
struct FollowedCopy {
  std::unique_ptr<Home> home{};  ///< after Home::look()
  std::unique_ptr<RocksStore> store{};
  std::uint64_t commit = 0;
  codec::HomePlace next{};  ///< the slot after the state
};

/// Makes a directory of the newest state of the home at `address`, and replaces what is there. Errors: as restore_home().
[[nodiscard]] Result<FollowedCopy> fetch_followed(std::string_view address,
                                                  const std::filesystem::path& directory,
                                                  const StoreOptions& settings);

/// What advance_followed() did.
struct FollowedAdvance {
  std::size_t records = 0;  ///< that the copy got
  Status status{};          ///< of the first that it did not get
};

/// Adds the commits after the state of a copy, up to the first that fails. Errors: as RocksStore::apply(); corruption
/// if the number of the copy's last commit is not that of the last record.
[[nodiscard]] FollowedAdvance advance_followed(RocksStore& store,
                                               std::span<const codec::CommitRecord> records);

}  // namespace cairn::engine
