#include "engine/home/kept_states.hpp"

#include <algorithm>
#include <iterator>
#include <string>

namespace cairn::engine {
namespace {

/// A wrong clock would make all states look old, so at most this many expire at once.
constexpr std::ptrdiff_t most_expired = 2;

/// When the states were made, as far as clocks were right: never before an earlier state, and not after `now`.
std::vector<std::int64_t> times_of(const std::vector<KeptState>& states, std::int64_t now) {
  std::vector<std::int64_t> times;
  for (const KeptState& state : states)
    times.push_back(std::min(now, std::max(state.made_at, times.empty() ? 0 : times.back())));
  return times;
}

/// Drops the state, other than the first and the last, whose neighbours are closest in time.
void drop_closest(std::vector<KeptState>& states, std::vector<std::int64_t>& times) {
  std::size_t least = 1;
  for (std::size_t at = 2; at + 1 < states.size(); ++at)
    if (times[at + 1] - times[at - 1] < times[least + 1] - times[least - 1]) least = at;
  states.erase(states.begin() + static_cast<std::ptrdiff_t>(least));
  times.erase(times.begin() + static_cast<std::ptrdiff_t>(least));
}

}  // namespace

KeptState kept_state(const codec::HomeCheckpoint& checkpoint) {
  KeptState state{checkpoint.place, checkpoint.commit, checkpoint.made_at};
  for (const codec::HomePart& part : checkpoint.parts) state.objects.insert(part.object);
  return state;
}

std::vector<KeptState> states_to_keep(std::vector<KeptState> states, std::int64_t now,
                                      std::chrono::seconds history) {
  if (states.empty()) return states;
  std::vector<std::int64_t> times = times_of(states, now);
  std::ptrdiff_t first = std::ssize(states) - 1;
  if (history.count() > 0) {
    const std::int64_t begin = now - std::chrono::microseconds(history).count();
    while (first > 0 && times[static_cast<std::size_t>(first)] > begin) --first;
    first = std::min(first, most_expired);
  }
  states.erase(states.begin(), states.begin() + first);
  times.erase(times.begin(), times.begin() + first);
  while (states.size() > most_kept_states) drop_closest(states, times);
  return states;
}

Status check_history(std::chrono::seconds history) {
  if (history.count() >= 0 && history <= most_history) return {};
  return Error{ErrorCode::invalid_argument,
               "home_history is " + std::to_string(history.count()) +
                   " seconds; set it to 0 or more, and at most 100 years",
               {}};
}

}  // namespace cairn::engine
