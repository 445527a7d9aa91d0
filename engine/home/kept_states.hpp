#pragma once
// Kept states: which checkpoints of a home stay beside the newest one, so that a database can be restored to an earlier
// moment.

#include "codec/home_head.hpp"

#include <cairn/result.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

namespace cairn::engine {

/// A checkpoint before the newest one.
struct KeptState {
  codec::HomePlace place;
  std::uint64_t commit = 0;
  std::int64_t made_at = 0;              ///< microseconds since 1970 UTC; 0 if it is not known
  std::set<codec::HomePlace> objects{};  ///< its parts
};

[[nodiscard]] KeptState kept_state(const codec::HomeCheckpoint& checkpoint);

inline constexpr std::chrono::seconds most_history{codec::most_home_history};
/// Checks Options::home_history. Errors: invalid_argument.
[[nodiscard]] Status check_history(std::chrono::seconds history);

/// The maximum number of kept states. If there are more, the states closest in time to their neighbours are dropped.
/// The commits between kept states stay.
inline constexpr std::size_t most_kept_states = 64;

/// Returns the states that stay. `states` ascend, without the newest checkpoint; the last of them always stays. If
/// `history` is greater than 0, the states that were the newest at some moment of the last `history` before `now`
/// (microseconds since 1970 UTC) stay too. At most two states expire in a call, so that a wrong clock does not drop all
/// of them.
[[nodiscard]] std::vector<KeptState> states_to_keep(std::vector<KeptState> states, std::int64_t now,
                                                    std::chrono::seconds history);

}  // namespace cairn::engine
