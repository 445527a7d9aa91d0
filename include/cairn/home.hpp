#pragma once
// Homes: databases that are stored in an object store (Options::home), and copies of their states.
//
//     CAIRN_ASSIGN(const HomeHistory history, home_history("s3://bucket/notes"));
//     CAIRN_TRY(restore_home("s3://bucket/notes", "before.cairn", {.commit = 41}));
//     CAIRN_TRY(fork_home("s3://bucket/notes", "s3://bucket/experiment"));
//
// An address names a store, `dir:PATH` or `s3://BUCKET/PREFIX`. The store of a cluster has a home for each tenant:
// `s3://bucket/notes#acme` is the home of the tenant `acme`, see cluster.hpp.

#include <cairn/result.hpp>
#include <cairn/visibility.hpp>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {

/// A state of the database of which the home keeps all files.
struct HomeState {
  std::uint64_t commit = 0;  ///< the database has everything up to this commit
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;   ///< of all files; states share those that did not change
  std::int64_t made_at = 0;  ///< microseconds since 1970 UTC; 0 if an earlier version made it
};

/// A commit in the log of the home.
struct HomeCommit {
  std::uint64_t commit = 0;
  std::uint64_t bytes = 0;  ///< of its changes
};

/// What a home keeps.
struct HomeHistory {
  std::string database_id;
  /// The process that may commit, as `HOST, process NUMBER`; empty if the last owner released the home.
  std::string owner;
  /// How long older states are kept, see Options::home_history.
  std::chrono::seconds kept_for{0};
  std::vector<HomeState> states;    ///< in ascending order; the last is the newest
  std::vector<HomeCommit> commits;  ///< those after the first state, in ascending order
};

/// Reads what the home at `address` keeps: see Options::home. Writes no object, and leaves the home
/// to its owner. Errors: not_found if there is no home; invalid_argument; unsupported; busy if the
/// store does not answer; io_error; corruption, which names the object that is missing or damaged;
/// format_too_new. Cost: a request for each state and each piece of the log. Threads: any.
[[nodiscard]] CAIRN_EXPORT Result<HomeHistory> home_history(std::string_view address);

/// Names a state of a home. By default it is the newest one.
struct HomePoint {
  std::optional<std::uint64_t> commit = {};  ///< the state after this commit
  /// Chooses the newest of HomeHistory::states made at or before this time, in microseconds since 1970 UTC. Cannot be
  /// combined with `commit`.
  std::optional<std::int64_t> time = {};
};

/// A copy of a state of a home.
struct HomeCopy {
  std::string database_id;   ///< of the copy
  std::uint64_t commit = 0;  ///< the newest commit that it has
};

/// Makes a database directory with exactly the state at `point` of the home at `address`. The
/// directory has no home: it is a database of its own, with the same id, as a restored backup is.
/// It appears only when it is complete. The home does not change, and its owner continues. Tokens and other data
/// outside of commits are as of the last commit.
///
/// Errors: those of home_history(), not_found also if the home does not keep that state;
/// invalid_argument if `directory` exists and is not empty. Cost: reads the files of the state
/// before `point`, and the commits from there on. Threads: any.
[[nodiscard]] CAIRN_EXPORT Result<HomeCopy> restore_home(std::string_view address,
                                                         const std::filesystem::path& directory,
                                                         const HomePoint& point = {});

/// Makes a new home at `new_address` with the state at `point` of the home at `address`. The two homes are independent
/// from then on. The fork has the same tokens but an id of its own, so that no copy of one home is mistaken for a copy
/// of the other. If the process ends before the fork is complete, there is no home at `new_address`.
///
/// Errors: those of restore_home() and of the writes; already_exists if `new_address` has a home.
/// Cost: as restore_home(), in the system's directory of temporary files, and an upload of all
/// files; vector indexes are built again. Threads: any.
[[nodiscard]] CAIRN_EXPORT Result<HomeCopy> fork_home(std::string_view address,
                                                      std::string_view new_address,
                                                      const HomePoint& point = {});

/// Whether a home that has an owner may be deleted.
enum class OwnedHome { refuse, erase };

/// Deletes the home at `address`: the database, its states and its log. `database_id` must be the id of the database,
/// see HomeHistory. One object stays, so that opening the home fails with not_found. Copies in directories and forks
/// are not erased. After an error, another call continues the deletion.
///
/// OwnedHome::erase also deletes a home that has an owner. The next commit of the owner fails with not_found, because
/// one more object stays for each owner that the home ever had.
///
/// Errors: conflict if the home has another database; busy if a process owns the home or was killed as its owner,
/// unless `owned` is OwnedHome::erase; those of home_history(). Cost: a request for each object. Threads: any.
[[nodiscard]] CAIRN_EXPORT Status delete_home(std::string_view address,
                                              std::string_view database_id,
                                              OwnedHome owned = OwnedHome::refuse);

/// Checks whether the store at `address` can hold a home: it makes, replaces, reads and erases an
/// object. Errors: unsupported, which names what the store did wrong; invalid_argument; busy if the
/// store does not answer; io_error. Threads: any.
[[nodiscard]] CAIRN_EXPORT Status probe_home(std::string_view address);

}  // namespace cairn
