// Only the newest version is stored as a set. An older version is computed by undoing the changes
// of later commits:
//
//   steps    [7: +4]  [9: -2 +8]  [12: +9]     newest: 1 4 8 9
//   at(10)                        undone       1 4 8
//   at(8)              undone     undone       1 2 4
//
// A step names only ids whose membership changed, so that undoing it is exact. Readers are at most some commits behind,
// so the steps of a thousand ids suffice.
#include "engine/index/versioned_ids.hpp"

#include <algorithm>
#include <map>
#include <ranges>
#include <utility>

namespace cairn::engine {
namespace {

constexpr std::size_t most_step_ids = 1'024;
constexpr std::size_t most_steps = 256;

using Ids = std::vector<std::uint64_t>;

/// The ids in `ids` whose membership in `set` is `is_member`.
Ids among(std::span<const std::uint64_t> ids, const codec::Bitmap& set, bool is_member) {
  Ids found;
  for (const std::uint64_t id : ids)
    if (set.contains(id) == is_member) found.push_back(id);
  return found;
}

codec::Bitmap changed(const codec::Bitmap& ids, std::span<const std::uint64_t> added,
                      std::span<const std::uint64_t> removed) {
  codec::Bitmap result = ids;
  if (!added.empty()) result = codec::unite(result, codec::Bitmap::from_sorted(added));
  if (!removed.empty()) result = codec::subtract(result, codec::Bitmap::from_sorted(removed));
  return result;
}

}  // namespace

// Goes back from the newest step, so that for each id the oldest undone step decides.
std::optional<codec::Bitmap> VersionedIds::at(std::uint64_t commit) const {
  if (commit < oldest_) return std::nullopt;
  std::map<std::uint64_t, bool> members;
  for (const Step& step : std::views::reverse(steps_)) {
    if (step.commit <= commit) break;
    for (const std::uint64_t id : step.added) members[id] = false;
    for (const std::uint64_t id : step.removed) members[id] = true;
  }
  if (members.empty()) return newest_;
  Ids present, absent;
  for (const auto& [id, is_member] : members) (is_member ? present : absent).push_back(id);
  return changed(newest_, present, absent);
}

void VersionedIds::follow(std::uint64_t commit, std::span<const std::uint64_t> added,
                          std::span<const std::uint64_t> removed) {
  Step step{commit, among(added, newest_, false), among(removed, newest_, true)};
  if (step.size() == 0) return;
  codec::Bitmap ids = changed(newest_, step.added, step.removed);
  const std::size_t bytes = ids.memory_bytes();
  const std::size_t size = step.size();
  steps_.push_back(std::move(step));
  step_ids_ += size;
  newest_ = std::move(ids);
  bytes_ = bytes + step_ids_ * sizeof(std::uint64_t);
  while (step_ids_ > most_step_ids || steps_.size() > most_steps) forget_oldest();
}

void VersionedIds::forget_oldest() {
  oldest_ = steps_.front().commit;
  step_ids_ -= steps_.front().size();
  bytes_ -= steps_.front().size() * sizeof(std::uint64_t);
  steps_.pop_front();
}

}  // namespace cairn::engine
