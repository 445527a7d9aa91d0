#pragma once
// Random schedules of the ownership protocol. Owners are killed, paused and restarted. Their store is in memory; it
// loses requests and answers, and executes requests late and twice. One seed determines one schedule.

#include "engine/home/ownership.hpp"

#include <cstdint>
#include <string>

namespace cairn::test {

/// What is broken on purpose.
struct SimulatedRules {
  engine::ProtocolRules protocol{};
  bool applies_after_shipping = true;  ///< a node's own copy
};

/// What happened in one schedule.
struct SimulatedRun {
  std::string violation;  ///< empty where every promise was kept
  std::size_t acknowledged = 0;
  std::size_t takeovers = 0;
  std::size_t fenced = 0;
  std::size_t unsure = 0;
  std::size_t checkpoints = 0;
  std::size_t erased = 0;       ///< objects
  std::size_t swept = 0;        ///< objects that a list showed to be litter
  std::size_t fallen_back = 0;  ///< takeovers that began with an older checkpoint
  std::size_t followed = 0;     ///< takeovers that went on from the node's own copy
};

/// At the end, a node without a copy takes over, and the commits that it finds are compared with the answers to
/// clients. Each acknowledged commit is there once, after the commits that were acknowledged before it began. A commit
/// that was reported as failed is there only if it was sent again. The commits with which each owner began, and the
/// commits in each node's copy, are a prefix of the commits found.
[[nodiscard]] SimulatedRun simulate(std::uint64_t seed, const SimulatedRules& rules = {});

}  // namespace cairn::test
