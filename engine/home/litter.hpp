#pragma once
// Litter: objects of a home that no head refers to. A process that was killed, or an erasure that failed, leaves them.

#include "codec/home_head.hpp"
#include "engine/home/ownership.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace cairn::engine {

/// Returns the names among `names` that the owner who wrote `head` may erase. `names` is a list of the whole home, relative
/// to it, which may be older than `head`. `used` are the parts of all checkpoints that `head` refers to.
///
/// No clock is needed, because no head will refer to these objects again. An owner refers only to parts of the newest
/// checkpoint that it found and to those that it uploads later, under new numbers. Objects of later epochs belong to
/// somebody else and stay. So do checkpoints newer than the newest one in `head`, as this owner may be about to publish
/// them, and the last slot of each ended epoch, which is its fence.
[[nodiscard]] std::vector<std::string> litter_of(const codec::HomeHead& head,
                                                 const std::vector<std::string>& names,
                                                 const std::set<codec::HomePlace>& used,
                                                 const ProtocolRules& rules = {});

/// Returns the last slot of each epoch among `names`, which are relative to the home.
[[nodiscard]] std::map<std::uint64_t, std::uint64_t> last_slots(
    const std::vector<std::string>& names);

/// Returns the epochs that have ended and have no slot at all among `names`. There are none, unless somebody erased a fence.
[[nodiscard]] std::vector<std::uint64_t> epochs_without_fence(
    const codec::HomeHead& head, const std::vector<std::string>& names);

}  // namespace cairn::engine
