#include "engine/home/kept_states.hpp"

#include <algorithm>
#include <iterator>

namespace cairn::engine {
namespace {

/// The time that the home is without a state if this one, which is not the first or last, is dropped.
std::int64_t gap_without(const std::vector<KeptState>& states, std::size_t at) {
  return states[at + 1].made_at - states[at - 1].made_at;
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
  auto first = std::prev(states.end());
  if (history.count() > 0) {
    const std::int64_t begin = now - std::chrono::microseconds(history).count();
    while (first != states.begin() && first->made_at > begin) --first;
  }
  states.erase(states.begin(), first);
  while (states.size() > most_kept_states) {
    std::size_t least = 1;
    for (std::size_t at = 2; at + 1 < states.size(); ++at)
      if (gap_without(states, at) < gap_without(states, least)) least = at;
    states.erase(states.begin() + static_cast<std::ptrdiff_t>(least));
  }
  return states;
}

}  // namespace cairn::engine
