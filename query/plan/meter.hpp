#pragma once
// Meter: what an operator really did, for PROFILE.

#include <cstdint>
#include <string>
#include <unordered_map>

namespace cairn::query {

struct FilterNode;

struct Meter {
  std::uint64_t rows = 0;
  std::uint64_t ids_touched = 0;  ///< ids in the sets and adjacencies that were looked at
  std::uint64_t records_read = 0;
  std::uint64_t nanoseconds = 0;  ///< its inputs' time included
  std::string remark;             ///< the way it chose, where it has a choice
  std::unordered_map<const FilterNode*, std::uint64_t> parts;  ///< ids that each leaf gave last
};

}  // namespace cairn::query
