// Which objects are litter, by kind:
//
//   part        no checkpoint of the head uses it
//   checkpoint  older than the newest one, and not in the head
//   slot        contained in the oldest checkpoint, so that no replay needs it, and not the fence of an ended epoch
#include "engine/home/litter.hpp"

#include "engine/home/home_names.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace cairn::engine {
namespace {

using codec::HomePlace;
using home_name::NamedObject;

}  // namespace

std::map<std::uint64_t, std::uint64_t> last_slots(const std::vector<std::string>& names) {
  std::map<std::uint64_t, std::uint64_t> last;
  for (const std::string& name : names) {
    const auto object = home_name::parse(name);
    if (!object || object->kind != NamedObject::Kind::slot) continue;
    std::uint64_t& slot = last[object->place.epoch];
    slot = std::max(slot, object->place.slot);
  }
  return last;
}

std::vector<std::string> litter_of(const codec::HomeHead& head,
                                   const std::vector<std::string>& names,
                                   const std::set<HomePlace>& used, const ProtocolRules& rules) {
  if (head.checkpoints.empty()) return {};
  const HomePlace& oldest = head.checkpoints.front();
  const HomePlace& newest = head.checkpoints.back();
  const auto last = last_slots(names);
  const auto is_litter = [&](const NamedObject& object) {
    const HomePlace& place = object.place;
    if (place.epoch > head.epoch && rules.spares_later_epochs) return false;
    switch (object.kind) {
      case NamedObject::Kind::part:
        return !used.contains(place);
      case NamedObject::Kind::checkpoint:
        return (place < newest || !rules.spares_later_epochs) &&
               !std::ranges::binary_search(head.checkpoints, place);
      case NamedObject::Kind::slot: {
        // An epoch ends with its fence. The epoch of the head has not ended.
        const bool is_fence = place.epoch != head.epoch && last.at(place.epoch) == place.slot;
        return place <= oldest && (!is_fence || !rules.keeps_fences);
      }
    }
    return false;
  };
  std::vector<std::string> litter;
  for (const std::string& name : names)
    if (const auto object = home_name::parse(name); object && is_litter(*object))
      litter.push_back(name);
  return litter;
}

std::vector<std::uint64_t> epochs_without_fence(const codec::HomeHead& head,
                                                const std::vector<std::string>& names) {
  const auto last = last_slots(names);
  std::vector<std::uint64_t> missing;
  for (std::uint64_t epoch = 1; epoch < head.epoch; ++epoch)
    if (!last.contains(epoch)) missing.push_back(epoch);
  return missing;
}

}  // namespace cairn::engine
