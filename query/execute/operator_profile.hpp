#pragma once
// OperatorProfile: what an operator really did, for PROFILE.

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace cairn::query {

struct FilterNode;

/// What one retriever of a search brought last.
struct RetrieverProfile {
  std::uint64_t hits = 0;
  std::string remark;  ///< the way it chose
};

struct OperatorProfile {
  std::uint64_t rows = 0;
  std::uint64_t ids_touched = 0;  ///< ids in the sets and adjacencies that were looked at
  std::uint64_t records_read = 0;
  std::uint64_t nanoseconds = 0;  ///< its inputs' time included
  std::string remark;             ///< the way it chose, where it has a choice
  std::unordered_map<const FilterNode*, std::uint64_t> parts;  ///< ids that each leaf gave last
  std::vector<RetrieverProfile> retrievers;                    ///< of a hybrid search, in its order
};

}  // namespace cairn::query
