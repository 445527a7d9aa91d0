#pragma once
// Homes: what an object store keeps of a database that lives in it (Options::home).

#include <cairn/result.hpp>
#include <cairn/visibility.hpp>

#include <cstdint>
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
  /// The process that may commit, as `HOST, process NUMBER`; empty if the last one released the home.
  std::string owner;
  std::vector<HomeState> states;    ///< in ascending order; the last is the newest
  std::vector<HomeCommit> commits;  ///< those after the first state, in ascending order
};

/// Reads what the home at `address` keeps: see Options::home. Writes no object, and takes the home
/// from nobody. Errors: not_found if there is no home; invalid_argument; unsupported; busy if the
/// store does not answer; io_error; corruption, which names the object that is missing or damaged;
/// format_too_new. Cost: a request for each state and each piece of the log. Threads: any.
[[nodiscard]] CAIRN_EXPORT Result<HomeHistory> home_history(std::string_view address);

}  // namespace cairn
