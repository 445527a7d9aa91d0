#pragma once
// OperatorProfile: the measured work of an operator, for PROFILE.

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace cairn::query {

struct FilterNode;

/// The last results of one retriever of a search.
struct RetrieverProfile {
  std::uint64_t hits = 0;
  std::string remark;  ///< the search strategy that it chose
};

/// Figures of one operator, summed over all its runs.
struct OperatorProfile {
  std::uint64_t rows = 0;
  std::uint64_t ids_touched = 0;  ///< ids in the sets and adjacency lists that were examined
  std::uint64_t records_read = 0;
  std::uint64_t nanoseconds = 0;  ///< time including the inputs of the operator
  std::string remark;             ///< the strategy that the operator chose, if it has a choice
  /// Ids that each filter leaf found last.
  std::unordered_map<const FilterNode*, std::uint64_t> parts;
  std::vector<RetrieverProfile> retrievers;  ///< of a hybrid search, in the order of its retrievers
};

/// Adds the figures of another run of the operator: of a batch, or in another thread. A remark and the retrievers are
/// those of the latest run.
inline void add(OperatorProfile& sum, const OperatorProfile& run) {
  sum.rows += run.rows;
  sum.ids_touched += run.ids_touched;
  sum.records_read += run.records_read;
  sum.nanoseconds += run.nanoseconds;
  sum.remark = run.remark;
  for (const auto& [node, ids] : run.parts) sum.parts[node] = ids;
  sum.retrievers = run.retrievers;
}

}  // namespace cairn::query
