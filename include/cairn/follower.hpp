#pragma once
// HomeFollower: a read-only replica of a database in an object store, which does not own the home.
//
//     CAIRN_ASSIGN(HomeFollower follower, HomeFollower::open("s3://bucket/notes", "/var/cache/notes"));
//     CAIRN_ASSIGN(const FollowedDatabase now, follower.read({.at_least = 41}));
//     CAIRN_ASSIGN(Rows rows, execute(*now.database, "MATCH (n) RETURN count(n)"));
//
// The owner knows nothing of its followers, and there may be any number. A read of the follower polls the store for new
// commits, by default at most four times a second, so a follower that nobody reads costs nothing.

#include <cairn/database.hpp>
#include <cairn/options.hpp>
#include <cairn/result.hpp>
#include <cairn/visibility.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>

namespace cairn {

/// The demands of a reader on the state of a replica. A reader without demands gets the state that the replica has,
/// which may be old if the store does not answer.
struct ReadContract {
  /// Causal: the state has this commit, for example one that the reader made or has seen.
  std::uint64_t at_least = 0;
  /// Bounded: the state has all commits that were acknowledged at least this long before the call. Strong, if it is 0:
  /// the state has all commits that were acknowledged before the call.
  std::optional<std::chrono::milliseconds> max_staleness = {};
  /// How long to wait for a state that meets these demands. A request that the store does not answer is retried for a
  /// second beyond this time.
  std::chrono::milliseconds patience{5'000};
};

/// A state of a database that is followed. It does not change, and lives as long as `database` has an owner.
struct FollowedDatabase {
  std::shared_ptr<Database> database;  ///< open with OpenMode::read_only
  std::uint64_t commit = 0;            ///< the newest commit in it
  /// Time since a poll of the store found no later commit.
  std::chrono::milliseconds staleness{0};
};

/// Options of a follower.
struct FollowerOptions {
  /// Options::memory_bytes of the replica. Its states share one store. Each state has its own vector indexes and its
  /// own caches, which take at most three eighths of this memory.
  std::size_t memory_bytes = std::size_t{32} << 20;
  /// A read polls the store first if the last poll is older than this.
  std::chrono::milliseconds look_interval{250};
  /// The most states that readers hold at once. While they hold so many, other reads get the newest of these states, or
  /// fail with busy if they demand a later one.
  std::size_t most_states = 8;
};

/// A replica. Threads: any, except that no call may run during the destruction.
class CAIRN_EXPORT HomeFollower {
 public:
  /// Copies the newest state of the home at `address`, see home.hpp, into `directory`, whose earlier states are
  /// erased. Errors: busy if another follower uses the directory; those of restore_home(). Cost: reads the files of
  /// the newest checkpoint, and the commits after it.
  [[nodiscard]] static Result<HomeFollower> open(std::string_view address,
                                                 const std::filesystem::path& directory,
                                                 const FollowerOptions& options = {});
  HomeFollower(HomeFollower&&) noexcept;
  HomeFollower& operator=(HomeFollower&&) noexcept;
  ~HomeFollower();

  /// Returns the newest state that meets the contract. Errors: busy if there is none within the patience of the
  /// contract, because the commit was not made, the store does not answer, the disk is full, or readers hold
  /// `most_states` states; not_found if the home was deleted; corruption. Cost: none if the last poll is recent enough.
  /// Otherwise two requests; if there are new commits, also one request for each of them, and reading the catalog and
  /// the vector files.
  [[nodiscard]] Result<FollowedDatabase> read(const ReadContract& contract = {});

  class Impl;

 private:
  explicit HomeFollower(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace cairn
