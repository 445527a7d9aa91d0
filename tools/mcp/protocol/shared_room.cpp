#include "tools/mcp/protocol/shared_room.hpp"

#include <algorithm>

namespace cairn::tools::mcp {

SharedRoom::SharedRoom(std::size_t size) : size_(std::max<std::size_t>(size, 1)) {}

// Afterwards the caller must not hold more than is free: own + amount <= free - amount. If n callers all take as much as
// this allows, each holds 1 / (n + 1) of the room.
bool SharedRoom::fits(std::string_view caller, std::size_t amount) const {
  const std::size_t free = size_ - std::min(size_, taken_);
  const auto own = held_.find(caller);
  if (own == held_.end()) return free > 0;
  return amount <= free && own->second + amount <= free - amount;
}

void SharedRoom::take(std::string_view caller, std::size_t amount) {
  if (amount == 0) return;
  taken_ += amount;
  const auto own = held_.find(caller);
  if (own == held_.end())
    held_.emplace(caller, amount);
  else
    own->second += amount;
}

void SharedRoom::give_back(std::string_view caller, std::size_t amount) {
  const auto own = held_.find(caller);
  if (own == held_.end()) return;
  const std::size_t held = std::min(own->second, amount);
  taken_ -= held;
  own->second -= held;
  if (own->second == 0) held_.erase(own);
}

}  // namespace cairn::tools::mcp
